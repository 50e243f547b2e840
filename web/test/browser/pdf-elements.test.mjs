// A PDF with its formatting: lists and tables, detected without tags.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { downloaded, drop, makeFixtures, open, row, saved, shownText, start, until, work } from './harness.mjs';
import { accessible, picture } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function report(t, options = {}) {
  const opened = await open(site, { reducedMotion: 'reduce', ...options });
  t.after(opened.close);
  await drop(opened.page, join(work, 'report.pdf'));
  await row(opened.page, 'report.pdf');
  await opened.page.locator('.table').waitFor();
  return opened;
}

const looking = (page, look) => page.locator(`#text .md-${look}`).allTextContents();
const rows = (page) => page.locator('.table .row').evaluateAll((all) => all.map((each) => [...each.querySelectorAll('.cell')].map((cell) => cell.innerText.trim())));
/** Returns the left edge of the words in a cell. */
const left = (page, words) => page.locator('.cell', { hasText: words }).evaluate((cell) => Math.round(cell.getBoundingClientRect().left));

/**
 * Asserts that the lines of an item are aligned with its first word, and that nested items
 * are indented.
 */
async function hangs(page) {
  const places = await page.locator('#text .item').evaluateAll((all) => all.map((item) => {
    const words = new Range();
    const mark = item.querySelector('.md-bullet, .md-number');
    words.setStartAfter(mark);
    words.setEndAfter(item.querySelector('.s').lastChild);
    const lines = [...words.getClientRects()].filter(({ width }) => width > 8); // not the blank at the end of a line
    return { text: item.textContent, mark: mark.getBoundingClientRect().left, lefts: lines.map(({ left }) => Math.round(left)) };
  }));
  assert.deepEqual(places.map(({ text }) => text.slice(0, 8)), ['• The wh', '– by the', '– by a b', '• The st', '1. the r', '2. the b']);
  const [wheel, gate, , stones, runner] = places;
  assert.ok(wheel.lefts.length > 1 && new Set(wheel.lefts).size === 1, `lines of an item begin at ${wheel.lefts}`);
  assert.ok(wheel.mark < wheel.lefts[0] && wheel.mark === stones.mark && gate.mark > wheel.mark + 10 && gate.mark === runner.mark, JSON.stringify(places));
}

const TABLE = [['Mill', '1800', '1820', '1840', 'Owner'], ['Upper Mill', '12', '', '9', 'Miller'], ['Those that had no water in August, as the town counted them'],
  ['Stone Mill', '', '60', '', 'Weaver'], ['Long Mill', '14', '180']];

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`lists are set in, and figures stand below their heads: ${name}`, async (t) => {
    const { page, check } = await report(t, options);
    assert.deepEqual(await looking(page, 'bullet'), ['• ', '• ']);
    assert.deepEqual(await looking(page, 'number'), ['– ', '– ', '1. ', '2. ']);
    await hangs(page);
    assert.deepEqual(await rows(page), TABLE);
    assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), TABLE[0]);
    for (const [column, cells] of [['1800', ['12', '14']], ['1820', ['60', '180']], ['1840', ['9']], ['Owner', ['Miller', 'Weaver']]]) {
      for (const cell of cells) assert.equal(await left(page, new RegExp(`^${cell}$`)), await left(page, column), `${cell} below ${column}`);
    }
    const wide = await page.locator('.cell', { hasText: 'Those that had' }).evaluate((cell) => cell.getBoundingClientRect().width / cell.closest('.table').getBoundingClientRect().width);
    assert.ok(wide > 0.8, `a line across has ${wide} of the width`);
    await page.locator('.table').scrollIntoViewIfNeeded();
    await accessible(page, name);
    await picture(page, `pdf-table-${name.replace(/\W/g, '-')}`);
    check();
  });
}

test('the text is that of the document, tabs and all, on the next visit, too', async (t) => {
  const { page, check } = await report(t);
  const words = 'Upper Mill\t12\t\t9\tMiller\n';
  assert.ok((await shownText(page)).includes(words));
  const { chunks } = await downloaded(page);
  assert.ok(chunks.some(({ text }) => text.includes(words.trim())), 'in the chunks');
  await saved(page, 'report.pdf');
  await page.reload();
  await row(page, 'report.pdf');
  await page.locator('.table').waitFor();
  assert.deepEqual(await rows(page), TABLE);
  check();
});

test('a chunk that begins in the table has its line across the row, and is listed as parting it', async (t) => {
  const { page, check } = await report(t);
  await page.locator('#method').selectOption('sentences');
  await until(async () => await page.locator('.table .row.cut').count() > 1);
  const cut = page.locator('.table .row.cut').last();
  const [line, words] = await cut.evaluate((element) => {
    const cell = element.querySelector('.cell').getBoundingClientRect();
    return [cell.top - element.getBoundingClientRect().top, cell.height];
  });
  assert.ok(line > 10, `the line is ${line} above words of ${words}`);
  await page.locator('#chunk-kind').selectOption('block');
  await until(async () => await page.locator('#panel-chunks .card:visible').count() > 0);
  check();
});

test('a chunk that begins with an item leaves its mark before its words', async (t) => {
  const { page, check } = await report(t);
  await page.locator('#method').selectOption('sentences');
  await page.locator('#text .item .s.cut').first().waitFor();
  await hangs(page);
  const [line, text] = await page.evaluate(() => {
    const cut = document.querySelector('.item .s.cut');
    return [getComputedStyle(cut, '::before').marginLeft, cut.closest('.item').style.getPropertyValue('--depth')];
  });
  assert.equal(line, `${-22 * text}px`, 'the line across goes on over the margin');
  check();
});

test('the line above the text counts the pages of the file, not their parts', async (t) => {
  const { page, check } = await report(t);
  await page.locator('#text').evaluate((element) => { element.scrollTop = element.scrollHeight; });
  await page.locator('.reading-place', { hasText: /^p\. 2 of 2/ }).waitFor();
  check();
});
