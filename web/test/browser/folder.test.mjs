// The list of all documents: rows in view only, one tab stop, filters, and actions for many.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { contextOf, drop, dropMade, makeFixtures, onScreen, open, painted, row, start, until, work } from './harness.mjs';
import { accessible, picture } from './looks.mjs';

const PROSE = 'The mill stands by the water. Its wheel turns slowly in summer. Bees dance to show where the flowers are. ';
const archive = join(work, 'Archive');

let site;
before(async () => {
  makeFixtures();
  for (const [folder, n] of [['Contracts', 30], ['Minutes', 20]]) {
    mkdirSync(join(archive, folder), { recursive: true });
    for (let i = 1; i <= n; i++) writeFileSync(join(archive, folder, `${folder} ${i}.md`), `# ${folder} ${i}\n\n${PROSE.repeat(1 + i % 4)} Number ${i}.`);
  }
  copyFileSync(join(work, 'locked.pdf'), join(archive, 'Contracts', 'Insurance.pdf'));
  copyFileSync(join(work, 'picture.pdf'), join(archive, 'Contracts', 'Deed.pdf'));
  for (const name of ['budget.xlsx', 'thing.bin', '.hidden']) writeFileSync(join(archive, name), 'x');
  site = await start();
});
after(() => site?.close());

const ready = (page, n) => until(async () => await page.locator('.doc[data-state=ready]').count() === n);

/** Opens the folder and the list of all documents. */
async function listed(options) {
  const tab = await open(site, options);
  const { page } = tab;
  await page.locator('#folder-picker').setInputFiles(archive);
  await ready(page, 50);
  if (await page.locator('.to-sheet').isVisible()) await page.locator('.to-sheet').click();
  await page.getByRole('button', { name: /^All 52.documents$/ }).click();
  await line(page, 'Contracts 1.md').waitFor();
  return tab;
}

/** The row of a document or folder. */
const line = (page, name) => page.locator('.space .frow', { has: page.locator('.name').getByText(name, { exact: true }) });
const focused = (page) => page.evaluate(() => document.activeElement.querySelector('.name')?.textContent);
const chosen = (page) => page.locator('.folder-bar b').innerText();

test('a folder by name, state and reason: filters, folds, sorts', async () => {
  const { page, check, close } = await listed();
  await onScreen(page, '50 ready, 2 need you.').waitFor();
  await page.locator('.folder-side').getByText('Deed.pdf').waitFor();
  await page.locator('.folder-side').getByText('Left out: 3').waitFor();
  assert.match(await page.locator('.folder-side li', { hasText: 'budget.xlsx' }).innerText(), /an Excel workbook, which Seam does not read/);
  assert.match(await page.locator('.folder-side li', { hasText: 'thing.bin' }).innerText(), /does not read files of this kind/);
  const grid = page.getByRole('treegrid');
  assert.equal(await grid.getAttribute('aria-rowcount'), '55', '52 documents, 2 folders, and the head');
  await page.getByRole('button', { name: 'Need you 2' }).click();
  await until(async () => (await grid.getAttribute('aria-rowcount')) === '4');
  await page.getByRole('button', { name: 'All 52', exact: true }).click();
  await page.getByLabel('Filter by name').fill('minutes 1');
  await line(page, 'Contracts 1.md').waitFor({ state: 'detached' });
  assert.equal(await grid.getAttribute('aria-rowcount'), '13', 'Minutes 1 and 10 to 19, their folder, and the head');
  await page.getByLabel('Filter by name').fill('');
  await line(page, 'Archive/Contracts').click();
  await line(page, 'Contracts 1.md').waitFor({ state: 'detached' });
  await until(async () => (await line(page, 'Archive/Contracts').getAttribute('aria-expanded')) === 'false');
  await line(page, 'Archive/Contracts').click();
  await page.getByLabel('Sort by').selectOption('state');
  const firstThree = () => page.locator('.space .frow .name').evaluateAll((all) => all.slice(0, 3).map(({ textContent }) => textContent).join());
  await until(async () => (await firstThree()) === 'Archive/Contracts,Deed.pdf,Insurance.pdf');
  check();
  await close();
});

