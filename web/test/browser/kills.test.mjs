// Kills the browser, the page or the engine's worker at random moments, while documents are
// opened, changed and removed. Documents shown as saved must be complete on the next visit,
// and no stray file may remain. SEAM_LONG=1 kills more often.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { downloaded, drop, dropMade, LONG, makeFixtures, open, originals, programs, row, shownText, start, until, work } from './harness.mjs';
import { chance, launch, seed, watchRows } from './profile.mjs';
import { proxied } from './proxy-host.mjs';
import { choose, panel, send, text } from './proxy-page.mjs';

const KILLS = LONG ? 200 : 3;
const HOSTED_KILLS = LONG ? 20 : 1;

let site;
/** The documents, each with the digest of its text. Their names begin with the key. */
const pool = new Map();
before(async () => {
  makeFixtures();
  site = await start();
  const made = (key, sentences) => writeFileSync(join(work, key), Array.from({ length: sentences / 10 }, (_, i) => `## Part ${i + 1}\n\n${text(key.length * 31 + key.charCodeAt(4) + i, 10)}`).join('\n\n'));
  for (const key of ['kill1.md', 'kill2.md', 'kill3.md']) made(key, 60);
  made('kill4.md', 1500);
  copyFileSync(join(work, 'article.pdf'), join(work, 'kill5.pdf'));
  const { page, check, close } = await open(site);
  for (const key of ['kill1.md', 'kill2.md', 'kill3.md', 'kill4.md', 'kill5.pdf']) {
    await drop(page, join(work, key));
    await row(page, key);
    pool.set(key, digest(await shownText(page)));
  }
  check();
  await close();
});
after(() => site?.close());

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const keyOf = (name) => [...pool.keys()].find((key) => name.startsWith(key));
const docOf = (page, name) => page.locator('.doc').filter({ has: page.locator('.name').getByText(name, { exact: true }) });
const manage = (page) => page.getByRole('button', { name: 'Manage…' }).click();
const clickNow = (locator) => locator.evaluate((button) => button.click());

/** Consecutive browsers with one profile, and the state that the page showed. */
class Visits {
  #profile = mkdtempSync(join(tmpdir(), 'seam-kills-'));
  #browser = null;
  #trouble = [];
  page = null;
  /** The state shown last. */
  shown = { rows: [], changes: 0 };
  /** By key, the number of changes by hand when the document was last shown as saved. */
  changes = new Map();

