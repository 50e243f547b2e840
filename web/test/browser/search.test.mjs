// The search: its messages, its scope, and its hits.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, highlighted, makeFixtures, open, row, start, still, until, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const lathe = 'A lathe turns the work and holds the tool still. The turner presses a chisel against the spinning wood. Shavings fly from the wood.';
const mill = 'The miller takes cloth from the sails. Sails that run away can burn the mill. A chisel dresses the stones of the mill.';

async function ask(page, query) {
  await page.locator('#search').fill(query);
  await page.locator('#search').press('Enter');
}

/** Opens two documents, and searches a word of both. */
async function opened() {
  const tab = await open(site);
  await dropMade(tab.page, { name: 'lathe.txt', parts: [lathe] }, { name: 'mill.txt', parts: [mill] });
  for (const name of ['lathe.txt', 'mill.txt']) await row(tab.page, name);
  return tab;
}

/** Waits for the search status. */
function told(page, words) {
  return page.locator('#panel-search .bar', { hasText: words }).waitFor();
}

test('what no document has is told, and so is what was taken for it', async () => {
  const tab = await opened();
  const { page } = tab;
  await ask(page, 'the chissel of zqxv');
  await told(page, 'No document has “zqxv”.');
  await told(page, '“chissel” is in no document: “chisel” was looked for.');
  assert.equal(await page.locator('.hits li').count(), 2);
  assert.deepEqual(await page.locator('.hits mark').allTextContents(), ['chisel', 'chisel']);
  tab.check();
  await tab.close();
});

test('what a first search needs is made when the search box has the focus', async () => {
  const tab = await opened();
  const { page } = tab;
  const made = () => page.evaluate(() => performance.getEntriesByName('seam:search-prepared').length);
  assert.equal(await made(), 0);
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => performance.getEntriesByName('seam:search-prepared').length > 0);
  assert.equal(await page.locator('.hits li').count(), 0);
  await ask(page, 'chisel');
  await told(page, '2 passages');
  assert.equal(await made(), 1);
  tab.check();
  await tab.close();
});

test('one document can be searched, as long as it is open', async () => {
  const tab = await opened();
  const { page } = tab;
  await ask(page, 'chisel');
  await told(page, '2 passages');
  await page.locator('#search-in').selectOption({ label: 'mill.txt' });
  await told(page, '1 passage for');
  assert.match(await page.locator('.hits li').first().textContent(), /^mill\.txt/);
  await page.getByRole('button', { name: 'Remove mill.txt' }).click();
  await page.locator('.hits li', { hasText: 'lathe.txt' }).waitFor();
  assert.equal(await page.locator('#search-in').isVisible(), false);
  tab.check();
  await tab.close();
});

/** Counts the drawn pixels in the first rows of a canvas. */
const drawn = (page, selector, rows) => page.locator(selector).evaluate((canvas, height) => {
  const copy = new OffscreenCanvas(canvas.width, Math.round(height * devicePixelRatio)).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, copy.canvas.width, copy.canvas.height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}, rows);

test('what is found stands above the curve, headings below it', async () => {
  const tab = await opened();
  const { page } = tab;
  await page.locator('.doc .select', { hasText: 'mill.txt' }).click();
  await until(async () => await drawn(page, '.plot canvas', 5) === 0);
  await ask(page, 'sails burn');
  await until(async () => await drawn(page, '.plot canvas', 5) > 0);
  await ask(page, 'xyzzyx');
  await told(page, 'Nothing found');
  await until(async () => await drawn(page, '.plot canvas', 5) === 0);
  assert.equal(await drawn(page, '.foot', 3), 0, 'a text without headings');
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('.doc .select', { hasText: 'article.pdf' }).click();
  await until(async () => await drawn(page, '.foot', 3) > 0);
  tab.check();
  await tab.close();
});

