// Documents, changes by hand and questions must be there on the next visit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { byHand, downloaded, drop, dropMade, makeFixtures, onScreen, open, questionsKept, row, saved, shownText, start, still, until, work } from './harness.mjs';
import { TEXT, again, files, manage, mergeFirst } from './kept-page.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Merges the first chunk with the next one, and waits until that is on the disk. */
async function merge(page, name) {
  await mergeFirst(page);
  await saved(page, name);
}

test('a document and what was done to it by hand are there on the next visit', async () => {
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await saved(page, 'article.pdf');
  await merge(page, 'article.pdf');
  const [before, text] = [await downloaded(page), await shownText(page)];
  for (const kind of ['document', 'vectors', 'seen']) assert.equal((await files(page)).filter((name) => name.endsWith(`.${kind}`)).length, 1, kind);
  await again(page, 'article.pdf');
  await byHand(page, 1);
  assert.deepEqual((await downloaded(page)).chunks, before.chunks);
  assert.equal(await shownText(page), text);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.locator('.by-hand').getByText('No changes by hand').waitFor();
  await saved(page, 'article.pdf');
  await again(page, 'article.pdf');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await byHand(page, 1);
  check();
  await close();
});

test('one of an earlier visit and a new one are each searched alone', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'old.txt', parts: ['A windmill turns its cap into the wind. Its sails drive a shaft.'] });
  await saved(page, 'old.txt');
  await again(page, 'old.txt');
  await dropMade(page, { name: 'new.txt', parts: ['A lathe turns the work and holds the tool still. Shavings fly.'] });
  await row(page, 'new.txt');
  await page.getByRole('tab', { name: 'Search' }).click();
  for (const [name, words] of [['old.txt', /windmill/], ['new.txt', /lathe/]]) {
    await page.getByLabel('Search in').selectOption(name);
    await page.locator('#search').fill('turns');
    await page.locator('#search').press('Enter');
    await page.locator('.hits .card', { hasText: words }).first().waitFor();
    assert.equal(await page.locator('.hits .card').count(), 1, name);
    await page.locator('#search').fill('');
  }
  check();
  await close();
});

test('a text that is pasted takes the place of none of an earlier visit', async () => {
  const { page, check, close } = await open(site);
  const paste = (words) => page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, words);
  await paste(TEXT);
  await saved(page, 'Pasted text 1');
  await again(page, 'Pasted text 1');
  await paste('A loom stands by the river. Its warp is of flax.');
  await row(page, 'Pasted text 2');
  assert.match(await shownText(page), /^A loom/);
  await page.locator('.doc', { hasText: 'Pasted text 1' }).locator('.select').click();
  await until(async () => await shownText(page) === TEXT);
  check();
  await close();
});

test('several documents: only the one that was shown is opened, the others when they are chosen', async () => {
  const { page, check, close } = await open(site);
  for (const name of ['one.md', 'two.md', 'three.md']) {
    await dropMade(page, { name, parts: [`# ${name}\n\n${TEXT}`] });
    await row(page, name);
    await saved(page, name);
  }
  await page.locator('.doc', { hasText: 'two.md' }).locator('.select').click();
  await again(page, 'two.md');
  for (const name of ['one.md', 'three.md']) await row(page, name, 'kept');
  assert.equal(await page.locator('.doc').count(), 3);
  await page.locator('.doc', { hasText: 'one.md' }).locator('.select').click();
  await row(page, 'one.md');
  assert.match(await shownText(page), /^# one\.md/);
  // The same file again is the kept document; another one with its name is a new version of
  // it.
  await dropMade(page, { name: 'three.md', parts: [`# three.md\n\n${TEXT}`] });
  await row(page, 'three.md');
  await onScreen(page, /three\.md is open already/).waitFor();
  await page.locator('.doc', { hasText: 'one.md' }).locator('.select').click();
  await dropMade(page, { name: 'three.md', parts: [`# three.md\n\n${TEXT} Wax is melted.`] });
  await page.locator('.blocks').getByText('Wax is melted.').waitFor();
  await saved(page, 'three.md');
  assert.equal(await page.locator('.doc').count(), 3);
  await again(page, 'three.md');
  await page.locator('.blocks').getByText('Wax is melted.').waitFor();
  check();
  await close();
});

test('a change by hand outlasts another version of the file, also one that comes on a later visit', async () => {
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await saved(page, 'article.pdf');
  await page.goto(site.url);
  await row(page, 'article.pdf');
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await row(page, 'notes.md');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(6).waitFor();
  await merge(page, 'notes.md');
  await again(page, 'notes.md');
  await page.locator('.doc', { hasText: 'article.pdf' }).locator('.select').click();
  await dropMade(page, { name: 'notes.md', parts: [`${TEXT} Wax is melted.`] });
  await page.locator('.blocks').getByText('Wax is melted.').waitFor();
  await byHand(page, 1);
  check();
  await close();
});

test('a question is there on the next visit', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await row(page, 'notes.md');
  await saved(page, 'notes.md');
  await page.locator('#search').fill('who stores honey');
  await page.keyboard.press('Enter');
  await page.locator('.hits li').first().waitFor();
  await questionsKept(page, 1);
  await again(page, 'notes.md');
  await manage(page);
  await onScreen(page, 'Questions asked').click();
  await page.getByRole('button', { name: 'Search again for “who stores honey”' }).click();
  await page.locator('.hits li').first().waitFor();
  check();
  await close();
});

/**
 * Delays each record before it is sealed: `release` lets the first one go, `waiting` waits
 * for a number of them, and `free` lets all go, until `hold`.
 */
