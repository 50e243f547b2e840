// This version must read the stores of all earlier versions. fixtures/kept-N.json is the
// store of version N and never changes. UPDATE_GOLDEN=1 writes the current version's, if
// missing.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { byHand, downloaded, drop, dropMade, makeFixtures, onScreen, open, questionsKept, row, saved, shownText, start, until, web, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const TEXT = 'The miller opens the weir. Water runs over the wheel. The wheel turns the stone.\n\nA printer sets type by hand. Ink is rolled on. The sheet is pulled.\n\nBees leave the hive at dawn. They dance for each other. Honey is stored.';
const fixture = (version) => join(web, 'test', 'fixtures', `kept-${version}.json`);

/** Returns all stored data: the database and the files. Runs in the page. */
async function readStore() {
  const packed = (bytes) => btoa([...new Uint8Array(bytes)].map((byte) => String.fromCharCode(byte)).join(''));
  const asked = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  const db = await asked(indexedDB.open('seam-documents'));
  const plain = ({ secret, ...rest }) => ({ ...rest, iv: packed(secret.iv), sealed: packed(secret.sealed) });
  const all = (store) => asked(db.transaction(store).objectStore(store).getAll());
  const store = { version: db.version, documents: (await all('documents')).map(plain), questions: (await all('questions')).map(plain), files: {} };
  db.close();
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
  for await (const [name, handle] of folder) store.files[name] = packed(await (await handle.getFile()).arrayBuffer());
  return store;
}

/**
 * Restores the data written by an earlier version. Runs in a page that has kept nothing, so
 * it has not opened the database.
 */
async function writeStore({ version, documents, questions, files }) {
  const bytes = (packed) => Uint8Array.from(atob(packed), (each) => each.charCodeAt(0));
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('seam-documents', { create: true });
  for (const [name, content] of Object.entries(files)) {
    const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await out.write(bytes(content));
    await out.close();
  }
  const db = await new Promise((done, fail) => {
    const opening = indexedDB.open('seam-documents', version);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('documents', { keyPath: 'id' });
      opening.result.createObjectStore('questions', { keyPath: 'at' });
    };
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(opening.error);
  });
  const tx = db.transaction(['documents', 'questions'], 'readwrite');
  const sealed = ({ iv, sealed: hidden, ...rest }) => ({ ...rest, secret: { iv: bytes(iv), sealed: bytes(hidden).buffer } });
  for (const each of documents) tx.objectStore('documents').put(sealed(each));
  for (const each of questions) tx.objectStore('questions').put(sealed(each));
  await new Promise((done, fail) => {
    tx.oncomplete = done;
    tx.onerror = () => fail(tx.error);
  });
  db.close();
}

async function tab(t) {
  const opened = await open(site);
  t.after(opened.close);
  return opened;
}

/** Visits the page in a browser with a store. */
async function visit(t, store) {
  const opened = await tab(t);
  await opened.page.evaluate(writeStore, store);
  await opened.page.reload();
  return opened;
}

/**
 * The fixtures have a PDF with its file, a text with two changes by hand, a question about
 * it, and an asked question.
 */
test('a fixture of this version', { skip: !process.env.UPDATE_GOLDEN && 'to write one: UPDATE_GOLDEN=1' }, async (t) => {
  const { page } = await tab(t);
  await page.evaluate(() => localStorage.setItem('seam.keep.files', '1'));
  await drop(page, join(work, 'article.pdf'));
  await saved(page, 'article.pdf');
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await row(page, 'notes.md');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(6).waitFor();
  for (const n of [1, 2]) {
    await page.locator('#panel-chunks .cards li').nth(n).hover();
    await page.getByRole('button', { name: 'Merge with next' }).click();
    await byHand(page, n);
  }
  await page.locator('#search').fill('who stores honey');
  await page.keyboard.press('Enter');
  await page.locator('.hits li').first().waitFor();
  await questionsKept(page, 1);
  await saved(page, 'notes.md');
  const store = await page.evaluate(readStore);
  if (!existsSync(fixture(store.version))) writeFileSync(fixture(store.version), `${JSON.stringify(store, null, 1)}\n`);
});

const versions = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((version) => existsSync(fixture(version)));
const stored = (version) => JSON.parse(readFileSync(fixture(version), 'utf8'));

test('there is a fixture of the version that there is now', async (t) => {
  const { page } = await tab(t);
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await saved(page, 'notes.md');
  assert.equal((await page.evaluate(readStore)).version, versions.at(-1));
});

for (const version of versions) {
  test(`what version ${version} has kept is there, and is worked on`, async (t) => {
    const { page, check } = await visit(t, stored(version));
    for (const name of ['article.pdf', 'notes.md']) await page.locator('.doc', { hasText: name }).waitFor();
    await page.locator('.doc', { hasText: 'notes.md' }).locator('.select').click();
    await row(page, 'notes.md');
    await byHand(page, 2);
    for (const part of TEXT.split('\n\n')) assert.ok((await shownText(page)).includes(part), part);
    await page.locator('.doc', { hasText: 'article.pdf' }).locator('.select').click();
    await row(page, 'article.pdf');
    assert.match(await shownText(page), /The tides follow the moon/);
    await page.getByRole('group', { name: 'Text or page' }).getByRole('button', { name: 'Page', exact: true }).click();
    await page.locator('.sheet[data-state=drawn]').first().waitFor();
    await page.getByRole('button', { name: 'Manage…' }).click();
    await onScreen(page, 'Questions asked').click();
    await page.getByRole('button', { name: 'Search again for “who stores honey”' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.locator('.doc', { hasText: 'notes.md' }).locator('.select').click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await byHand(page, 1);
    await saved(page, 'notes.md');
    const { chunks } = await downloaded(page);
    await page.reload();
    await row(page, 'notes.md');
    await byHand(page, 1);
    assert.deepEqual((await downloaded(page)).chunks, chunks);
    check();
  });
}

test('a record that is damaged is left out, and harms no other', async (t) => {
  const store = stored(versions.at(-1));
  const [first, second] = store.documents;
  first.sealed = `${first.sealed.startsWith('A') ? 'B' : 'A'}${first.sealed.slice(1)}`;
  const { page } = await visit(t, store);
  await page.locator('.doc').first().waitFor();
  assert.equal(await page.locator('.doc').count(), 1);
  const name = await page.locator('.doc .name').innerText();
  await row(page, name);
  assert.ok(second.id && ['article.pdf', 'notes.md'].includes(name));
  await dropMade(page, { name: 'more.md', parts: [`More. ${TEXT}`] });
  await saved(page, 'more.md');
});

test('a store of a later version is told and left alone', async (t) => {
  const { page } = await visit(t, { ...stored(versions.at(-1)), version: 1000 });
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await dropMade(page, { name: 'more.md', parts: [TEXT] });
  await row(page, 'more.md');
  const failed = page.locator('.doc', { hasText: 'more.md' }).locator('.kept[data-state=failed]');
  await failed.waitFor();
  assert.match(await failed.innerText(), /A later version of this page has kept documents here: reload this one/);
  assert.equal((await page.evaluate(readStore)).version, 1000);
  await until(async () => (await page.evaluate(readStore)).documents.length === 2);
});
