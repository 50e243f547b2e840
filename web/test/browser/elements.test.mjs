// An HTML page or a book with its formatting: lists, tables, code, quotes and emphasis from
// its file.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, onScreen, open, row, saveAs, saved, shownText, start, until, work } from './harness.mjs';
import { accessible, picture } from './looks.mjs';
import { loomTab } from './loom.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const tab = (t, options) => loomTab(t, site, options);

/** Returns the words with a look. */
const looking = (page, look) => page.locator(`#text .md-${look}`).allTextContents();

/** Asserts that the text has the formatting of its file. */
async function isSet(page, bullets = 7) {
  assert.equal(await page.locator('#text [role=heading]').first().textContent(), 'The loom');
  assert.deepEqual((await looking(page, 'bullet')).length, bullets);
  assert.equal(await page.locator('#text .item').evaluateAll((all) => all.filter((each) => each.style.getPropertyValue('--depth') === '2').length), 2);
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
  assert.doesNotMatch(await family('#text .md-row'), /mono/i);
  await accessible(page, 'as a document');
  await picture(page, 'text-light');
  await page.locator('.md-quote').first().scrollIntoViewIfNeeded();
  await picture(page, 'text-light-below');
  check();
});

test('nothing of the file comes to life', async (t) => {
  const { page, check } = await tab(t);
  assert.deepEqual(await page.locator('#text').evaluate((text) => [...new Set([...text.querySelectorAll('.blocks *')].map(({ localName }) => localName))].sort()), ['div', 'span']);
  const ours = ['class', 'role', 'aria-level', 'data-reason', 'data-page', 'style --columns: repeat(3, auto) 1fr;', 'style --columns: repeat(2, auto) 1fr;'];
  assert.deepEqual(await page.locator('#text .block *').evaluateAll((all) => all.flatMap(({ attributes }) => [...attributes].map(({ name, value }) => (name === 'style' ? `${name} ${value}` : name))))
    .then((names) => names.filter((name) => !ours.includes(name) && !/^style (grid-column: \d+ \/ (span \d+|-1)|--depth: \d);$/.test(name))), []);
  assert.notEqual(await page.title(), 'alive');
  check(); // no request to another host
});

