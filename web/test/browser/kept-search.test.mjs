// The search after a reload: it covers documents of earlier visits, and says nothing about
// all documents before it has read all of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { contextOf, drop, dropMade, makeFixtures, open, row, saved, start, until, work } from './harness.mjs';
import { again, TEXT } from './kept-page.mjs';
import { text } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const MANY = 12;
const status = (page) => page.locator('#panel-search .bar p');
const told = (page, words) => page.locator('#panel-search .bar', { hasText: words }).waitFor();

/** Records each text of the search status. */
const listen = (page) => page.evaluate(() => {
  globalThis.statuses = [];
  const line = document.querySelector('#panel-search .bar p');
  new MutationObserver(() => globalThis.statuses.push(line.textContent)).observe(line, { childList: true, characterData: true, subtree: true });
});
const statuses = (page) => page.evaluate(() => globalThis.statuses);

/** Waits until the indexes of n documents have been written. */
const indexed = (page, n) => page.waitForFunction((least) => performance.getEntriesByName('seam:index-kept').length >= least, n);

/** Deletes the files whose names end like this. */
const lose = (page, end) => page.evaluate(async (ending) => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
  for await (const name of folder.keys()) if (name.endsWith(ending)) await folder.removeEntry(name);
}, end);

/** Overwrites the ends of the files with this ending, where an index has its texts. */
const damage = (page, end) => page.evaluate(async (ending) => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
  for await (const [name, handle] of folder.entries()) {
    if (!name.endsWith(ending)) continue;
    const { size } = await handle.getFile();
    const file = await handle.createWritable({ keepExistingData: true });
    await file.write({ type: 'write', position: size - 10, data: new Uint8Array(10) });
    await file.close();
  }
}, end);

/** Keeps many documents, two of them with a rare word, and starts the next visit. */
async function nextVisit(page, lost = '') {
  const names = Array.from({ length: MANY }, (_, i) => `doc${i}.md`);
  await dropMade(page, ...names.map((name, i) => ({ name, parts: [`${text(31 * i + 7, 150)} ${i === 3 || i === 8 ? 'A zither has forty strings.' : ''}`] })));
  for (const name of names) await saved(page, name);
  await indexed(page, MANY);
  if (lost) await lose(page, lost);
  await page.locator('.doc', { hasText: 'doc0.md' }).locator('.select').click();
  await again(page, 'doc0.md');
  await row(page, 'doc3.md', 'kept');
  await listen(page);
}

const ways = {
  typed: async (page, query) => {
    await page.locator('#search').fill('');
    await page.locator('#search').pressSequentially(query);
  },
  entered: async (page, query) => {
    await page.locator('#search').fill(query);
    await page.locator('#search').press('Enter');
  },
};

for (const [how, search] of Object.entries(ways)) {
  test(`documents of earlier visits are searched without being opened: ${how}`, async () => {
    const { page, check, close } = await open(site);
    await nextVisit(page);
    await search(page, 'zither');
    await until(async () => await page.locator('.hits mark', { hasText: 'zither' }).count() === 2);
    await told(page, 'passages for “zither”.');
    assert.deepEqual((await statuses(page)).filter((words) => /No document|no document/.test(words)), []);
    await search(page, 'zqxv');
    await told(page, 'No document has “zqxv”.');
    assert.equal(await page.locator('.doc[data-state=kept]').count(), MANY - 1);
    // A hit opens its document and shows the passage.
    await search(page, 'zither');
    await page.locator('.hits .card', { hasText: 'doc8.md', has: page.locator('mark', { hasText: 'zither' }) }).first().click();
    await row(page, 'doc8.md');
    await until(() => page.evaluate(() => [...CSS.highlights.values()].some((marks) => [...marks].some((range) => range.toString() === 'zither'))));
    assert.equal(await page.locator('.doc[data-state=kept]').count(), MANY - 2);
    await until(async () => await page.locator('.hits mark', { hasText: 'zither' }).count() === 2);
    check();
    await close();
  });

  test(`documents of earlier visits without an index are opened for a search: ${how}`, async () => {
    const { page, check, close } = await open(site);
    await nextVisit(page, '.index');
    await search(page, 'zither');
    await until(async () => await page.locator('.hits mark', { hasText: 'zither' }).count() === 2);
    for (const name of ['doc3.md', 'doc8.md']) await page.locator('.hits .card', { hasText: name, has: page.locator('mark', { hasText: 'zither' }) }).waitFor();
    const said = await statuses(page);
    assert.ok(said.some((words) => words.includes('still being read')), said.join('\n'));
    assert.deepEqual(said.filter((words) => /No document|no document/.test(words)), []);
    await row(page, `doc${MANY - 1}.md`);
    await search(page, 'zqxv');
    await told(page, 'No document has “zqxv”.');
    check();
    await close();
  });
}