async function holdRecords(page) {
  await page.evaluate(() => {
    window.held = [];
    const { encrypt } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.encrypt = async function (...args) {
      await new Promise((go) => { if (window.held) window.held.push(go); else go(); });
      return encrypt.apply(this, args);
    };
  });
  return {
    waiting: (n) => page.waitForFunction((count) => window.held.length === count, n),
    release: () => page.evaluate(() => window.held.shift()()),
    free: () => page.evaluate(() => {
      for (const go of window.held) go();
      window.held = null;
    }),
    hold: () => page.evaluate(() => { window.held = []; }),
  };
}

test('what comes while an earlier change is being written is not told as saved with it', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await row(page, 'notes.md');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(6).waitFor();
  await saved(page, 'notes.md');
  const state = () => page.locator('.doc .kept').getAttribute('data-state');
  const { waiting, release, free, hold } = await holdRecords(page);
  await mergeFirst(page);
  await waiting(1);
  await page.locator('#panel-chunks .cards li').nth(3).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await byHand(page, 2);
  await release();
  await waiting(1); // the first is written, and the second is about to be
  assert.equal(await state(), 'saving', 'the second change');
  await manage(page);
  await page.getByLabel('Name of notes.md').fill('Renamed.md');
  await page.getByLabel('Name of notes.md').press('Tab');
  await release();
  await waiting(1);
  assert.equal(await state(), 'saving', 'its name');
  await free(); // a slow machine may write one more meanwhile
  await saved(page, 'Renamed.md');
  await hold();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  // Another version of the file while a change to the former one is being written.
  await page.locator('#panel-chunks .cards li').nth(4).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await waiting(1);
  await dropMade(page, { name: 'Renamed.md', parts: ['The miller opens the weir. Wax is melted.'] });
  await page.locator('.blocks').getByText('Wax is melted.').waitFor();
  await release();
  await waiting(1);
  assert.equal(await state(), 'saving', 'the other version');
  await free();
  await saved(page, 'Renamed.md');
  await page.reload();
  await row(page, 'Renamed.md');
  await page.locator('.blocks').getByText('Wax is melted.').waitFor();
  check();
  await close();
});

test('rename, delete one and bring it back, delete it for good', async () => {
  const { page, check, close } = await open(site);
  for (const name of ['one.md', 'two.md']) {
    await dropMade(page, { name, parts: [`${name} ${TEXT}`] });
    await saved(page, name);
  }
  await manage(page);
  await page.getByLabel('Name of two.md').fill('Second.md');
  await page.getByLabel('Name of two.md').press('Tab');
  await page.locator('.doc', { hasText: 'Second.md' }).waitFor();
  // All labels have the new name; an empty name is ignored.
  await page.getByRole('button', { name: 'Delete Second.md' }).waitFor();
  await page.getByRole('button', { name: 'Save Second.md as .seam' }).waitFor();
  await page.getByLabel('Name of Second.md').fill(' ');
  await page.getByLabel('Name of Second.md').press('Tab');
  await until(async () => await page.getByLabel('Name of Second.md').inputValue() === 'Second.md');
  await accessible(page, 'dialog', 'dialog');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Remove Second.md' }).click();
  await onScreen(page, 'Second.md is removed.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await row(page, 'Second.md');
  await page.getByRole('button', { name: 'Remove one.md' }).click();
  await onScreen(page, 'one.md is removed.').waitFor();
  await again(page, 'Second.md');
  assert.equal(await page.locator('.doc').count(), 1);
  await until(async () => new Set((await files(page)).map((name) => name.split('.')[0])).size === 1);
  check();
  await close();
});

test('what is removed together comes back together, though one of it is being saved', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'one.md', parts: [`one ${TEXT}`] }, { name: 'two.md', parts: [`two ${TEXT}`] });
  await saved(page, 'one.md');
  await saved(page, 'two.md');
  // No record is written after this until the test allows it.
  await page.evaluate(() => {
    const { encrypt } = SubtleCrypto.prototype;
    const gate = new Promise((open) => { window.open_ = open; });
    window.sealing = 0;
    SubtleCrypto.prototype.encrypt = async function (...given) {
      window.sealing++;
      await gate;
      return encrypt.apply(this, given);
    };
  });
  await dropMade(page, { name: 'three.md', parts: [`three ${TEXT}`] });
  await page.waitForFunction(() => window.sealing > 0);
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.locator('.empty').waitFor();
  await page.evaluate(() => window.open_());
  await page.locator('.notice').getByText('3\u00a0documents are removed.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  for (const name of ['one.md', 'two.md', 'three.md']) await page.locator('.doc', { hasText: name }).waitFor();
  await page.reload();
  for (const name of ['one.md', 'two.md', 'three.md']) await page.locator('.doc', { hasText: name }).waitFor();
  check();
  await close();
});

test('looks', { skip: !process.env.SEAM_SHOTS && 'for pictures: SEAM_SHOTS=DIR' }, async () => {
  for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 360, height: 740 } } })) {
    const { page, close } = await open(site, options);
    for (const each of ['one.md', 'A rather long name of a document that does not fit.md']) {
      await dropMade(page, { name: each, parts: [each + TEXT] });
      await saved(page, each);
    }
    await page.getByRole('button', { name: 'Remove one.md' }).click();
    await onScreen(page, 'one.md is removed.').waitFor();
    await still(page);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `kept-${name}.png`) });
    await manage(page);
    await still(page);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `kept-dialog-${name}.png`) });
    await close();
  }
});
