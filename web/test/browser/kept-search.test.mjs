// The search after a reload: it covers documents of earlier visits, and says nothing about
// all documents before it has read all of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { contextOf, drop, dropMade, makeFixtures, open, programs, row, saved, start, until, work } from './harness.mjs';
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
  await lose(page, 'indexes');
  await ways.entered(page, 'zither');
  await until(async () => await page.locator('.hits mark', { hasText: 'zither' }).count() === 2);
  await indexed(page, 2);
  check();
  await close();
});

/** Waits until all indexes are in one file. */
const together = (page) => page.waitForFunction(() => performance.getEntriesByName('seam:indexes-kept').length > 0);

/** Returns the text of the file with all indexes, or an empty string without that file. */
const allOf = (page) => page.evaluate(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
  return folder.getFileHandle('indexes').then((file) => file.getFile()).then((file) => file.text()).catch(() => '');
});

/** Cuts bytes off the end of the file with all indexes, and changes the byte `flip` bytes before its end. */
const changeAll = (page, change) => page.evaluate(async ({ cut = 0, flip = 0 }) => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
  const handle = await folder.getFileHandle('indexes');
  const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
  if (flip) bytes[bytes.length - flip] ^= 1;
  const file = await handle.createWritable();
  await file.write(bytes.slice(0, bytes.length - cut));
  await file.close();
}, change);

/** Enters each query, and returns the hits with their texts and reasons. */
async function found(page, queries) {
  const all = [];
  for (const query of queries) {
    await ways.entered(page, query);
    await page.waitForFunction((asked) => {
      const words = document.querySelector('#panel-search .bar p').textContent;
      return words.includes(`“${asked}”`) && !/still being read/.test(words);
    }, query);
    all.push(await page.locator('.hits .card').allTextContents());
  }
  return all;
}

test('the first search reads all indexes from one file, and finds the same without it, or if it is damaged or old', async () => {
  const { page, check, close } = await open(site);
  await nextVisit(page);
  await together(page);
  const queries = ['zither', ...text(77, 40).match(/\w{5,}/g).filter((_, i) => i % 17 === 0)];
  const visit = async () => {
    await again(page, 'doc0.md');
    await row(page, 'doc3.md', 'kept');
    const hits = await found(page, queries);
    assert.equal(await page.locator('.doc[data-state=kept]').count(), MANY - 1);
    return hits;
  };
  const want = await visit();
  assert.ok(want.every((hits) => hits.length > 0) && want.flat().some((hit) => hit.includes('zither')));
  await changeAll(page, { cut: 7 }); // killed while it was written
  assert.deepEqual(await visit(), want);
  await together(page);
  await changeAll(page, { flip: 5000 });
  assert.deepEqual(await visit(), want);
  await lose(page, 'indexes');
  assert.deepEqual(await visit(), want);
  await together(page);
  // It is used: the indexes themselves are damaged.
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
    for await (const [name, handle] of folder.entries()) {
      if (!name.endsWith('.index')) continue;
      const file = await handle.createWritable({ keepExistingData: true });
      await file.write({ type: 'write', position: 20, data: new Uint8Array(10) });
      await file.close();
    }
  });
  assert.deepEqual(await visit(), want);
  check();
  await close();
});

test('a removed document leaves the file with all indexes, and a changed one is found by its new text', async () => {
  const { page, check, close } = await open(site);
  await nextVisit(page);
  await together(page);
  const names = () => allOf(page).then((all) => new Set(all.match(/[\da-f-]{36}(?=\.\d+-[\da-f]+\.index")/g)));
  const before = await names();
  assert.equal(before.size, MANY);
  await dropMade(page, { name: 'doc8.md', parts: ['A theorbo has strings. Bees leave the hive at dawn.'] });
  await page.waitForFunction(() => performance.getEntriesByName('seam:index-kept').length > 0);
  await page.locator('.doc', { hasText: 'doc0.md' }).locator('.select').click();
  await again(page, 'doc0.md');
  await row(page, 'doc3.md', 'kept');
  assert.deepEqual(await names(), before);
  const [theorbo, zither] = await found(page, ['theorbo', 'zither']);
  assert.ok(theorbo.some((hit) => /doc8\.md.*theorbo/.test(hit)));
  assert.ok(!zither.some((hit) => hit.includes('doc8.md')) && zither.some((hit) => /doc3\.md.*zither/.test(hit)));
  await page.getByRole('button', { name: 'Remove doc3.md' }).click();
  await until(async () => await page.locator('.doc').count() === MANY - 1);
  await again(page, 'doc0.md');
  await until(async () => (await names()).size === 0 || (await names()).size === MANY - 1); // written anew
  await together(page);
  assert.equal((await names()).size, MANY - 1);
  check();
  await close();
});

test('after the engine has died, the documents that are not open are searched as before', async () => {
  const { page, close } = await open(site);
  await nextVisit(page);
  const want = await found(page, ['zither']);
  await programs(page)[0].evaluate(() => {
    self.postMessage({ json: JSON.stringify({ event: 'died', data: { message: 'a test' } }) });
    self.close();
  }).catch(() => undefined); // it may be gone before it answers
  await page.waitForFunction(() => performance.getEntriesByName('seam:shelved').length > 1);
  await row(page, 'doc0.md');
  await ways.typed(page, 'bees');
  await page.waitForFunction(() => /“bees”/.test(document.querySelector('#panel-search .bar p').textContent));
  assert.deepEqual(await found(page, ['zither']), want);
  assert.equal(await page.locator('.doc[data-state=kept]').count(), MANY - 1);
  await close(); // the page has said that the engine died
});

test('two tabs keep documents at once: a later visit finds those of both', async () => {
  const context = await contextOf(site.browser);
  const tab = async () => {
    const page = await context.newPage();
    await page.goto(site.url);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    return page;
  };
  const tabs = [await tab(), await tab()];
  await Promise.all(tabs.map(async (page, t) => {
    await dropMade(page, ...Array.from({ length: MANY }, (_, i) => ({ name: `tab${t}-${i}.md`, parts: [`${text(31 * i + t, 30)} ${i === 5 ? 'A zither has forty strings.' : ''}`] })));
    await indexed(page, MANY);
  }));
  await Promise.race(tabs.map(together));
  await tabs[1].close();
  const [page] = tabs;
  await page.reload();
  await page.waitForFunction((n) => document.querySelectorAll('.doc').length === n, 2 * MANY);
  const [hits] = await found(page, ['zither']);
  for (const name of ['tab0-5.md', 'tab1-5.md']) assert.ok(hits.some((hit) => hit.includes(name) && hit.includes('zither')), name);
  await context.close();
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

test('of a word that is still typed nothing is claimed', async () => {
  const { page, check, close } = await open(site);
  await nextVisit(page);
  await ways.typed(page, 'zi');
  await told(page, 'Type on, or press Enter to search for “zi”.');
  await ways.typed(page, 'zither zi');
  await until(async () => await page.locator('.hits mark', { hasText: 'zither' }).count() === 2);
  assert.deepEqual((await statuses(page)).filter((words) => /No document|no document/.test(words)), []);
  await page.locator('#search').press('Enter');
  await told(page, 'No document has “zi”.');
  check();
  await close();
});
