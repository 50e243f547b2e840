// Errors apart from the documents: the queue, the engine, the settings. Bad files are in
// bad-input and hostile, Stop is in stop.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { contextOf, counts, downloaded, drop, makeFixtures, open, programs, row, start, until, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

test('Stop ends the reading of a large PDF, and the next file is read', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'large.pdf'), join(work, 'article.pdf'));
  const reading = await row(page, 'large.pdf', 'reading');
  await page.locator('.doc', { hasText: 'large.pdf' }).getByText(/reading page \d+ of \d+/).waitFor();
  await row(page, 'article.pdf', 'queued');
  await reading.getByRole('button', { name: /^Stop/ }).click();
  const stopped = await row(page, 'large.pdf', 'failed');
  assert.match(await stopped.innerText(), /Stopped/);
  await row(page, 'article.pdf');
  tab.check();
  await tab.close();
});

test('an engine that dies is started again, and its documents with it', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'notes.md'), join(work, 'unicode.txt'));
  await row(page, 'unicode.txt');
  const [engine] = programs(page);
  const ended = engine.waitForEvent('close');
  await engine.evaluate(() => self.postMessage({ json: JSON.stringify({ event: 'died', data: { message: 'a test' } }) }));
  await ended;
  await row(page, 'notes.md');
  await row(page, 'unicode.txt');
  await page.locator('#search').fill('rennet');
  await page.keyboard.press('Enter');
  await page.locator('.hits button', { hasText: 'notes.md' }).first().waitFor();
  tab.check();
  await tab.close();
});

test('the PDF worker ends when it has been idle, and starts again for the next file', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  assert.equal(programs(page).length, 2);
  await programs(page)[1].waitForEvent('close');
  assert.equal(programs(page).length, 1);
  await drop(page, join(work, 'second.pdf'));
  await row(page, 'second.pdf');
  tab.check();
  await tab.close();
});

test('settings that contradict each other are said to be, and the text stays, cut by the number that is set', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'notes.md'));
  await row(page, 'notes.md');
  await page.locator('#method').selectOption('percentile');
  const made = async () => (await downloaded(page)).chunks.length; // as soon as the engine has followed
  const usual = await made();
  await page.locator('#setting').fill('50');
  const chunks = await made();
  assert.ok(chunks > usual, `${chunks} chunks, ${usual} before`);
  await page.locator('#max-tokens').fill('20');
  await page.locator('#min-tokens').fill('50');
  await page.locator('.settings .error[role=alert]').waitFor();
  console.log(`settings: ${await page.locator('.settings .error[role=alert]').innerText()}`);
  await row(page, 'notes.md');
  await until(async () => (await counts(page, 'notes.md')).chunks === chunks);
  await page.locator('#min-tokens').fill('');
  await page.locator('.settings .error[role=alert]').waitFor({ state: 'hidden' });
  tab.check();
  await tab.close();
});

test('without WebAssembly programs the page says so', async () => {
  const context = await contextOf(site.browser);
  await context.route(/\.wasm(\.gz)?$/, (route) => route.fulfill({ status: 404, body: 'gone' }));
  const page = await context.newPage();
  await page.goto(site.url);
  await page.getByRole('alert').getByText('The engine could not be loaded').waitFor();
  await context.close();
});
