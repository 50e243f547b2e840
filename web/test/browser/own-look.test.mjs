// An HTML page or a book in its own look: its parts as nodes, and nothing active.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, onScreen, row, start, until, work } from './harness.mjs';
import { accessible, picture } from './looks.mjs';
import { loomTab } from './loom.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const tab = (t, options) => loomTab(t, site, options);

const choose = (page, choice) => page.getByRole('group', { name: 'Text or page' }).getByRole('button', { name: choice, exact: true }).click();

/** Returns the words of a highlight with static ranges. */
const highlighted = (page, name) => page.evaluate((key) => [...CSS.highlights.get(key)].map(({ startContainer, startOffset, endContainer, endOffset }) => {
  const range = new Range();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range.toString();
}), name);

async function look(t, options) {
  const opened = await tab(t, options);
  await choose(opened.page, 'Page');
  await opened.page.locator('.own-text').waitFor();
  return opened;
}

test('nothing of its own look is asked for before it is to be seen', async (t) => {
  const { page, check } = await tab(t);
  const asked = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\/(look|page)-\w+\.js/.test(name)).length);
  assert.equal(await asked(), 0);
  await choose(page, 'Page');
  await page.locator('.own-text').waitFor();
  assert.ok(await page.evaluate(() => performance.getEntriesByType('resource').every(({ name }) => !/\/(page|drawer)-\w+\.js/.test(name))), 'nothing of pdf.js');
  check();
});

test('its own look has the parts that its file has, and no others', async (t) => {
  const { page, check } = await look(t);
  const shown = page.getByRole('region', { name: 'loom.html, set as its file has it' });
  const all = (selector) => shown.locator(selector).allTextContents();
  assert.deepEqual(await all('h1, h2'), ['The loom', 'What it needs', 'Sizes', 'A draft', 'What must stay a text']);
  assert.deepEqual(await all('.own-text > ul:first-of-type > li > ul > li'), ['of wire, which lasts', 'of cord, which is quiet']);
  assert.deepEqual(await all('ol > li'), ['Wind the warp.', 'Thread the heddles.', 'Tie the warp on.']);
  assert.deepEqual(await shown.locator('table').first().locator('tr').evaluateAll((rows) => rows.map(({ cells }) => [...cells].map((cell) => cell.textContent))),
    [['Loom', 'Width in cm', 'Shafts'], ['Table loom', '40', '4'], ['Floor loom', '120', '8'], ['Inkle loom', '', '1']]);
  assert.deepEqual(await all('th'), ['Loom', 'Width in cm', 'Shafts']);
  assert.deepEqual(await all('pre'), ['for pick := range draft {\n\tlift(pick.shafts) // <b>not bold</b>\n\tthrow(shuttle)\n}']);
  assert.deepEqual(await all('blockquote > p'), ['She beat the weft so close that water ran off the cloth.', 'Nobody has woven like that since.']);
  assert.deepEqual(await all('h1 em, p > em, li em'), ['loom', 'beating up', 'dents']);
  assert.deepEqual(await all('p > code'), ['pick & shed']);
  const names = await page.locator('.own-text *').evaluateAll((nodes) => [...new Set(nodes.map(({ localName }) => localName))].sort());
  assert.deepEqual(names, ['blockquote', 'code', 'em', 'h1', 'h2', 'li', 'ol', 'p', 'pre', 'strong', 'table', 'td', 'th', 'tr', 'ul']);
  assert.deepEqual(await page.locator('.own-text *').evaluateAll((nodes) => nodes.flatMap(({ attributes }) => [...attributes].map(({ name, value }) => `${name} ${value}`))), ['value 1', 'value 2', 'value 3']);
  assert.match(await shown.innerText(), /So is <img src=x onerror="document\.title='alive'"> as it stands\./);
  assert.notEqual(await page.title(), 'alive');
  await accessible(page, 'its own look');
  await picture(page, 'look-light');
  await shown.locator('blockquote').scrollIntoViewIfNeeded();
  await picture(page, 'look-light-below');
  check();
});