test('one tab stop; the arrow keys move, Space and Shift choose, Delete removes, Undo brings back', async () => {
  const { page, check, close } = await listed();
  assert.equal(await page.locator('.folder-grid [tabindex="0"]').count(), 1);
  assert.equal(await focused(page), 'Archive/Contracts');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(page), 'Contracts 1.md');
  await page.keyboard.press('End');
  assert.equal(await focused(page), 'Minutes 20.md');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await until(async () => (await line(page, 'Archive/Contracts').getAttribute('aria-expanded')) === 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('PageDown');
  assert.notEqual(await focused(page), 'Archive/Contracts');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  assert.equal(await chosen(page), '3 chosen');
  assert.equal(await page.locator('.frow[aria-selected=true]').count(), 3);
  assert.equal(await line(page, 'Archive/Contracts').locator('input').evaluate((box) => box.indeterminate), true);
  await page.keyboard.press('Delete');
  await onScreen(page, '49 documents').first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'row', 'the focus stays in the list');
  await page.getByRole('button', { name: 'Undo' }).click();
  await onScreen(page, '52 documents').first().waitFor();
  await page.locator('.space [role=row][tabindex="0"]').focus();
  await page.keyboard.press('Control+a');
  assert.equal(await chosen(page), '52 chosen');
  await page.keyboard.press('Escape');
  await page.locator('.all-documents').waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => document.activeElement.className), 'link all');
  check();
  await close();
});

test('a locked document is opened in its row, and a document from its row', async () => {
  const { page, check, close } = await listed();
  await page.locator('.folder-side').getByText('Insurance.pdf').click();
  assert.equal(await focused(page), 'Insurance.pdf', 'its row comes into view');
  await page.keyboard.press('Enter');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await line(page, 'Insurance.pdf').getByText('that password does not open it').waitFor();
  await page.keyboard.type('seam');
  await page.keyboard.press('Enter');
  await line(page, 'Insurance.pdf').getByText('ready').waitFor();
  assert.equal(await focused(page), 'Insurance.pdf', 'the focus goes back to the row');
  await line(page, 'Minutes 3.md').locator('.name').click();
  await page.locator('.all-documents').waitFor({ state: 'hidden' });
  await page.locator('.doc [aria-current]', { hasText: 'Minutes 3.md' }).waitFor();
  check();
  await close();
});

