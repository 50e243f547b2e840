// Any input must be read, or refused with a sentence.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drop, dropMade, dropPaths, LONG, makeFixtures, onScreen, open, row, shownText, start, unlock, watchTasks, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onPage(name, body) {
  test(name, async () => {
    const tab = await open(site);
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

/** Returns the sentence about a file that was not read, and its hint. */
async function said(page, name) {
  const item = await row(page, name, 'failed');
  const text = `${await item.locator('.state').textContent()} ${await item.locator('.notes').textContent()}`.replaceAll('\u00a0', ' ').trim();
  console.log(`${name}: ${text}`);
  assert.match(text, /^[A-Z].{8,}[.!?]$/);
  assert.doesNotMatch(text, /undefined|panic|Error:|goroutine/);
  return text;
}

onPage('files that are no text: each has its sentence, and the next file is read', async (page) => {
  const names = ['picture.pdf', 'empty.pdf', 'empty.txt', 'nuls.txt', 'binary.bin', 'sheet.xlsx', 'archive.zip', 'drawing.png', 'archive.md', 'letter.pdf'];
  await drop(page, ...names.map((name) => join(work, name)), join(work, 'notes.md'));
  await row(page, 'notes.md');
  const expected = {
    'picture.pdf': /a JPEG picture.*Seam reads PDF, /,
    'empty.pdf': /empty/,
    'empty.txt': /empty/,
    'nuls.txt': /not a text|no text|binary/i,
    'binary.bin': /not a text|no text|binary/i,
    'sheet.xlsx': /an Excel workbook.*Seam reads PDF/,
    'archive.zip': /a packed archive.*Seam reads PDF/,
    'drawing.png': /a PNG picture.*Seam reads PDF/,
    'archive.md': /a packed archive.*Seam reads PDF/,
    'letter.pdf': /not a PDF, despite its name/,
  };
  for (const [name, sentence] of Object.entries(expected)) assert.match(await said(page, name), sentence);
  assert.equal(await page.getByRole('button', { name: /^Try .* again/ }).count(), 0, 'the same file would fail again');
});

onPage('a text that looks like no language is read only if the user wants that', async (page) => {
  await dropMade(page, { name: 'coded.txt', parts: [randomBytes(3000).toString('base64')] });
  assert.match(await said(page, 'coded.txt'), /a text that looks like no language: most of it is encoded, as in base64/);
  await page.getByRole('button', { name: 'Read coded.txt anyway' }).click();
  await row(page, 'coded.txt');
  await dropMade(page, { name: 'miller.txt', parts: ['磨坊主打开水闸，水流过轮子。'.repeat(60)] });
  await row(page, 'miller.txt');
});

onPage('a PDF that breaks off: what is there is read, or a sentence says why not', async (page) => {
  await drop(page, join(work, 'truncated.pdf'), join(work, 'notes.md'));
  await row(page, 'notes.md');
  const state = await page.locator('.doc', { hasText: 'truncated.pdf' }).getAttribute('data-state');
  if (state !== 'ready') await said(page, 'truncated.pdf');
});

onPage('a PDF with the name of a text is read as what it is', async (page) => {
  await drop(page, join(work, 'paper.txt'));
  await row(page, 'paper.txt');
  assert.doesNotMatch(await shownText(page), /%PDF/);
});

onPage('UTF-16 is read as what it says', async (page) => {
  await drop(page, join(work, 'utf16.txt'));
  await row(page, 'utf16.txt');
  assert.match(await shownText(page), /Ein Café in Zürich\. 😀 .*東京は日本の首都です/);
});

onPage('files beyond the limits are refused before they are loaded', async (page) => {
  await page.evaluate(() => {
    window.loaded = 0;
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = function counted() {
      window.loaded += this.size;
      return arrayBuffer.call(this);
    };
  });
  await dropPaths(page, join(work, 'huge.pdf'), join(work, 'long.txt'));
  assert.match(await said(page, 'huge.pdf'), /500 MB; Seam reads a PDF of up to 256 MB/);
  assert.match(await said(page, 'long.txt'), /65 MB; Seam reads a text of up to 64 MB/);
  const loaded = await page.evaluate(() => window.loaded);
  assert.ok(loaded < 10_000, `${loaded} bytes were loaded`);
});

onPage('a locked PDF asks in its row, as often as it takes; the others are read meanwhile', async (page) => {
  await drop(page, join(work, 'locked.pdf'), join(work, 'notes.md'));
  await row(page, 'notes.md');
  await onScreen(page, 'locked: enter the password').first().waitFor();
  assert.equal(await page.locator('dialog').count(), 0);
  await page.locator('.said').getByText(/^locked\.pdf is locked\./).waitFor();
  const field = page.locator('.doc').getByLabel('Password of locked.pdf');
  assert.deepEqual(await field.evaluate(({ type, autocomplete }) => [type, autocomplete]), ['password', 'off']);
  for (const password of ['one', 'two', 'three', 'four']) {
    await unlock(page, 'locked.pdf', password);
    await page.locator('.said').getByText('That password does not open locked.pdf.').waitFor();
    await page.locator('.said').evaluate((element) => { element.textContent = ''; });
    await onScreen(page, 'locked: that password does not open it').first().waitFor();
    assert.ok(await field.evaluate((element) => element === document.activeElement && element.selectionEnd === element.value.length), 'the next password replaces it');
  }
  await drop(page, join(work, 'locked.pdf'));
  await page.locator('.doc[data-state=locked]').getByText('locked: enter the password').waitFor();
  assert.equal(await page.locator('.doc').count(), 2);
  await unlock(page, 'locked.pdf', 'seam');
  await row(page, 'locked.pdf');
  assert.equal(await page.locator('.unlock:visible').count(), 0);
});

onPage('several locked PDFs have a line each, count as unread in a search, and can be removed', async (page) => {
  const locked = readFileSync(join(work, 'locked.pdf'));
  for (const name of ['one.pdf', 'two.pdf']) writeFileSync(join(work, name), Buffer.concat([locked, Buffer.from(`%${name}\n`)]));
  await drop(page, join(work, 'one.pdf'), join(work, 'two.pdf'), join(work, 'notes.md'));
  await row(page, 'notes.md');
  await row(page, 'one.pdf', 'locked');
  await row(page, 'two.pdf', 'locked');
  await page.locator('#search').fill('keys');
  await page.keyboard.press('Enter');
  await onScreen(page, /2.documents could not be read/).first().waitFor();
  await unlock(page, 'two.pdf', 'seam');
  await row(page, 'two.pdf');
  await page.locator('.hits button', { hasText: 'two.pdf' }).first().waitFor();
  await page.getByRole('button', { name: 'Remove one.pdf' }).click();
  assert.equal(await page.locator('.doc').count(), 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'one.pdf', 'locked');
});

onPage('the same file twice: the one that is there is selected, and the page says so', async (page) => {
  await drop(page, join(work, 'article.pdf'), join(work, 'notes.md'));
  await row(page, 'notes.md');
  await page.locator('.doc .select', { hasText: 'notes.md' }).click();
  await drop(page, join(work, 'article.pdf'));
  await onScreen(page, 'article.pdf is open already and is selected now').first().waitFor();
  assert.equal(await page.locator('.doc').count(), 2);
  await page.locator('.doc', { hasText: 'article.pdf' }).locator('[aria-current]').waitFor();
  // Same size, other bytes: another document.
  await dropMade(page, { name: 'a.txt', parts: ['One sentence.'] }, { name: 'b.txt', parts: ['Two sentence.'] });
  await row(page, 'b.txt');
  assert.equal(await page.locator('.doc').count(), 4);
  // Another name, same bytes: the same document.
  await dropMade(page, { name: 'c.txt', parts: ['Two sentence.'] });
  await onScreen(page, 'b.txt is open already').first().waitFor();
  assert.equal(await page.locator('.doc').count(), 4);
  await page.getByRole('button', { name: 'Dismiss this note' }).click();
  assert.equal(await page.locator('.notice').isVisible(), false);
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY', 'the focus is not lost');
});

onPage('a folder: its texts are opened up to a limit, and what is left out is said', async (page) => {
  await dropPaths(page, join(work, 'folder'));
  const notice = page.locator('.notice');
  await notice.getByText('200').waitFor();
  const text = (await notice.innerText()).replaceAll('\u00a0', ' ');
  console.log(`folder: ${text}`);
  assert.match(text, /200 files of the folder are added/);
  assert.match(text, /3 files of kinds that Seam does not read/);
  assert.match(text, /5 files beyond the first 200/);
  await page.waitForFunction((n) => document.querySelectorAll('.doc[data-state=ready]').length >= n, LONG ? 200 : 20);
  assert.match(await page.locator('.doc .name').first().getAttribute('title'), /^folder\/\d\/deep\/\d+\.txt$/);
});

onPage('a folder can be picked, too', async (page) => {
  await page.locator('#folder-picker').setInputFiles(join(work, 'folder', '1'));
  await page.locator('.notice').getByText(/6[89]\sfiles of the folder/).waitFor();
  await page.waitForFunction((n) => document.querySelectorAll('.doc[data-state=ready]').length >= n, LONG ? 68 : 10);
});

onPage('twenty files at once', async (page) => {
  await dropMade(page, ...Array.from({ length: 20 }, (_, i) => ({ name: `text ${i}.txt`, parts: [`This is text ${i}. It comes with others.`] })));
  await page.waitForFunction(() => document.querySelectorAll('.doc[data-state=ready]').length === 20);
});

onPage('10,000 pages: read with progress, the page stays usable, Stop ends it', async (page) => {
  const takeTasks = await watchTasks(page);
  await drop(page, join(work, 'many.pdf'));
  await onScreen(page, /reading page [\d,]+ of 10,000/).first().waitFor();
  await page.getByRole('button', { name: /^Stop/ }).click();
  assert.match((await said(page, 'many.pdf')), /Stopped/);
  await page.getByRole('button', { name: /^Try many\.pdf again/ }).click();
  const began = Date.now();
  if (!LONG) return onScreen(page, /reading page [\d,]+ of 10,000/).first().waitFor();
  await page.locator('.doc[data-state=ready]', { hasText: 'many.pdf' }).waitFor();
  const took = Date.now() - began;
  const tasks = await takeTasks();
  console.log(`10,000 pages: read in ${took} ms; tasks over 50 ms: ${tasks.map((ms) => `${ms.toFixed(0)} ms`).join(', ') || 'none'}`);
});
