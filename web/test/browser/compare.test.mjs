// Compared methods: their results, their differences, and that only "Use" changes the
// document's chunks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { counts, drop, makeFixtures, open, RAIL, row, saved, start, until, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onPage(name, body, options) {
  test(name, async () => {
    const tab = await open(site, { ...RAIL, ...options });
    await drop(tab.page, join(work, 'article.pdf'));
    await row(tab.page, 'article.pdf');
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

/** Returns the result of a method, or its message. */
const made = async (page, n) => (await page.locator('.compared .made').nth(n).innerText()).replaceAll('\u00a0', ' ');
/** Waits for the sizes of a method, different from `before`. */
async function sizes(page, n, before = '') {
  await until(async () => /\d chunk/.test(await made(page, n)) && await made(page, n) !== before);
  return made(page, n);
}
const compare = (page) => page.getByRole('tab', { name: 'Compare' }).click();
const method = (page, letter) => page.getByLabel(`Method ${letter}`, { exact: true });

onPage('two methods side by side: sizes, agreement, and places that lead into the text', async (page) => {
  const before = await counts(page, 'article.pdf');
  // Checked from the start: an undrawn picture must not exist without a name.
  await page.evaluate(() => {
    globalThis.nameless = 0;
    new MutationObserver(() => { globalThis.nameless += document.querySelectorAll('[role=img]:not([aria-label])').length; }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await compare(page);
  assert.match(await sizes(page, 0), new RegExp(`^${before.chunks} chunks? · [\\d,]+ to [\\d,]+ tokens, median`));
  const second = await sizes(page, 1);
  for (const [n, of] of (await Promise.all([0, 1].map((n) => made(page, n)))).entries()) {
    // The lengths as bars on one scale.
    const bars = await page.locator('.compared .lengths').nth(n).locator('i').evaluateAll((all) => all.map((bar) => bar.offsetHeight));
    assert.ok(bars.length > 4 && Math.max(...bars) > 15, `${of}: ${bars}`);
  }
  assert.equal(await page.locator('.compared .lengths').nth(0).locator('i').count(), await page.locator('.compared .lengths').nth(1).locator('i').count());
  await page.locator('.compare .sum').filter({ hasText: /^\d+\scuts?: /u }).waitFor();
  const numbers = (await page.locator('.compare .sum').innerText()).match(/\d+/g).map(Number);
  assert.equal(numbers[0], numbers.slice(1).reduce((a, b) => a + b, 0), 'the parts are all of it');
  // The similarity of sentences inside chunks and between them. A single chunk has no next
  // one, so it has no second value.
  const alike = page.locator('.compared .alike');
  await until(async () => (await alike.allInnerTexts()).filter((each) => /^similarity -?[\d.]+ inside, -?[\d.]+ to the next$/.test(each)).length === 2);
  const [inside, between] = (await alike.first().innerText()).match(/-?\d\.\d+/g).map(Number);
  assert.ok(inside > between, `${inside} inside, ${between} to the next`);
  const differences = page.locator('.difference');
  await differences.first().waitFor();
  assert.equal(await page.evaluate(() => globalThis.nameless), 0, 'pictures without a name');
  assert.ok(await differences.count() <= numbers[0]);
  const last = differences.last();
  const words = /“(.{12})/.exec(await last.innerText())[1];
  await last.click();
  await page.waitForFunction((wanted) => [...CSS.highlights.get('seam-passage') ?? []].some((range) => range.toString().replace(/\s+/g, ' ').includes(wanted)), words);
  assert.deepEqual(await counts(page, 'article.pdf'), before, 'the document is cut as it was');
  await method(page, 'B').selectOption('page');
  await sizes(page, 1, second);
  assert.deepEqual(await counts(page, 'article.pdf'), before);
});

onPage('others are added and left out; one is used, and what was used is compared with it; the choice is remembered', async (page) => {
  await compare(page);
  const own = await sizes(page, 0);
  const second = await sizes(page, 1);
  await page.getByRole('button', { name: 'Another method' }).click();
  await sizes(page, 2);
  await page.getByRole('button', { name: 'Another method' }).click();
  await sizes(page, 3);
  assert.equal(await page.getByRole('button', { name: 'Another method' }).isVisible(), false, 'four are the most');
  assert.match(await page.locator('.ribbons canvas').getAttribute('aria-label'), /cut by .+, by .+, by .+, by /);
  await page.getByRole('button', { name: 'Leave out method B' }).click();
  await until(async () => await page.locator('.compared li').count() === 3);
  await page.getByRole('button', { name: 'Leave out method B' }).click();
  await until(async () => await page.locator('.compared li').count() === 2);
  await page.getByRole('button', { name: 'Leave out method B' }).click();
  await until(async () => await page.locator('.compared li').count() === 1);
  await page.getByRole('button', { name: 'Another method' }).click();
  assert.equal(await sizes(page, 1), second, 'the same method makes the same again');
  await page.getByRole('button', { name: 'Use method B' }).click();
  await until(async () => await made(page, 0) === second && await made(page, 1) === own);
  await until(async () => `${(await counts(page, 'article.pdf')).chunks}` === /^\d+/.exec(second)[0]);
  const chosen = await method(page, 'B').inputValue();
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await compare(page);
  await sizes(page, 1);
  assert.equal(await method(page, 'B').inputValue(), chosen);
});

onPage('the number of a method; a line that moves is followed', async (page) => {
  await compare(page);
  await method(page, 'B').selectOption('percentile');
  const coarse = await sizes(page, 1);
  await page.getByLabel('Percentile of distances of B').fill('50');
  await page.keyboard.press('Tab');
  assert.ok(Number(/^\d+/.exec(await sizes(page, 1, coarse))[0]) > Number(/^\d+/.exec(coarse)[0]), 'a lower percentile cuts more');
  const own = await made(page, 0);
  await page.locator('#threshold').focus();
  await page.keyboard.press('Home');
  await sizes(page, 0, own);
});

onPage('a size and embeddings of its own: what it makes of them, what Use takes over, and that they are remembered', async (page) => {
  await compare(page);
  const before = await sizes(page, 1);
  const own = await made(page, 0);
  const maximum = page.getByLabel(/^Method B: Up to tokens/);
  await maximum.fill('40');
  await page.keyboard.press('Tab');
  const short = await sizes(page, 1, before);
  assert.ok(Number(/to ([\d,]+) tokens/.exec(short)[1]) <= 40, short);
  await maximum.fill('-5');
  await page.keyboard.press('Tab');
  await until(async () => /-5/.test(await made(page, 1)));
  assert.equal(await maximum.getAttribute('aria-invalid'), 'true');
  await maximum.fill('40');
  await page.keyboard.press('Tab');
  await until(async () => await maximum.getAttribute('aria-invalid') === null && /chunk/.test(await made(page, 1)));
  await page.getByLabel(/^Method B: Overlap/).fill('41');
  await page.keyboard.press('Tab');
  await until(async () => /overlap/i.test(await made(page, 1))); // the error replaces the result
  await page.getByLabel(/^Method B: Overlap/).fill('10');
  await page.keyboard.press('Tab');
  const lapped = await sizes(page, 1, short);
  await method(page, 'B').selectOption('percentile');
  await sizes(page, 1, lapped);
  await page.getByLabel('Embeddings of B').selectOption('lexical');
  await maximum.fill('120');
  await page.keyboard.press('Tab');
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await compare(page);
  const again = await sizes(page, 1);
  assert.equal(await maximum.inputValue(), '120');
  assert.equal(await page.getByLabel('Embeddings of B').inputValue(), 'lexical');
  await page.getByRole('button', { name: 'Use method B' }).click();
  await until(async () => await made(page, 0) === again);
  await until(async () => await made(page, 1) === own);
  assert.deepEqual([await page.locator('#max-tokens').inputValue(), await page.locator('#embedder').inputValue()], ['120', 'lexical']);
  assert.deepEqual([await maximum.inputValue(), await method(page, 'B').inputValue()], ['0', 'semantic'], 'what was in use keeps what it had');
});

onPage('on a phone it is a tab of its own, and fits', async (page) => {
  await compare(page);
  await sizes(page, 1);
  const { wide, over } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth - innerWidth, over: [...document.querySelectorAll('.compare *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length }));
  assert.deepEqual({ wide, over }, { wide: 0, over: 0 });
  await page.locator('.difference').first().click();
  await page.locator('#text').waitFor();
}, { viewport: { width: 360, height: 740 } });