test('words between quotation marks stand together; the best sentence is marked in the text', async () => {
  const tab = await opened();
  const { page } = tab;
  await ask(page, '“presses a chisel”');
  await told(page, '1 passage for');
  await ask(page, '"chisel a presses"');
  await told(page, 'Nothing found');
  await ask(page, 'sails burn');
  await told(page, 'for “sails burn”.');
  const hit = page.locator('.hits button').first();
  assert.match(await hit.locator('.why').textContent(), /^has sails, burn · /);
  assert.equal(await hit.locator('.numbers').isVisible(), false);
  await hit.click();
  assert.match(await hit.locator('.numbers').textContent(), /^\d\.\d\d = words \d\.\d\d \(sails, burn\) \+ /);
  await page.waitForFunction(() => CSS.highlights.get('seam-sentence').size === 1);
  assert.deepEqual(await highlighted(page, 'seam-sentence'), ['Sails that run away can burn the mill.']);
  tab.check();
  await tab.close();
});

test('where the one document that is searched can be read no more, the others are', async () => {
  const tab = await opened();
  const { page } = tab;
  await ask(page, 'chisel');
  await page.locator('#search-in').selectOption({ label: 'mill.txt' });
  await page.locator('.hits li', { hasText: 'lathe.txt' }).waitFor({ state: 'detached' });
  await dropMade(page, { name: 'mill.txt', parts: [3000] }); // another version, which is not text
  await row(page, 'mill.txt', 'failed');
  await ask(page, 'shavings');
  await page.locator('.hits li', { hasText: 'lathe.txt' }).waitFor();
  tab.check();
  await tab.close();
});

test('keys that choose among the words of an input method leave the box as it is', async () => {
  const tab = await opened();
  const { page } = tab;
  await ask(page, 'chisel');
  await told(page, '2 passages');
  await page.locator('#search').focus();
  // As sent by Chromium on a Mac during composition.
  const composing = (key) => page.locator('#search').evaluate((box, pressed) => box.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, isComposing: true, bubbles: true, cancelable: true })), key);
  for (const key of ['ArrowDown', 'Escape']) assert.equal(await composing(key), true, `${key} is the input method's`);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
  assert.equal(await page.locator('#search').inputValue(), 'chisel');
  await page.keyboard.press('ArrowDown');
  await page.locator('.hits .card:focus').waitFor();
  tab.check();
  await tab.close();
});

test('without a document there is nothing to search, and with the first one the field comes', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.keyboard.press('Control+k');
  assert.ok(!await page.locator('#search').isVisible());
  await dropMade(page, { name: 'mill.txt', parts: [mill] });
  await row(page, 'mill.txt');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('millers');
  await page.keyboard.press('Enter');
  await told(page, 'for “millers”');
  tab.check();
  await tab.close();
});

for (const locale of ['en-GB', 'de-DE']) {
  test(`the choice of documents is whole at every width: ${locale}`, async (t) => {
    const { page, close, check } = await open(site, { locale });
    t.after(close);
    await dropMade(page, { name: 'lathe.txt', parts: [lathe] }, { name: 'mill.txt', parts: [mill] });
    for (const name of ['lathe.txt', 'mill.txt']) await row(page, name);
    await page.locator('#search').fill('chisel');
    await page.locator('.hits .card').first().waitFor();
    const search = page.getByRole('tab', { name: locale === 'de-DE' ? 'Suche' : 'Search' });
    for (const width of [360, 768, 1010, 1279, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await still(page);
      if (await search.getAttribute('aria-selected') !== 'true') await search.click();
      await page.locator('#search-in').waitFor();
      const [has, needs] = await page.locator('#search-in').evaluate((select) => {
        const has = select.clientWidth;
        select.style.cssText = 'field-sizing: content; inline-size: auto; max-inline-size: none';
        const needs = select.clientWidth;
        select.style.cssText = '';
        return [has, needs];
      });
      assert.ok(has >= needs && needs > 40, `${width}: ${has} of ${needs}`);
    }
    check();
  });
}
