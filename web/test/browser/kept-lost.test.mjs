// Kept documents must survive losses by the browser: a database that Chromium replaces
// after it was killed during a write, file names that it drops for the same reason, and
// half-written copies of records. Paid results must survive too.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { byHand, downloaded, drop, dropMade, makeFixtures, onScreen, originals, row, saved, shownText, start, until, work } from './harness.mjs';
import { TEXT, files, manage, mergeFirst } from './kept-page.mjs';
import { launch } from './profile.mjs';
import { proxied } from './proxy-host.mjs';
import { choose, panel, send, text } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Visits with one profile, each in a browser that is killed at the end. */
class Visits {
  #profile = mkdtempSync(join(tmpdir(), 'seam-lost-'));
  #browser = null;
  #trouble = [];

  async begin(url = site.url) {
    this.#browser = await launch(this.#profile);
    const { context } = this.#browser;
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#trouble.push(message.text());
    });
    context.on('weberror', (error) => this.#trouble.push(error.error().stack));
    const page = await context.newPage();
    await page.setViewportSize({ width: 1400, height: 860 });
    await page.addInitScript(() => localStorage.setItem('seam.keep.files', '1'));
    await page.goto(url);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    return page;
  }

  async kill() {
    await this.#browser.kill();
    this.#browser = null;
  }

  /** Returns the folder of the page's database. */
  database() {
    const folder = join(this.#profile, 'Default', 'IndexedDB');
    return join(folder, readdirSync(folder).find((name) => name.endsWith('.leveldb')));
  }

  /** Returns the folder with the names of its files. */
  fileNames() {
    return join(this.#profile, 'Default', 'File System', '000', 't', 'Paths');
  }

  async end() {
    await this.#browser?.kill();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
    assert.deepEqual(this.#trouble, []);
  }
}

const names = (page) => page.locator('.doc .name').allTextContents();
const docOf = (page, name) => page.locator('.doc', { hasText: name });

/**
 * Waits until the copy of the questions is complete, because its name appears before its
 * content.
 */
function questionsCopied(page) {
  return until(() => page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
    const name = (await Array.fromAsync(folder.keys())).find((each) => /^questions\.\d+\.record$/.test(each));
    const text = name && await folder.getFileHandle(name).then((file) => file.getFile()).then((file) => file.text()).catch(() => ''); // it is being written
    return text?.endsWith(']');
  }));
}

/** Cuts the document into sentences, so that there are chunks to merge. */
async function bySentences(page) {
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(6).waitFor();
}

/** Leaves a LevelDB log as a browser does when killed between the two writes of an entry. */
function tear(folder) {
  const log = join(folder, readdirSync(folder).filter((name) => name.endsWith('.log')).sort().at(-1));
  truncateSync(log, statSync(log).size - 5);
}

/** Ways to lose a database between visits, after which a later visit replaces it. */
const losses = {
  // The next visit appends to the half entry, and the one after it cannot read the log.
  async 'its log ends in half an entry'(visits) {
    tear(visits.database());
    const page = await visits.begin();
    await dropMade(page, { name: 'later.md', parts: [`${TEXT} Later.`] });
    await row(page, 'later.md');
    await saved(page, 'later.md');
    await visits.kill();
    return ['later.md'];
  },
  async 'it is gone'(visits) {
    rmSync(visits.database(), { recursive: true });
    return [];
  },
};

