// The boundaries of the curve as a table: opened by key, equal to the chunks, and with
// links into the text.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { downloaded, drop, dropMade, highlighted, makeFixtures, onScreen, open, restsInView, row, start, still, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function tab(t, options = {}) {
  const opened = await open(site, options);
  t.after(opened.close);
  return opened;
}

/** Opens it by key and returns the text of its rows. */
async function table(page) {
  await page.locator('.curve .caption').getByRole('button', { name: 'Table' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('heading', { name: /^Boundaries/ }).waitFor();
  if (await page.locator('.curve-table tbody').count() > 0) await page.locator('.curve-table tbody[aria-busy=false]').waitFor();
  return page.locator('.curve-table tbody tr').evaluateAll((rows) => rows.map((each) => [...each.children].map((cell) => cell.textContent)));
}

test('each boundary has its sentences, its value and what became of it, and leads into the text', async (t) => {
  const { page, check } = await tab(t);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#max-tokens').fill('60');
  await page.locator('.curve .inner').getByText(/inner/).waitFor();
  const rows = await table(page);
  const { chunks } = await downloadedBehind(page);
  const made = rows.filter(([, , , , , what]) => what !== 'joined for the minimum');
  assert.equal(made.length, chunks.length - 1);
  made.forEach(([, , before, behind, value, what], i) => {
    const [end, start] = [chunks[i].text.replace(/\s+/g, ' ').trim(), chunks[i + 1].text.replace(/\s+/g, ' ').trim()];
    assert.ok(end.endsWith(before) || before.endsWith('…'), `${before} ends ${end}`);
    assert.ok(start.startsWith(behind.replace(/…$/, '').trim()), `${behind} begins ${start}`);
    assert.equal(what === 'cut forced by the maximum', chunks[i].reason === 'max tokens', `${what}: ${chunks[i].reason}`);
    if (/needed for the maximum$/.test(chunks[i].reason)) assert.equal(what, 'cut at an inner boundary, for the maximum');
    assert.match(value, /^[\d.]+$/);
  });
  await accessible(page);
  await page.locator('.curve-table tbody tr').nth(1).getByRole('button').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await restsInView(page, 'seam-passage');
  const [shown] = await highlighted(page, 'seam-passage');
  assert.ok(shown.replace(/\s+/g, ' ').startsWith(rows[1][3].replace(/…$/, '').trim()), `${shown} for ${rows[1][3]}`);
  check();
});

/** Closes the dialog and returns the chunks saved as JSON. */
async function downloadedBehind(page) {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const saved = await downloaded(page);
  await table(page);
  return saved;
}

test('a method without a curve, and a text without a boundary', async (t) => {
  const { page, check } = await tab(t);
  await dropMade(page, { name: 'short.txt', parts: ['One sentence. Another one.'] });
  await row(page, 'short.txt');
  assert.deepEqual(await table(page), []);
  await onScreen(page, 'The text is cut nowhere between two sentences.').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(1).waitFor();
  assert.deepEqual(await table(page), [['1', '–', 'One sentence.', 'Another one.', '–', 'cut made']]);
  check();
});

for (const [locale, about, open, cuts] of [['en-GB', 'Explain: Strength', 'Table', /cuts made · typically/], ['de-DE', 'Erklären: Stärke', 'Tabelle', /Schnitte · meist um/]]) {
  test(`on a phone the curve says what it shows and has its table: ${locale}`, async (t) => {
    const { page, check } = await tab(t, { locale, viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: 'reduce' });
    await drop(page, join(work, 'article.pdf'));
    await page.locator('#panel-chunks .card').first().waitFor({ state: 'attached' });
    const ask = page.getByRole('button', { name: about, exact: true });
    const { width, height } = await ask.boundingBox();
    assert.ok(width >= 44 && height >= 44, `${width} × ${height}`);
    await ask.tap();
    const note = page.locator('#curve-about');
    await note.getByText(cuts).waitFor();
    const { x, y, width: wide, height: high } = await note.boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + wide <= 360 && y + high <= 740, `${x}, ${y}: ${wide} × ${high}`);
    await accessible(page, 'about the curve');
    if (process.env.SEAM_SHOTS) await page.screenshot({ path: join(process.env.SEAM_SHOTS, `curve-about-${locale}.png`) });
    await note.getByRole('button', { name: open }).tap();
    await page.locator('.curve-table tbody[aria-busy=false]').waitFor();
    assert.equal(await note.isVisible(), false);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const region = page.locator('.curve-table .wide');
    assert.ok(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'the table scrolls sideways');
    const heads = await page.getByRole('columnheader').allTextContents();
    const cells = page.locator('.curve-table tbody tr').first().getByRole('cell');
    assert.deepEqual(await cells.evaluateAll((all) => all.map(({ dataset }) => dataset.head)), heads);
    for (const cell of await cells.all()) assert.ok(await cell.isVisible());
    await accessible(page, 'the table of the curve');
    if (process.env.SEAM_SHOTS) await page.screenshot({ path: join(process.env.SEAM_SHOTS, `curve-table-${locale}.png`) });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.ok(await ask.evaluate((each) => each === document.activeElement), 'the focus is where it was');
    check();
  });
}

test('on a phone a method without a curve has its table, too', async (t) => {
  const { page, check } = await tab(t, { viewport: { width: 360, height: 740 } });
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('.to-sheet').click();
  await page.locator('#method').selectOption('sentences');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Explain: Boundaries' }).press('Enter');
  await page.locator('#curve-about').getByRole('button', { name: 'Table' }).press('Enter');
  await page.locator('.curve-table tbody[aria-busy=false]').waitFor();
  await page.locator('.curve-table tbody tr').nth(1).getByRole('button').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await restsInView(page, 'seam-passage');
  check();
});

test('looks', { skip: !process.env.SEAM_SHOTS && 'for pictures: SEAM_SHOTS=DIR' }, async (t) => {
  for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' } })) {
    const { page } = await tab(t, options);
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
    await page.locator('#max-tokens').fill('60');
    await page.locator('.curve .inner').getByText(/inner/).waitFor();
    await table(page);
    await still(page);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `curve-table-${name}.png`) });
  }
});
