// A page of HTML, set as a document: lists, tables, code, quotes and emphasis as its file has them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { drop, makeFixtures, open, row, saved, shownText, start, still, until, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function tab(t, options = {}) {
  const opened = await open(site, { reducedMotion: 'reduce', ...options });
  t.after(opened.close);
  await drop(opened.page, join(work, 'loom.html'));
  await row(opened.page, 'loom.html');
  await opened.page.locator('.md-row').first().waitFor({ state: 'attached' });
  return opened;
}

/** The words that look so in the text. */
const looking = (page, look) => page.locator(`#text .md-${look}`).allTextContents();

async function scan(page, state) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`), []);
}

/** A picture for those who look at them, where $SEAM_SHOTS says. */
async function picture(page, name) {
  if (!process.env.SEAM_SHOTS) return;
  mkdirSync(process.env.SEAM_SHOTS, { recursive: true });
  await still(page);
  await page.screenshot({ path: join(process.env.SEAM_SHOTS, `${name}.png`) });
}

/** That the text is set as its file has it. */
async function isSet(page) {
  assert.equal(await page.locator('#text [role=heading]').first().textContent(), 'The loom');
  assert.deepEqual((await looking(page, 'bullet')).length, 7);
  assert.deepEqual((await looking(page, 'in2')).length, 2);
  assert.deepEqual(await looking(page, 'number'), ['1. ', '2. ', '3. ']);
  const rows = (await looking(page, 'row')).join('');
  assert.ok(rows.includes('Table loom | 40 | 4') && !rows.includes('Sizes'), rows);
  assert.ok((await looking(page, 'bar')).length >= 8);
  const code = (await looking(page, 'code')).join('');
  assert.ok(code.startsWith('pick & shed') && code.includes('\tlift(pick.shafts) // <b>not bold</b>'), code);
  assert.match((await looking(page, 'quote')).join(' '), /^She beat .+ like that since\.$/);
  assert.ok((await looking(page, 'em')).includes('beating up'));
  assert.ok((await looking(page, 'strong')).includes('even tension'));
}

test('the text is set as the file has it, and is the same text', async (t) => {
  const { page, check } = await tab(t);
  await isSet(page);
  const text = await shownText(page);
  assert.match(text, /Inkle loom \| {2}\| 1\n/);
  assert.match(text, /So is <img src=x onerror="document\.title='alive'"> as it stands\./);
  const family = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).fontFamily);
  assert.match(await family('#text .md-code'), /mono/i);
  assert.match(await family('#text .md-row'), /mono/i);
  await scan(page, 'as a document');
  await picture(page, 'text-light');
  await page.locator('.md-quote').first().scrollIntoViewIfNeeded();
  await picture(page, 'text-light-below');
  check();
});

test('nothing of the file comes to life', async (t) => {
  const { page, check } = await tab(t);
  assert.deepEqual(await page.locator('#text').evaluate((text) => [...new Set([...text.querySelectorAll('.blocks *')].map(({ localName }) => localName))].sort()), ['div', 'span']);
  assert.deepEqual(await page.locator('#text .block *').evaluateAll((all) => all.flatMap(({ attributes }) => [...attributes].map(({ name }) => name)).filter((name) => !['class', 'role', 'aria-level', 'data-reason', 'data-page'].includes(name))), []);
  assert.notEqual(await page.title(), 'alive');
  check(); // and nothing was asked of another host
});

test('chunks that part a table or a listing are listed by themselves', async (t) => {
  const { page, check } = await tab(t);
  await page.locator('#method').selectOption('recursive');
  await page.locator('#max-tokens').fill('12');
  await page.locator('#chunk-kind').selectOption('block');
  const listed = page.locator('#panel-chunks .cards li:visible');
  await until(async () => {
    const cards = await listed.allInnerTexts();
    return cards.length > 0 && cards.every((card) => /loom|cm|pick|lift|shuttle|drawing/i.test(card));
  });
  check();
});

test('it looks the same on the next visit', async (t) => {
  const { page, check } = await tab(t);
  await saved(page, 'loom.html');
  await page.reload();
  await row(page, 'loom.html');
  await page.locator('.md-row').first().waitFor({ state: 'attached' });
  await isSet(page);
  check();
});

test('in the dark, and on a phone', async (t) => {
  const dark = await tab(t, { colorScheme: 'dark' });
  await scan(dark.page, 'dark');
  await picture(dark.page, 'text-dark');
  const phone = await tab(t, { viewport: { width: 360, height: 740 } });
  await phone.page.getByRole('tab', { name: 'Text' }).click();
  await scan(phone.page, 'phone');
  await picture(phone.page, 'text-phone');
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
});