for (const [how, lose] of Object.entries(losses)) {
  test(`a database that is lost takes nothing with it: ${how}`, async () => {
    const visits = new Visits();
    try {
      let page = await visits.begin();
      await drop(page, join(work, 'article.pdf'));
      await row(page, 'article.pdf');
      await saved(page, 'article.pdf');
      await dropMade(page, { name: 'removed.md', parts: [`${TEXT} Removed.`] });
      await row(page, 'removed.md');
      await saved(page, 'removed.md');
      await docOf(page, 'removed.md').locator('.remove').click();
      await dropMade(page, { name: 'notes.md', parts: [TEXT] });
      await row(page, 'notes.md');
      await bySentences(page);
      await mergeFirst(page);
      await saved(page, 'notes.md');
      const texts = async () => (await downloaded(page)).chunks.map(({ text }) => text);
      const cut = await texts();
      await manage(page);
      const name = page.getByLabel('Name of notes.md', { exact: true });
      await name.fill('renamed');
      await name.press('Tab');
      await saved(page, 'renamed');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.locator('#search').fill('who stores honey');
      await page.keyboard.press('Enter');
      await questionsCopied(page);
      await visits.kill();
      const more = await lose(visits);
      page = await visits.begin();
      await docOf(page, 'renamed').waitFor();
      assert.deepEqual(await names(page), ['article.pdf', 'renamed', ...more]); // in order, without removed ones
      await docOf(page, 'article.pdf').locator('.select').click();
      await row(page, 'article.pdf');
      assert.match(await shownText(page), /The tides follow the moon/);
      await docOf(page, 'renamed').locator('.select').click();
      await row(page, 'renamed');
      await byHand(page, 1);
      await bySentences(page); // a killed browser may have forgotten it
      await until(async () => JSON.stringify(await texts()) === JSON.stringify(cut));
      const there = await originals(page);
      for (const file of [readFileSync(join(work, 'article.pdf')), TEXT]) assert.ok(there.includes(createHash('sha256').update(file).digest('hex')));
      await manage(page);
      await onScreen(page, 'Questions asked').click();
      await page.getByRole('button', { name: 'Search again for “who stores honey”' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await byHand(page, 0);
      await saved(page, 'renamed');
    } finally {
      await visits.end();
    }
  });
}

test('what was paid for is not paid for again when the database is lost, unless it is to be forgotten', async () => {
  const host = await proxied();
  const visits = new Visits();
  const asked = (page) => panel(page).getByText('Nothing is sent yet').isVisible();
  const whole = async (page) => /embed-small/.test((await downloaded(page)).embedder);
  const paid = async () => (await host.provider.requests('/embeddings')).reduce((sum, { texts }) => sum + texts, 0);
  const kept = (page) => onScreen(page, /150.vectors of hosted models/);
  const again = async () => {
    rmSync(visits.database(), { recursive: true });
    const page = await visits.begin(host.url);
    await row(page, 'sent.txt');
    if (!(await page.locator('#embedder').inputValue()).startsWith('openai:')) await choose(page); // a killed browser may have forgotten it
    await until(async () => await asked(page) || await whole(page));
    return page;
  };
  try {
    let page = await visits.begin(host.url);
    await dropMade(page, { name: 'sent.txt', parts: [text(7907, 150)] });
    await row(page, 'sent.txt');
    await saved(page, 'sent.txt');
    await choose(page);
    await send(page);
    await until(() => whole(page));
    await kept(page).waitFor();
    assert.equal(await paid(), 150);
    await visits.kill();
    page = await again();
    assert.ok(await whole(page), 'it is asked for again');
    await kept(page).waitFor();
    assert.equal(await paid(), 150);
    await page.getByRole('button', { name: 'Forget them' }).click();
    await kept(page).waitFor({ state: 'hidden' });
    await visits.kill();
    page = await again();
    assert.ok(await asked(page), 'it is not forgotten');
    assert.equal(await paid(), 150);
  } finally {
    await visits.end();
    await host.close();
  }
});

test('files that are written behind half an entry of the log of names are there', async () => {
  const visits = new Visits();
  const texts = new Map(['first.md', 'second.md', 'third.md'].map((name) => [name, `${TEXT} ${name}.`]));
  try {
    for (const [name, text] of texts) {
      const page = await visits.begin();
      await dropMade(page, { name, parts: [text] });
      await row(page, name);
      await saved(page, name);
      await visits.kill();
      tear(visits.fileNames());
    }
    const page = await visits.begin();
    for (const [name, text] of texts) {
      await docOf(page, name).locator('.select').click();
      await row(page, name);
      assert.equal(await shownText(page), text);
    }
  } finally {
    await visits.end();
  }
});

test('each record has one copy, and none is left of what is deleted', async () => {
  const visits = new Visits();
  const copies = async (page) => (await files(page)).filter((name) => name.endsWith('.record'));
  try {
    const page = await visits.begin();
    for (const name of ['one.md', 'two.md']) {
      await dropMade(page, { name, parts: [`${name}. ${TEXT}`] });
      await row(page, name);
      await bySentences(page);
      await mergeFirst(page);
      await saved(page, name);
    }
    await until(async () => (await copies(page)).length === 2); // an older copy goes after the new one is there
    await docOf(page, 'one.md').locator('.remove').click();
    await page.getByRole('button', { name: 'Undo', exact: true }).and(page.locator('.notice *')).waitFor();
    await page.reload(); // undo is no longer possible
    await row(page, 'two.md');
    await until(async () => (await copies(page)).length === 1);
    await manage(page);
    await page.getByRole('button', { name: 'Delete all…' }).click();
    await page.getByRole('button', { name: 'Delete all', exact: true }).click();
    await page.getByRole('dialog').locator('.kept-list li').waitFor({ state: 'detached' });
    assert.deepEqual(await copies(page), []);
  } finally {
    await visits.end();
  }
});

test('of a copy that was being written, the one before is taken', async () => {
  const visits = new Visits();
  try {
    let page = await visits.begin();
    await dropMade(page, { name: 'notes.md', parts: [TEXT] });
    await row(page, 'notes.md');
    await saved(page, 'notes.md');
    await page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
      const names = await Array.fromAsync(folder.keys());
      const [id, rev] = names.find((name) => name.endsWith('.record')).split('.');
      const half = await (await folder.getFileHandle(`${id}.${Number(rev) + 1}.record`, { create: true })).createWritable();
      await half.write('{"id":');
      await half.close();
    });
    await visits.kill();
    rmSync(visits.database(), { recursive: true });
    page = await visits.begin();
    await row(page, 'notes.md');
    assert.equal(await shownText(page), TEXT);
    await saved(page, 'notes.md');
    await until(async () => (await files(page)).filter((name) => name.endsWith('.record')).length === 1);
  } finally {
    await visits.end();
  }
});

test('killed while all indexes are written to one file: the next visit searches every document', async () => {
  const visits = new Visits();
  try {
    const page = await visits.begin();
    const many = Array.from({ length: 10 }, (_, i) => `many${i}.md`);
    await dropMade(page, ...many.map((name, i) => ({ name, parts: [`${text(7 * i + 3, 60)} A zither has ${i} strings.`] })));
    for (const name of many) await saved(page, name);
    await until(async () => (await files(page)).includes('indexes'));
    await visits.kill();
    const next = await visits.begin();
    await next.waitForFunction((n) => document.querySelectorAll('.doc').length === n, many.length);
    await next.locator('#search').fill('zither');
    await next.locator('#search').press('Enter');
    await until(async () => await next.locator('.hits mark', { hasText: 'zither' }).count() === many.length);
  } finally {
    await visits.end();
  }
});