test('a press on its own look selects the sentence, and what is found is marked there', async (t) => {
  const { page, check } = await look(t, { viewport: { width: 1440, height: 900 } });
  const cell = page.locator('.own-text').getByText('Floor loom');
  await cell.scrollIntoViewIfNeeded();
  const top = () => page.locator('.own-look').evaluate(({ scrollTop }) => scrollTop);
  const before = await top();
  await cell.click();
  await until(async () => (await highlighted(page, 'look-passage'))[0]?.includes('Floor loom'));
  assert.equal(await top(), before, 'what is in view stays where it is');
  await page.getByRole('textbox', { name: /search/i }).or(page.getByRole('searchbox')).first().fill('who beat the weft');
  await page.getByRole('tab', { name: 'Search' }).click();
  const hit = page.locator('#panel-search .cards li, .hits li').first();
  await hit.waitFor();
  await hit.getByRole('button').first().click();
  await until(async () => (await highlighted(page, 'look-word')).some((word) => /weft/i.test(word)));
  assert.ok((await highlighted(page, 'look-sentence'))[0]);
  await choose(page, 'Text and page');
  await picture(page, 'look-both');
  await accessible(page, 'beside the text');
  check();
});

test('however deep a file goes, its own look does not; of too much it says so', async (t) => {
  const { page, check } = await look(t);
  const deep = '<table><tr><td>a<blockquote><ul><li>b'.repeat(3000);
  await dropMade(page, { name: 'deep.html', parts: [`<p>Start. ${'<b>'.repeat(10_000)}strong.${deep}<p>The end.`] });
  await row(page, 'deep.html');
  await page.getByRole('region', { name: 'deep.html, set as its file has it' }).waitFor();
  await page.locator('.own-text').getByText('The end.').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.own-text table table').count(), 0);
  const deepest = await page.locator('.own-text').evaluate((root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let most = 0;
    while (nodes.nextNode()) {
      let depth = 0;
      for (let node = nodes.currentNode; node !== root; node = node.parentNode) depth++;
      most = Math.max(most, depth);
    }
    return most;
  });
  assert.ok(deepest <= 70, `${deepest} nodes in each other`);
  await dropMade(page, { name: 'many.html', parts: [`<p>Start.</p>${'<ul><li>a</ul>'.repeat(100_000)}`] });
  await row(page, 'many.html');
  await onScreen(page, 'This text is too long to be set as one page').waitFor();
  assert.equal(await page.locator('.own-text').count(), 0);
  check();
});

test('its own look follows the line, and gives way to a PDF and to a text', async (t) => {
  const { page, check } = await look(t);
  const colours = () => page.evaluate(() => [...CSS.highlights].filter(([name]) => /^look-\d/.test(name)).reduce((sum, [, ranges]) => sum + ranges.size, 0));
  assert.equal(await colours(), 1);
  await page.locator('#method').selectOption('sections');
  await until(async () => await colours() > 1);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('.sheet[data-state=drawn]').first().waitFor();
  assert.equal(await page.locator('.own-look').isVisible(), false);
  await drop(page, join(work, 'unicode.txt'));
  await row(page, 'unicode.txt');
  await page.locator('.page-switch').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.own-look').isVisible(), false);
  await page.locator('.doc', { hasText: 'loom.html' }).getByRole('button').first().click();
  await page.locator('.own-text').waitFor();
  check();
});

test('its own look, in the dark and on a phone', async (t) => {
  const dark = await look(t, { colorScheme: 'dark' });
  await accessible(dark.page, 'its own look, dark');
  await picture(dark.page, 'look-dark');
  const phone = await tab(t, { viewport: { width: 360, height: 740 } });
  await phone.page.getByRole('tab', { name: 'Text' }).click();
  await choose(phone.page, 'Page');
  await phone.page.locator('.own-text').waitFor();
  await accessible(phone.page, 'its own look, phone');
  await picture(phone.page, 'look-phone');
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
});