test('chunks that part a table or a listing are listed by themselves', async (t) => {
  const { page, check } = await tab(t);
  await page.locator('#method').selectOption('recursive');
  await page.locator('#max-tokens').fill('12');
  await page.locator('#chunk-kind').selectOption('block');
  const listed = page.locator('#panel-chunks .cards li:visible');
  await until(async () => {
    const cards = await listed.allTextContents();
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

test('it looks the same out of a bundle', async (t) => {
  const { page, check } = await tab(t);
  const [download] = await Promise.all([page.waitForEvent('download'), saveAs(page, 'bundle')]);
  const path = join(work, 'bundles', 'loom.seam');
  await download.saveAs(path);
  const other = await open(site);
  t.after(other.close);
  await drop(other.page, path);
  await row(other.page, 'loom.html');
  await other.page.locator('.md-row').first().waitFor({ state: 'attached' });
  await isSet(other.page);
  await other.page.getByRole('button', { name: 'Page', exact: true }).click();
  await other.page.locator('.own-text table').first().waitFor();
  other.check();
  check();
});

test('in the dark, and on a phone', async (t) => {
  const dark = await tab(t, { colorScheme: 'dark' });
  await accessible(dark.page, 'dark');
  await picture(dark.page, 'text-dark');
  const phone = await tab(t, { viewport: { width: 360, height: 740 } });
  await phone.page.getByRole('tab', { name: 'Text' }).click();
  await accessible(phone.page, 'phone');
  await picture(phone.page, 'text-phone');
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
});

// ---- tables

const looms = `# Looms

Three kinds, by what they weigh. All are of beech.

| Loom | Width in cm | What it is good for |
|:-----|------------:|---------------------|
| Table loom | 40 | Samples and scarves. It stands on a table, and is put away behind a door. |
| Floor loom | 120 | Cloth by the metre, with \`treadles\` that do not creak. |
| Inkle loom |  | **Bands** and belts. |

What follows the table is a sentence.

| ${'Dampfschifffahrtsgesellschaft | '.repeat(4)}
|${'---|'.repeat(4)}
| ${'one | '.repeat(4)}

The end.
`;

async function withLooms(t, options = {}) {
  const opened = await open(site, { reducedMotion: 'reduce', ...options });
  t.after(opened.close);
  await dropMade(opened.page, { name: 'looms.md', parts: [looms] });
  await row(opened.page, 'looms.md');
  if (options.viewport) await opened.page.getByRole('tab', { name: 'Text' }).click();
  await opened.page.locator('.table').first().waitFor();
  return opened;
}

/** Returns the left edges of the cells of a table's rows. */
const edges = (table) => table.locator('.row').evaluateAll((rows) => rows.map((each) => [...each.querySelectorAll('.cell')].map((cell) => Math.round(cell.getBoundingClientRect().left))));

/** Asserts that each row has this many cells, aligned with the first row's. */
async function standsInColumns(table, columns) {
  const [head, ...rows] = await edges(table);
  assert.equal(new Set(head).size, columns, String(head));
  for (const cells of rows) assert.deepEqual(cells, head);
}

for (const [name, options] of Object.entries({ 'a wide page': {}, 'a phone': { viewport: { width: 360, height: 740 } } })) {
  test(`the rows of a table stand in columns: ${name}`, async (t) => {
    const { page, check } = await withLooms(t, options);
    assert.equal(await shownText(page), looms, 'the text is that of the document');
    const [first, wide] = [page.getByRole('table').first(), page.getByRole('table').last()];
    await standsInColumns(first, 3);
    await standsInColumns(wide, 4);
    assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), ['Loom', 'Width in cm', 'What it is good for', ...Array(4).fill('Dampfschifffahrtsgesellschaft')]);
    assert.deepEqual((await first.getByRole('row').last().getByRole('cell').allInnerTexts()), ['Inkle loom', '', 'Bands and belts.']);
    const fits = (table) => table.evaluate(({ scrollWidth, clientWidth, tabIndex }) => [scrollWidth <= clientWidth, tabIndex]);
    await until(async () => (await fits(wide))[1] === 0);
    assert.deepEqual(await fits(wide), [false, 0], 'the wide one is moved by itself, by keys, too');
    assert.equal(await page.locator('#text').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), true, 'the text is not');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    await wide.focus();
    await page.keyboard.press('ArrowRight');
    await until(() => wide.evaluate(({ scrollLeft }) => scrollLeft > 0));
    await accessible(page, `tables, ${name}`);
    await first.scrollIntoViewIfNeeded();
    await picture(page, `table-${name.replace(/\W/g, '-')}`);
    check();
  });
}

test('a table of HTML stands in columns, with a cell without words in its own', async (t) => {
  const { page, check } = await tab(t);
  const table = page.getByRole('table').first();
  await standsInColumns(table, 3);
  assert.deepEqual(await table.getByRole('row').last().getByRole('cell').allInnerTexts(), ['Inkle loom', '', '1']);
  check();
});

test('what is copied of a table is the text of the document', async (t) => {
  const { page, check } = await withLooms(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.evaluate(() => {
    const words = (start) => {
      const all = document.createTreeWalker(document.querySelector('.blocks'), NodeFilter.SHOW_TEXT);
      while (all.nextNode()) if (all.currentNode.data.startsWith(start)) return all.currentNode;
      return null;
    };
    getSelection().setBaseAndExtent(words('All are'), 4, words('Inkle'), 5);
  });
  await page.keyboard.press('ControlOrMeta+c');
  const from = looms.indexOf('are of beech');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), looms.slice(from, looms.indexOf('Inkle') + 5));
  check();
});