test('a document whose index is damaged is opened for the search, and indexed again', async () => {
  const { page, check, close } = await open(site);
  await nextVisit(page);
  await damage(page, '.index');
  await ways.entered(page, 'zither');
  await until(async () => await page.locator('.hits mark', { hasText: 'zither' }).count() === 2);
  await indexed(page, 2);
  check();
  await close();
});

test('a document that a search has opened can be changed in another tab', async () => {
  const context = await contextOf(site.browser);
  const tab = async () => {
    const page = await context.newPage();
    await page.goto(site.url);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    return page;
  };
  const one = await tab();
  await dropMade(one, { name: 'one.md', parts: [TEXT] });
  await saved(one, 'one.md');
  await dropMade(one, { name: 'two.md', parts: [`${TEXT} A zither has strings.`] });
  await saved(one, 'two.md');
  await one.locator('.doc', { hasText: 'one.md' }).locator('.select').click();
  await again(one, 'one.md');
  await one.locator('#search').fill('zither');
  await one.locator('#search').press('Enter');
  await one.locator('.hits mark', { hasText: 'zither' }).waitFor();
  const other = await tab();
  await other.locator('.doc', { hasText: 'two.md' }).locator('.select').click();
  await row(other, 'two.md');
  await saved(other, 'two.md');
  assert.equal(await other.locator('.following').isVisible(), false);
  // Selected here, it follows the other tab.
  await one.locator('.doc', { hasText: 'two.md' }).locator('.select').click();
  await one.locator('.following').waitFor();
  await context.close();
});

test('a word of running heads alone is reported as such', async () => {
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'headed.pdf'));
  await row(page, 'headed.pdf');
  await page.locator('#search').fill('grunewald');
  await page.locator('#search').press('Enter');
  await told(page, '“grunewald” is only outside the passages, such as in a running head: headed.pdf.');
  assert.doesNotMatch(await status(page).textContent(), /[Nn]o document/);
  check();
  await close();
});

test('with a file that could not be read, nothing is said about all documents', async () => {
  const { page, close } = await open(site);
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await row(page, 'notes.md');
  await dropMade(page, { name: 'broken.pdf', parts: ['%PDF-1.4 nothing follows'] });
  await row(page, 'broken.pdf', 'failed');
  await page.locator('.doc', { hasText: 'notes.md' }).locator('.select').click();
  await page.locator('#search').fill('zqxv');
  await page.locator('#search').press('Enter');
  await told(page, 'No text read so far has “zqxv”. 1 document could not be read.');
  await page.locator('#search').fill('zqxv miller');
  await page.locator('#search').press('Enter');
  await told(page, '1 document could not be read.');
  await close();
});

test('a long text is searched as one types', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'long.md', parts: [`${text(5, 6000)} A zither has forty strings.`] });
  await row(page, 'long.md');
  await page.locator('#search').pressSequentially('zither');
  await page.locator('.hits mark', { hasText: 'zither' }).waitFor();
  check();
  await close();
});
