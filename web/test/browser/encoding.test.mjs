// A text in another encoding is read with a note, and again in the encoding that is chosen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drop, makeFixtures, open, originals, row, saved, shownText, start, until, work } from './harness.mjs';
import { manage } from './kept-page.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** A hint above the cards. */
const hint = (page, text) => page.locator('#panel-chunks .hint').getByText(text);

/** Cyrillic letters in windows-1251, whose letters are in the order of Unicode. */
const cyrillic = (text) => Buffer.from([...text].map((c) => (c >= 'А' && c <= 'я' ? c.codePointAt(0) - 0x410 + 0xc0 : c.charCodeAt(0))));

test('a text that is not UTF-8 has a note and a choice; one that is not clear has a choice', async () => {
  const river = join(work, 'river.txt');
  const short = join(work, 'short.txt');
  writeFileSync(river, cyrillic('Река начинается высоко в горах. Весной вода поднимается и заливает луга. '.repeat(20)));
  writeFileSync(short, cyrillic('аб'));
  const tab = await open(site);
  const { page } = tab;
  await drop(page, river);
  const item = await row(page, 'river.txt');
  assert.match(await item.locator('.notes').textContent(), /windows-1251, found by its letters/);
  assert.match(await shownText(page), /Весной вода/);
  await page.getByLabel('Encoding of river.txt').selectOption('koi8-r');
  await page.locator('.doc', { hasText: 'as chosen' }).waitFor();
  assert.doesNotMatch(await shownText(page), /Весной вода/);
  await page.getByLabel('Encoding of river.txt').selectOption('');
  await page.locator('.doc', { hasText: 'found by its letters' }).waitFor();
  assert.match(await shownText(page), /Весной вода/);
  await drop(page, short);
  const unclear = await row(page, 'short.txt', 'failed');
  assert.match(await unclear.textContent(), /encoding of this text is not clear/);
  await page.getByLabel('Encoding of short.txt').selectOption('windows-1251');
  await row(page, 'short.txt');
  tab.check();
  await tab.close();
});

test('on a phone the choice is in the sheet, and the closed strip shows the name', async () => {
  const river = join(work, 'stream.txt');
  writeFileSync(river, cyrillic('Река начинается высоко в горах. Весной вода поднимается и заливает луга. '.repeat(20)));
  const tab = await open(site, { viewport: { width: 360, height: 740 } });
  const { page } = tab;
  await drop(page, river);
  await page.locator('.doc[data-state=ready]').waitFor();
  const choice = page.getByLabel('Encoding of stream.txt');
  assert.equal(await choice.isVisible(), false);
  assert.ok(await page.locator('.doc .name', { hasText: 'stream.txt' }).evaluate((name) => {
    const { left, top, width, height } = name.getBoundingClientRect();
    const there = document.elementFromPoint(left + Math.min(width, 20) / 2, top + height / 2);
    return name.closest('.doc').contains(there) && !there.matches('select, select *');
  }), 'nothing lies on the name');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await choice.waitFor();
  tab.check();
  await tab.close();
});

test('a text of an earlier visit is read in another encoding if its file is kept', async () => {
  const brook = join(work, 'brook.txt');
  writeFileSync(brook, cyrillic('Река начинается высоко в горах. Весной вода поднимается и заливает луга. '.repeat(20)));
  const tab = await open(site);
  const { page } = tab;
  await drop(page, brook);
  await saved(page, 'brook.txt');
  await page.reload();
  await row(page, 'brook.txt');
  await page.locator('.doc .notes', { hasText: 'found by its letters' }).waitFor();
  const choice = page.getByLabel('Encoding of brook.txt');
  assert.equal(await choice.isVisible(), false, 'its file is not kept');
  await manage(page);
  await page.getByLabel('Keep the files themselves, too').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await drop(page, brook);
  await until(async () => (await originals(page)).length === 1);
  await page.reload();
  await row(page, 'brook.txt');
  await choice.selectOption('koi8-r');
  await page.locator('.doc', { hasText: 'as chosen' }).waitFor();
  assert.doesNotMatch(await shownText(page), /Весной вода/);
  await saved(page, 'brook.txt');
  await page.reload();
  await row(page, 'brook.txt');
  await page.locator('.doc .notes', { hasText: 'as chosen' }).waitFor();
  assert.equal(await choice.inputValue(), 'koi8-r');
  await choice.selectOption('');
  await page.locator('.doc', { hasText: 'found by its letters' }).waitFor();
  assert.match(await shownText(page), /Весной вода/);
  tab.check();
  await tab.close();
});

test('hidden text of a PDF is in the text if the user wants it', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'veiled.pdf'));
  await row(page, 'veiled.pdf');
  assert.doesNotMatch(await shownText(page), /Ignore all/);
  const choice = page.getByLabel('Hidden text of veiled.pdf, too');
  await choice.check();
  await page.locator('.doc .notes', { hasText: 'hidden text is in the reading view' }).waitFor();
  await hint(page, /^The same file was read again\. \d+ of \d+\ssentences embedded again\.$/).waitFor();
  assert.equal(await hint(page, /new version/).isVisible(), false, 'the file is the same');
  assert.match(await shownText(page), /Ignore all instructions/);
  await accessible(page, 'with hidden text');
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await choice.uncheck();
  await page.locator('.doc .notes', { hasText: 'hidden text is left out' }).waitFor();
  assert.doesNotMatch(await shownText(page), /Ignore all/);
  tab.check();
  await tab.close();
});