test('a chunk that begins in a table has its line across the row', async (t) => {
  const { page, check } = await withLooms(t);
  await page.locator('#method').selectOption('recursive');
  await page.locator('#max-tokens').fill('40');
  const table = page.getByRole('table').first();
  await until(async () => await table.locator('.row.cut').count() > 1);
  assert.equal(await shownText(page), looms);
  const cut = table.locator('.row.cut', { hasText: 'Floor loom' });
  assert.equal(await cut.count(), 1);
  const line = await cut.evaluate((element) => {
    const { content, inlineSize, borderBlockStartWidth } = getComputedStyle(element, '::before');
    return { content, border: parseFloat(borderBlockStartWidth), wide: parseFloat(inlineSize) > 0.98 * element.clientWidth };
  });
  assert.deepEqual(line, { content: `"${await cut.getAttribute('data-reason')}"`, border: 2, wide: true });
  assert.equal(await page.locator('.cut').count(), await page.locator('#panel-chunks .cards li').count() - 1);
  // Each row must have the colour of its chunk.
  const chunks = await page.evaluate(() => [...CSS.highlights].filter(([key]) => /^seam-\d/.test(key)).flatMap(([, ranges]) => [...ranges].map(({ startContainer, startOffset, endContainer, endOffset }) => {
    const range = new Range();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return range.toString();
  })));
  assert.ok(chunks.some((chunk) => /^\| Floor loom \| 120 \|/.test(chunk)), chunks.join('\n--\n'));
  await standsInColumns(table, 3);
  await accessible(page, 'cut in a table');
  await picture(page, 'table-cut');
  await table.getByText('Cloth by the metre', { exact: false }).click();
  await page.getByRole('button', { name: 'Merge' }).first().waitFor(); // its sentence begins the row
  check();
});

test('the columns of a long table are as wide in each of its blocks', async (t) => {
  const opened = await open(site, { reducedMotion: 'reduce' });
  t.after(opened.close);
  const { page, check } = opened;
  const rows = Array.from({ length: 1500 }, (_, i) => `| ${i} | The thread of number ${i} is ${'long '.repeat(i % 9)}enough. | ${i % 7 ? '' : 'yes'} |`).join('\n');
  await dropMade(page, { name: 'threads.md', parts: [`| Number | What it is | Dyed |\n|---|---|---|\n${rows}\n\nThe end.\n`] });
  await row(page, 'threads.md');
  await page.locator('#text').evaluate((text) => { text.scrollTop = text.scrollHeight; });
  await page.locator('.table').nth(1).waitFor({ state: 'attached' });
  await until(async () => await page.locator('.table').count() > 2);
  const all = (await Promise.all((await page.locator('.table').all()).map(edges))).flat().filter((cells) => cells.length === 3);
  assert.ok(all.length > 200, `${all.length} rows`);
  assert.equal(new Set(all.map(String)).size, 1);
  check();
});

test('a book is its pages in their order, set as documents, with its own look', async (t) => {
  const opened = await open(site, { reducedMotion: 'reduce' });
  t.after(opened.close);
  const { page } = opened;
  await drop(page, join(work, 'loom.epub'));
  await row(page, 'loom.epub');
  await page.locator('.md-row').first().waitFor({ state: 'attached' });
  const text = await shownText(page);
  assert.ok(text.startsWith('The loom') && text.includes('Dyes') && text.indexOf('Dyes') > text.indexOf('The last paragraph.'), text.slice(0, 80));
  await isSet(page, 9); // two more items on the second page
  await page.locator('#text .md-link', { hasText: 'Woad' }).click();
  await page.locator('.split-here').getByRole('button', { name: 'Go to The loom' }).click();
  await page.locator('.split-here').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.locator('.own-text h1').nth(1).waitFor();
  assert.deepEqual(await page.locator('.own-text h1').allTextContents(), ['The loom', 'Dyes']);
  await page.getByRole('searchbox').fill('Which plant gives a blue?');
  await page.keyboard.press('Enter');
  await page.locator('#panel-search .card').filter({ hasText: 'Woad gives a blue' }).first().waitFor();
  opened.check();
});

test('a book that its shop has locked is told, and opens nothing', async (t) => {
  const opened = await open(site);
  t.after(opened.close);
  const { page } = opened;
  await drop(page, join(work, 'shut.epub'));
  await onScreen(page, 'its shop has locked it (DRM)').first().waitFor();
  assert.equal(await page.locator('.doc[data-state=ready]').count(), 0);
  opened.check();
});