  /** Opens the page. */
  async begin() {
    if (!this.#browser) {
      this.#browser = await launch(this.#profile);
      const { context } = this.#browser;
      await context.exposeBinding('report', (_, shown) => this.#note(shown));
      await context.addInitScript(watchRows);
      await context.addInitScript(() => { if (location.protocol.startsWith('http')) localStorage.setItem('seam.keep.files', '1'); }); // each time, because a killed browser forgets it
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) this.#trouble.push(message.text());
      });
      context.on('weberror', (error) => this.#trouble.push(error.error().stack));
    }
    const { context } = this.#browser;
    const old = context.pages();
    this.page = await context.newPage().catch(() => context.newPage()); // the first may start in a process that is being killed
    for (const page of old) await page.close().catch(() => undefined); // a crashed one may be gone
    await this.again();
  }

  async again() {
    await this.page.goto(site.url);
    await this.page.locator('#method:enabled').waitFor({ state: 'attached' });
  }

  #note(shown) {
    this.shown = shown;
    const at = shown.rows.find(({ selected, saved, state }) => selected && saved && state === 'ready');
    if (at) this.changes.set(keyOf(at.name), shown.changes);
  }

  check() {
    assert.deepEqual(this.#trouble, []);
  }

  async kill(what) {
    if (what === 'browser') {
      await this.#browser.kill();
      this.#browser = null;
    } else if (what === 'page') {
      const crashed = this.page.waitForEvent('crash');
      await this.#browser.killPages();
      await crashed;
    } else {
      const [engine] = programs(this.page);
      await engine?.evaluate(() => self.postMessage({ json: JSON.stringify({ event: 'died', data: { message: 'a test' } }) }));
      await this.settled();
    }
  }

  /** Waits until no work is in progress. */
  settled() {
    return this.page.waitForFunction(() => [...document.querySelectorAll('.doc')].every((doc) => ['ready', 'kept', 'failed'].includes(doc.dataset.state) && doc.querySelector('.kept').dataset.state !== 'saving'));
  }

  async end() {
    await this.#browser?.kill();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns files without a record, and records without a file. */
const strays = (page) => page.evaluate(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents', { create: true });
  const files = [];
  for await (const name of folder.keys()) files.push(name);
  const known = (await indexedDB.databases()).some(({ name }) => name === 'seam-documents');
  const ids = known ? await new Promise((done, fail) => {
    const opening = indexedDB.open('seam-documents');
    opening.onerror = () => fail(opening.error);
    opening.onsuccess = () => {
      const asked = opening.result.transaction('documents').objectStore('documents').getAllKeys();
      asked.onsuccess = () => { opening.result.close(); done(asked.result); };
    };
  }) : [];
  const ending = (id, kind) => files.filter((name) => name.startsWith(`${id}.`) && name.endsWith(kind)).length;
  return [
    ...files.filter((name) => !name.startsWith('questions') && !ids.some((id) => name.startsWith(`${id}.`))),
    ...ids.filter((id) => ending(id, '.key') !== 1 || ending(id, '.document') !== 1 || ending(id, '.vectors') > 1 || ending(id, '.seen') > 1 || ending(id, '.original') > 1),
  ];
});

/**
 * Waits until nothing stray is left. A visit takes a moment to delete it, and the browser
 * may hold a file of a dead page until a later visit.
 */
async function swept(visits) {
  let left = [];
  await until(async () => {
    for (let look = 0; look < 20; look++) {
      left = await strays(visits.page);
      if (left.length === 0) return true;
      await pause(100);
    }
    await visits.again();
    return false;
  }).catch((cause) => { throw new Error(`left behind: ${left}`, { cause }); });
}

/**
 * The actions; each returns the documents it may have changed. `wait` is its approximate
 * duration in milliseconds.
 */
const actions = {
  async open(visits, random) {
    const open = new Set(visits.shown.rows.map(({ name }) => keyOf(name)));
    const key = [...pool.keys()].filter((each) => !open.has(each))[Math.floor(random() * (pool.size - open.size))];
    return key && { what: `open ${key}`, wait: key === 'kill4.md' ? 4000 : 1500, run: () => drop(visits.page, join(work, key)) };
  },
  async merge(visits, random) {
    const at = visits.shown.rows.find(({ selected, saved, state }) => selected && saved && state === 'ready');
    const buttons = visits.page.locator('#panel-chunks .cards li');
    const cards = await buttons.count();
    if (!at || cards < 6) return null;
    const times = 1 + Math.floor(random() * 3);
    return {
      what: `merge ${times} times in ${at.name}`, wait: 600, edited: { key: keyOf(at.name), to: visits.shown.changes + times },
      async run() {
        for (let i = 0; i < times; i++) {
          await buttons.nth(2 * i % (cards - 3)).hover();
          await clickNow(visits.page.getByRole('button', { name: 'Merge with next' }));
        }
      },
    };
  },
  async undo(visits) {
    const at = visits.shown.rows.find(({ selected, saved, state }) => selected && saved && state === 'ready');
    if (!at || visits.shown.changes === 0) return null;
    return { what: `undo in ${at.name}`, wait: 300, edited: { key: keyOf(at.name), to: visits.shown.changes - 1 }, run: () => clickNow(visits.page.locator('.by-hand').getByRole('button', { name: 'Undo' })) };
  },
  async remove(visits, random) {
    const { rows } = visits.shown;
    const one = rows[Math.floor(random() * rows.length)];
    return one && { what: `remove ${one.name}`, wait: 200, removed: [keyOf(one.name)], run: () => clickNow(docOf(visits.page, one.name).locator('.remove')) };
  },
  async rename(visits, random) {
    const { rows } = visits.shown;
    const one = rows[Math.floor(random() * rows.length)];
    if (!one) return null;
    await manage(visits.page);
    const box = visits.page.getByLabel(`Name of ${one.name}`, { exact: true });
    return { what: `rename ${one.name}`, wait: 150, async run() { await box.fill(`${keyOf(one.name)} ${Math.floor(random() * 1000)}`); await box.press('Tab'); } };
  },
  async clear(visits, random) {
    if (visits.shown.rows.length === 0 || random() < 0.5) return null;
    await manage(visits.page);
    await visits.page.getByRole('button', { name: 'Delete all…' }).click();
    return { what: 'delete all', wait: 200, removed: [...pool.keys()], run: () => clickNow(visits.page.getByRole('button', { name: 'Delete all', exact: true })) };
  },
};

/** Picks the action of a round, most often one that opens. */
async function pick(visits, random) {
  for (;;) {
    const names = ['open', 'open', 'merge', 'merge', 'undo', ...Object.keys(actions)];
    const found = await actions[names[Math.floor(random() * names.length)]](visits, random);
    if (found) return found;
  }
}

/** Asserts on the next visit that saved documents are there and complete. */
async function verify(visits, before, action) {
  const { page } = visits;
  const saved = before.shown.rows.filter((each) => each.saved).map(({ name }) => keyOf(name));
  const sure = saved.filter((key) => !action.removed?.includes(key));
  for (const key of sure) {
    await page.locator('.doc .name', { hasText: key }).waitFor().catch(() => assert.fail(`${key} was saved and is gone`));
  }
  await swept(visits);
  const files = await originals(page);
  for (const key of sure) assert.ok(files.includes(digest(readFileSync(join(work, key)))), `${key} was saved, and its file is not there as it was`);
  const names = await page.locator('.doc .name').allTextContents();
  assert.deepEqual(names.map(keyOf).toSorted(), [...new Set(names.map(keyOf))].toSorted(), 'each once');
  for (const name of names) {
    const key = keyOf(name);
    await docOf(page, name).locator('.select').click();
    await page.waitForFunction((sought) => {
      const shown = document.querySelector('.doc:has([aria-current])');
      return shown?.querySelector('.name').textContent === sought && ['ready', 'failed'].includes(shown.dataset.state);
    }, name);
    const item = docOf(page, name);
    assert.equal(await item.getAttribute('data-state'), 'ready', await item.innerText());
    await item.locator('.kept[data-state=saved]').waitFor();
    assert.equal(digest(await shownText(page)), pool.get(key), `the text of ${name}`);
    const line = page.locator('.by-hand');
    const n = await line.isVisible() ? Number(/^\d+/.exec(await line.innerText())?.[0] ?? 0) : 0;
    const was = before.changes.get(key) ?? 0;
    const to = action.edited?.key === key ? action.edited.to : was;
    if (saved.includes(key)) assert.ok(n >= Math.min(was, to) && n <= Math.max(was, to), `${n} changes by hand in ${name}: ${was} were saved, ${to} wanted`);
  }
}

test(`${KILLS} kills: what was shown as saved is there`, async () => {
  const random = chance(seed());
  const visits = new Visits();
  try {
    await visits.begin();
    for (let i = 1; i <= KILLS; i++) {
      const action = await pick(visits, random);
      const what = ['browser', 'browser', 'page', 'engine'][Math.floor(random() * 4)];
      const wait = Math.round(random() ** 2 * action.wait);
      console.log(`${i}: ${action.what}, after ${wait} ms the ${what} is killed`);
      const doing = action.run().catch(() => undefined); // it ends with the page
      await pause(wait);
      await visits.kill(what);
      await doing;
      const before = { shown: visits.shown, changes: new Map(visits.changes) };
      await visits.begin();
      await verify(visits, before, action);
      visits.check();
    }
  } finally {
    await visits.end();
  }
});

test('the first document that was ever saved is there though the browser is killed at once', async () => {
  const visits = new Visits();
  try {
    await visits.begin();
    await drop(visits.page, join(work, 'kill1.md'));
    await row(visits.page, 'kill1.md');
    await docOf(visits.page, 'kill1.md').locator('.kept[data-state=saved]').waitFor();
    await visits.kill('browser');
    await visits.begin();
    await row(visits.page, 'kill1.md');
    assert.equal(digest(await shownText(visits.page)), pool.get('kill1.md'));
    visits.check();
  } finally {
    await visits.end();
  }
});

test('a browser that is killed while all is deleted leaves nothing of it behind', async () => {
  for (const wait of [5, 15, 25, 40, 60, 90]) {
    const visits = new Visits();
    try {
      await visits.begin();
      await drop(visits.page, join(work, 'kill1.md'), join(work, 'kill5.pdf'));
      for (const name of ['kill1.md', 'kill5.pdf']) await docOf(visits.page, name).locator('.kept[data-state=saved]').waitFor();
      await manage(visits.page);
      await visits.page.getByRole('button', { name: 'Delete all…' }).click();
      await clickNow(visits.page.getByRole('button', { name: 'Delete all', exact: true }));
      await pause(wait);
      await visits.kill('browser');
      await visits.begin();
      const told = Date.now();
      await swept(visits);
      console.log(`killed ${wait} ms after Delete all: nothing is left behind after ${Date.now() - told} ms`);
      visits.check();
    } finally {
      await visits.end();
    }
  }
});

/** Sentences of a document for a hosted model. */
const SENT = 400;

test(`${HOSTED_KILLS} kills while a hosted model is sent a document: what is stored is not paid again, what is saved is whole`, async () => {
  const host = await proxied();
  const random = chance(seed());
  const profile = mkdtempSync(join(tmpdir(), 'seam-kills-'));
  let browser = null;
  const begin = async () => {
    browser = await launch(profile);
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 1400, height: 860 }); // with the settings open
    await page.goto(host.url);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    return page;
  };
  const paid = async () => (await host.provider.requests('/embeddings')).reduce((sum, { texts }) => sum + texts, 0);
  const stored = (page, name) => docOf(page, name).locator('.kept[data-state=saved]').waitFor();
  /**
   * Starts the next visit. A killed browser may have forgotten the shown document and the
   * chosen embedder.
   */
  const again = async (name) => {
    const page = await begin();
    await docOf(page, name).locator('.select').click();
    await row(page, name);
    if (!(await page.locator('#embedder').inputValue()).startsWith('openai:')) await choose(page);
    return page;
  };
  const asked = (page) => panel(page).getByText('Nothing is sent yet').isVisible();
  const whole = async (page) => /embed-small/.test((await downloaded(page)).embedder);
  try {
    for (let i = 1; i <= HOSTED_KILLS; i++) {
      const name = `hosted${i}.txt`;
      const before = await paid();
      let page = await begin();
      await dropMade(page, { name, parts: [text(5000 + Math.floor(random() * 1e6), SENT)] });
      await row(page, name);
      await stored(page, name);
      if (!(await page.locator('#embedder').inputValue()).startsWith('openai:')) await choose(page);
      await panel(page).getByText('Nothing is sent yet').waitFor();
      const wait = Math.round(random() ** 2 * 800);
      console.log(`${i}: the browser is killed ${wait} ms after Send`);
      await panel(page).getByRole('button', { name: 'Send', exact: true }).click();
      await pause(wait);
      await browser.kill();
      // The next visit sends only the missing texts.
      page = await again(name);
      await until(async () => await asked(page) || await whole(page));
      const first = await paid() - before;
      const question = await asked(page) ? (await panel(page).innerText()).replaceAll('\u00a0', ' ') : '';
      const missing = Number(/(\d+) (of \d+ )?sentences? of /.exec(question)?.[1] ?? 0);
      if (question) await send(page);
      await until(() => whole(page));
      await stored(page, name);
      const total = await paid() - before;
      console.log(`${first} texts were paid for before the kill, ${missing} were missing after it, ${total} were paid for in the end`);
      assert.ok(total - first <= missing, `${total - first} texts were paid for then`); // the proxy cached the ones it had embedded
      assert.ok(first + missing >= SENT);
      // Saved and killed immediately: everything is there, and no question is asked.
      const { chunks } = await downloaded(page);
      await browser.kill();
      page = await again(name);
      await until(async () => await asked(page) || await whole(page));
      assert.ok(await whole(page), 'they were stored');
      assert.deepEqual((await downloaded(page)).chunks, chunks);
      assert.equal(await paid() - before, total, 'paid again');
      await browser.kill();
    }
  } finally {
    await browser?.kill().catch(() => undefined);
    await host.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
