// Dying workers and malicious files: the page reports them and goes on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drop, dropPaths, makeFixtures, open, programs, row, start, work } from './harness.mjs';
import { keptAll } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const MB = 2 ** 20;

/** Returns the resident memory of the page's process in bytes; null without /proc. */
async function rss(browser) {
  const cdp = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
      try {
        return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024;
      } catch {
        return 0;
      }
    });
    return sizes.length > 0 ? Math.max(...sizes) : null;
  } finally {
    await cdp.detach();
  }
}

/** Returns the memory of the page after garbage collection. */
async function memory(page, browser) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  await cdp.detach();
  return { heap: metrics.find(({ name }) => name === 'JSHeapUsedSize').value, rss: await rss(browser) };
}

test('fifty hostile files in a row leave the page working, and its memory as it was', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await keptAll(page); // no program is being fetched
  const before = await memory(page, site.browser);
  const names = readdirSync(join(work, 'hostile'));
  assert.equal(names.length, 50);
  const began = Date.now();
  await drop(page, ...names.map((name) => join(work, 'hostile', name)));
  await page.waitForFunction(() => !document.querySelector('.doc[data-state=queued], .doc[data-state=reading]') && document.querySelectorAll('.doc').length > 40,
    null, { timeout: 180_000 });
  const took = Date.now() - began;
  const rows = await page.locator('.doc').evaluateAll((list) => list.map((item) => [item.dataset.state, item.querySelector('.name').textContent, item.querySelector('.state').textContent]));
  const failed = rows.filter(([state]) => state === 'failed');
  console.log(`${names.length} hostile files in ${took} ms: ${failed.length} refused, ${rows.length - 1 - failed.length} read, ${names.length + 1 - rows.length} twins`);
  for (const sentence of new Set(failed.map((each) => each[2]))) console.log(`  ${failed.filter((each) => each[2] === sentence).length} × ${sentence}`);
  for (const [, name, sentence] of failed) {
    assert.match(sentence, /^[A-Z].{8,}[.!?]$/, name);
    assert.doesNotMatch(sentence, /undefined|goroutine|runtime error/, name);
  }
  for (let left = rows.length; left > 1; left--) await page.locator('.doc .remove').last().click();
  await page.waitForFunction(() => document.querySelectorAll('.doc').length === 1);
  // The idle PDF worker must end and free its memory.
  while (programs(page).length > 1) await programs(page).at(-1).waitForEvent('close');
  const afterwards = await memory(page, site.browser);
  const show = ({ heap, rss: resident }) => `heap ${(heap / MB).toFixed(1)} MB, process ${resident === null ? 'unknown' : `${(resident / MB).toFixed(0)} MB`}`;
  console.log(`memory before: ${show(before)}; after: ${show(afterwards)}`);
  assert.ok(afterwards.heap - before.heap < 100 * MB, 'the heap of the page');
  if (before.rss !== null) assert.ok(afterwards.rss - before.rss < 200 * MB, 'the process');
  await drop(page, join(work, 'second.pdf'));
  await row(page, 'second.pdf');
  tab.check();
  await tab.close();
});

test('a bomb that inflates a thousandfold: read or refused, and Stop works meanwhile', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  await drop(page, join(work, 'bomb.pdf'), join(work, 'article.pdf'));
  await row(page, 'bomb.pdf', 'reading');
  await page.getByRole('button', { name: /^Stop/ }).click();
  await row(page, 'bomb.pdf', 'failed');
  await row(page, 'article.pdf');
  await page.getByRole('button', { name: /^Try bomb\.pdf again/ }).click();
  await row(page, 'bomb.pdf', 'reading');
  await page.waitForFunction(() => !document.querySelector('.doc[data-state=queued], .doc[data-state=reading]'));
  console.log(`bomb.pdf: ${(await page.locator('.doc', { hasText: 'bomb.pdf' }).innerText()).replaceAll('\n', ' | ')}`);
  tab.check();
  await tab.close();
});

/** Ways to kill a worker from inside that Go cannot catch. */
const deaths = {
  'throws in the worker': () => setTimeout(() => { throw new Error('a test'); }),
  'a message that is none': () => self.dispatchEvent(new MessageEvent('message', { data: 7 })),
  'closes itself': () => {
    self.postMessage({ json: JSON.stringify({ event: 'died', data: { message: 'a test' } }) });
    self.close();
  },
};

for (const [how, die] of Object.entries(deaths)) {
  test(`a PDF worker that dies while it reads (${how}): said, and the next file is read`, async () => {
    const tab = await open(site, { serviceWorkers: 'allow' });
    const { page } = tab;
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
    const pdf = page.workers()[1];
    await drop(page, join(work, 'large.pdf'), join(work, 'second.pdf'));
    await row(page, 'large.pdf', 'reading');
    await pdf.evaluate(die).catch(() => undefined); // it may be gone before it answers
    const item = await row(page, 'large.pdf', 'failed');
    assert.match(await item.innerText(), /The program that reads this file stopped unexpectedly\.\s+Your other documents are safe/);
    await row(page, 'second.pdf');
    await row(page, 'article.pdf');
    await tab.close(); // the worker has thrown, which the console shows
  });
}

test('an engine out of memory is replaced, and its documents with it', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  await dropPaths(page, join(work, 'notes.md'), join(work, 'unicode.txt'));
  await row(page, 'unicode.txt');
  const [engine] = page.workers();
  const ended = engine.waitForEvent('close');
  await engine.evaluate(() => setTimeout(() => { throw new RangeError('out of memory'); })).catch(() => undefined);
  await ended;
  await row(page, 'notes.md');
  await row(page, 'unicode.txt');
  await page.locator('#search').fill('rennet');
  await page.keyboard.press('Enter');
  await page.locator('.hits button', { hasText: 'notes.md' }).first().waitFor();
  await tab.close();
});