test('the chosen are searched alone, and their chunks saved as one file', async () => {
  const { page, check, close } = await listed();
  await page.getByLabel('Filter by name').fill('minutes');
  await line(page, 'Minutes 1.md').locator('input').click();
  await line(page, 'Minutes 4.md').locator('input').click({ modifiers: ['Shift'] });
  assert.equal(await chosen(page), '4 chosen');
  for (const [format, lines] of [['JSON Lines (JSONL)', 4], ['CSV for programs', 5]]) {
    await page.getByRole('button', { name: 'Save chunks' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()]);
    const text = readFileSync(await download.path(), 'utf8');
    assert.match(download.suggestedFilename(), /^4 documents\.chunks\./);
    assert.equal(text.trim().split(/\r?\n/).length >= lines, true);
    for (const n of [1, 2, 3, 4]) assert.match(text, new RegExp(`Archive/Minutes/Minutes ${n}\\.md`));
    if (format.startsWith('CSV')) assert.equal(text.match(/^file,/gm)?.length, 1, 'one head');
    await onScreen(page, /Saved the chunks of 4.documents\./).first().waitFor();
  }
  await page.getByRole('button', { name: 'Search in these' }).click();
  await page.locator('#search').fill('bees dance');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await onScreen(page, 'Searched: only the 4 chosen documents.').first().waitFor();
  assert.equal(await page.locator('#search-in').evaluate(({ selectedOptions }) => selectedOptions[0].text.replaceAll('\u00a0', ' ')), '4 chosen documents');
  for (const name of await page.locator('.hits button').allInnerTexts()) assert.match(name, /Minutes [1-4]\.md/);
  await page.locator('#search-in').selectOption('');
  await page.locator('.hits button', { hasText: 'Contracts' }).first().waitFor();
  assert.equal(await page.getByText('Searched: only').and(page.locator(':not(.said)')).count(), 0);
  check();
  await close();
});

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing in the list of all documents: ${name}`, async () => {
    const { page, check, close } = await listed({ ...options, reducedMotion: 'reduce' });
    await line(page, 'Contracts 1.md').locator('input').click();
    await picture(page, `all documents, ${name}`);
    await accessible(page, 'all documents');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    check();
    await close();
  });
}

test('the list at the side has one tab stop, and a line for each of many documents', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, ...[...Array(8).keys()].map((i) => ({ name: `text ${i}.txt`, parts: [PROSE.repeat(i + 1)] })));
  await ready(page, 8);
  assert.equal(await page.locator('.doc .select[tabindex="0"]').count(), 1);
  await page.locator('.doc .select', { hasText: 'text 0.txt' }).focus();
  await page.keyboard.press('ArrowDown');
  const name = () => page.evaluate(() => document.activeElement.querySelector('.name')?.textContent);
  assert.equal(await name(), 'text 1.txt');
  await page.keyboard.press('End');
  assert.equal(await name(), 'text 7.txt');
  assert.equal(await page.locator('.doc .select[tabindex="0"]').innerText().then((text) => text.includes('text 7.txt')), true);
  assert.ok((await page.locator('.doc', { hasText: 'text 3.txt' }).boundingBox()).height <= 30, 'one line');
  await page.keyboard.press('Delete');
  await page.locator('.doc', { hasText: 'text 7.txt' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('.doc').count(), 7);
  check();
  await close();
});

test('2,000 documents scroll without a long task, and few rows are in the page', async () => {
  const context = await contextOf(site.browser, { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(site.url);
  // The reader of the first file never comes, so the others wait and nothing else happens.
  await context.route(/\/pdf-\w+\.wasm/, () => undefined);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf', 'reading');
  await dropMade(page, ...[...Array(1999).keys()].map((i) => ({ name: `Folder ${i % 20}/Document ${i}.txt`, parts: [PROSE, i] })));
  await page.getByRole('button', { name: /^All 2,000.documents$/ }).click();
  await page.locator('.space .frow').first().waitFor();
  // The time of the page's thread, because other programs may hold it up.
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => 1000 * (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const view = page.locator('.folder-grid .view');
  let most = 0;
  /** Scrolls to each of these parts of the list, and resolves to the median time of a step. */
  const scroll = async (parts) => {
    const steps = [];
    for (const part of parts) {
      const began = await spent();
      const rows = await view.evaluate(async (element, share) => {
        element.scrollTop = (element.scrollHeight - element.clientHeight) * share;
        await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); });
        return element.querySelectorAll('.frow').length;
      }, part);
      most = Math.max(most, rows);
      steps.push(await spent() - began);
    }
    return steps.sort((a, b) => a - b)[steps.length >> 1];
  };
  const grid = page.getByRole('treegrid');
  const filtered = async (text, rows) => {
    await page.getByLabel('Filter by name').fill(text);
    await until(async () => await grid.getAttribute('aria-rowcount') === rows);
  };
  // Each step shows a new screen of rows, of 200 documents and of all.
  await filtered('3.txt', '203');
  const few = await scroll([...Array(20).keys()].map((i) => (1 + i) % 3 / 2));
  await filtered('', '2021');
  const all = await scroll([...Array(41).keys()].map((i) => i / 40));
  console.log(`2,000 documents: ${most} rows at most, ${all.toFixed(0)} ms for a screen further; ${few.toFixed(0)} ms in a list of 200`);
  assert.ok(most < 80, `${most} rows`);
  assert.ok(all < 4 * few, `${all} ms for a screen of 2,000 documents, ${few} ms of 200`);
  assert.equal(await grid.getAttribute('aria-rowcount'), '2021');
  await painted(page);
  assert.equal(await page.locator('.space .frow').last().getAttribute('aria-rowindex'), '2021');
  await context.close();
});
