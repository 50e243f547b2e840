// Starts the real `seam serve` and a Chromium for browser tests, and opens pages that fail
// the test on hidden errors.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { started } from '../ending.mjs';

export const web = resolve(fileURLToPath(import.meta.url), '../../..');
const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const data = resolve(web, process.env.SEAM_DATA ?? '../../shared/data');

/** The PDF of the published pipelines; null without the data. */
export const aiInformation = existsSync(join(data, 'pdf/rag/AI_Information.pdf')) ? join(data, 'pdf/rag/AI_Information.pdf') : null;

/**
 * The folder for the project's fixtures and for files of tests. Each test file has its own,
 * because several run at once. $SEAM_WORK sets another.
 */
export const work = resolve(process.env.SEAM_WORK ?? join(web, 'test', '.work', `of-${basename(process.argv[1] ?? '', '.mjs')}`));

/** Creates the fixtures, or copies them from $TEST_FIXTURES, which all tests share. */
export function makeFixtures() {
  const { TEST_FIXTURES: made } = process.env;
  if (made) cpSync(resolve(made), work, { recursive: true });
  else execFileSync('go', ['run', './web/test/fixtures', work], { cwd: resolve(web, '..'), stdio: ['ignore', 'inherit', 'inherit'] });
  if (!process.env.SEAM_WORK) process.once('exit', () => rmSync(work, { recursive: true, force: true }));
}

/**
 * V8 recompiles frequently run code to optimize it; in a short test, that costs more than
 * it saves.
 */
export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--js-flags=--wasm-tiering-budget=260000000'];

/** Whether `make test-long` runs: more steps, more kills, and the tests of `longTest`. */
export const LONG = Boolean(process.env.SEAM_LONG);

/** A test that runs only in `make test-long`. The table in web/test/README.md gives the reasons. */
export const longTest = LONG ? test : () => undefined;

/**
 * Returns the path of Chromium. `whole` asks for one that can install apps, unlike the
 * headless shell.
 */
export function executablePath({ whole = false } = {}) {
  return execFileSync(join(web, 'test', 'find-chromium.sh'), whole ? ['--whole'] : [], { encoding: 'utf8' }).trim();
}

/** The message of Playwright when it blocks a service worker. */
export const workerBlocked = /Service Worker registration blocked by Playwright/;

/** Long enough that on a busy machine only an event that never happens exceeds it. */
export const LIMIT_MS = Number(process.env.SEAM_LIMIT ?? 120_000);
/** The interval between polls. */
const LOOK_MS = 50;

/** Starts a server program that prints its address, which matches `address`; `stop` ends it. */
export async function serving(program, args, address, env = process.env) {
  const server = started(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const url = await new Promise((done, fail) => {
    server.once('error', fail);
    server.once('exit', (code) => fail(new Error(`${program} ended with code ${code}`))); // nothing listens later
    server.stdout.on('data', (chunk) => {
      const found = address.exec(String(chunk));
      if (found) done(found[0]);
    });
  });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((done) => server.once('exit', done));
    server.kill();
    await ended;
  };
  return { url, stop };
}

/**
 * Starts server and browser; `close` ends both. `dir`, or $SEAM_DIST, replaces the embedded
 * page. `args` and `env` are added for the server and `flags` for the browser; `whole` is as
 * above.
 */
export async function start({ dir = process.env.SEAM_DIST, args = [], env = {}, whole = false, flags = [] } = {}) {
  const chosen = executablePath({ whole });
  const all = ['serve', '--addr', '127.0.0.1:0', ...(dir ? ['--dir', dir] : []), ...args];
  const { url: address, stop } = await serving(seam, all, /http:\/\/127\.0\.0\.1:\d+\/(#token=\w+)?/, { ...process.env, XDG_STATE_HOME: join(work, 'state'), ...env });
  const browser = await chromium.launch({ executablePath: chosen, args: [...FLAGS, ...flags] });
  const [url, token = ''] = address.split('#token=');
  return {
    url,
    /** The token in the printed address. The page takes it from there. */
    token,
    browser,
    /** The path of the browser. */
    program: chosen,
    /** Ends only the server. */
    stop,
    async close() {
      await browser.close();
      await stop();
    },
  };
}

/** A window in which the comparison is in the column at the right; in a wider one it takes the place of the text. */
export const RAIL = { viewport: { width: 1090, height: 860 } };

/** Installed in each page: shows all settings, because most tests use one of them. */
export function allSettings() {
  try {
    for (const entry of ['', '.sealed']) localStorage.setItem(`seam.all-settings${entry}`, 'shown');
  } catch {
    // blocked, as in some tests
  }
}

/** Creates a context with timeouts long enough for a busy machine. */
export async function contextOf(browser, options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(allSettings);
  return context;
}

/** Polls until `condition`, which may be asynchronous, holds. */
export async function until(condition) {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await pause(LOOK_MS)) if (await condition()) return;
  assert.fail(`not within ${LIMIT_MS} ms: ${condition}`);
}

/**
 * Opens a page in its own context, without its service worker, which costs more than
 * the rest of the page. Tests about it pass `{ serviceWorkers: 'allow' }`. `check()` fails
 * if there was console output, an exception, or a request to another host.
 */
export async function open({ url, browser }, options = {}) {
  const context = await contextOf(browser, { viewport: { width: 1400, height: 860 }, acceptDownloads: true, serviceWorkers: 'block', ...options });
  const trouble = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(url.split('#')[0]) && !request.url().startsWith('blob:')) trouble.push(`request to ${request.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !workerBlocked.test(message.text())) trouble.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => trouble.push(`error: ${error.error().stack}`));
  const page = await context.newPage();
  const response = await page.goto(url);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  return {
    page,
    response,
    check: () => assert.deepEqual(trouble, []),
    close: () => context.close(),
  };
}

/** Waits until a number of questions is on the disk. */
export function questionsKept(page, n) {
  return until(() => page.evaluate((wanted) => new Promise((done, fail) => {
    const opening = indexedDB.open('seam-documents');
    opening.onerror = () => fail(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('questions').objectStore('questions').count();
      counting.onsuccess = () => { opening.result.close(); done(counting.result >= wanted); };
    };
  }), n));
}

/** Waits until the page's script has run. After a reload, earlier actions would be lost. */
export async function begun(page) {
  await page.locator('body > header').waitFor({ state: 'attached' });
}

/** Drops a DataTransfer. */
async function dropTransfer(page, transfer) {
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: transfer });
}

/** Drops files on the page, as a person does. */
export async function drop(page, ...paths) {
  await begun(page);
  const files = paths.map((path) => ({ name: basename(path), base64: readFileSync(path).toString('base64') }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    }
    return data;
  }, files);
  await dropTransfer(page, transfer);
}

/** Drops files and folders through the browser, so that the page can read the folders. */
export async function dropPaths(page, ...paths) {
  await begun(page);
  const cdp = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize();
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await cdp.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  }
  await cdp.detach();
}

/** Drops files created in the page: `parts` are texts or numbers of zero bytes. */
export async function dropMade(page, ...files) {
  await begun(page);
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, parts } of list) {
      data.items.add(new File(parts.map((part) => (typeof part === 'number' ? new Uint8Array(part) : part)), name));
    }
    return data;
  }, files);
  await dropTransfer(page, transfer);
}

/**
 * Waits until the list shows that a document is on the disk. The list is updated a frame
 * later, and shows the old state before.
 */
export async function saved(page, name) {
  await painted(page);
  await page.locator('.doc', { hasText: name }).locator('.kept[data-state=saved]').waitFor();
}

/**
 * Asserts that the page asks before closing, and keeps it open. Chromium crashes if the
 * page is closed for good while it still processes the answer.
 */
export async function asksBeforeClosing(page) {
  const [asked] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  assert.equal(asked.type(), 'beforeunload');
  await asked.dismiss();
  await page.evaluate(() => document.title);
}

/**
 * Finds a text on the page, ignoring the live region, which repeats it later for screen
 * readers.
 */
export const onScreen = (page, text, options) => page.getByText(text, options).and(page.locator(':not(.said)'));

/** Waits until a number of changes by hand is in force. */
export const byHand = (page, n) => page.locator('.by-hand').getByText(n === 0 ? 'No changes by hand' : new RegExp(`^${n}\\schanges? by hand`)).waitFor();

/**
 * Returns the workers that run programs: the engine, and the PDF reader while there is one,
 * but not the copier.
 */
export const programs = (page) => page.workers().filter((worker) => !worker.url().includes('/copy-'));

/** Returns the sorted SHA-256 of each original file that the page keeps. */
export const originals = (page) => page.evaluate(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents', { create: true });
  const digests = [];
  for await (const [name, handle] of folder) {
    if (!name.endsWith('.original')) continue;
    const bytes = await handle.getFile().then((file) => file.arrayBuffer()).catch((cause) => {
      if (cause.name !== 'NotFoundError') throw cause; // it disappeared meanwhile
    });
    if (!bytes) continue;
    const hash = await crypto.subtle.digest('SHA-256', bytes);
    digests.push([...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  }
  return digests.sort();
});

/** Waits for the row of a document in a state. */
export async function row(page, name, state = 'ready') {
  const item = page.locator(`.doc[data-state="${state}"]`, { hasText: name });
  await item.waitFor({ state: 'attached' }); // on a phone most of the list is in the sheet
  return item;
}

/** Gives the password of a locked document in its row. */
export async function unlock(page, name, password) {
  const field = (await row(page, name, 'locked')).getByLabel('Password of');
  await field.fill(password);
  await field.press('Enter');
}

/** Opens something with one of the buttons on the empty page, or later in a menu. */
export async function add(page, way) {
  await begun(page);
  if (await page.locator('.empty').isVisible()) await page.locator('.empty').getByRole('button', { name: way }).click();
  else {
    await openSheet(page);
    await page.locator('#add-open').click();
    await page.getByRole('menuitem', { name: way }).click();
  }
}

/** Opens the sheet with documents and settings on a phone. */
export async function openSheet(page) {
  if (await page.locator('.to-sheet').isVisible()) await page.locator('.to-sheet').click();
}

export async function closeSheet(page) {
  if (await page.locator('aside.open').count() > 0) await page.locator('.sheet-close').click();
}

/** Returns the numbers in the row of a document. */
export async function counts(page, name) {
  const text = (await (await row(page, name)).innerText()).replaceAll('\u00a0', ' ');
  const number = (noun) => Number(new RegExp(`([\\d,]+) ${noun}`).exec(text)?.[1]?.replace(',', '') ?? NaN);
  return { pages: number('page'), sentences: number('sentence'), chunks: number('chunk') };
}

/** Sets a range input with an input event, as keyboard and pointer do. */
export async function slide(page, selector, value) {
  await page.locator(selector).evaluate((input, v) => {
    input.value = String(v);
    if (!input.validity.valid) throw new Error(`${v} is no value of #${input.id}: ${input.validationMessage}`);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}

/**
 * The times of each page's last ten downloads, because Chromium drops the eleventh within a
 * second.
 */
const lastSaved = new WeakMap();

/** Chooses a format from the menu Save. */
export async function saveAs(page, format, offsets = 'bytes') {
  await page.locator('#save-open').click();
  await page.locator('#save-offsets').selectOption(offsets);
  await page.locator(`#save-${format}`).click();
}

/** Returns the JSON that the page saves, with offsets into the strings of JavaScript. */
export async function downloaded(page) {
  const times = lastSaved.get(page) ?? [];
  lastSaved.set(page, times);
  if (times.length === 10) await pause(Math.max(0, times.shift() + 1100 - performance.now()));
  const [download] = await Promise.all([page.waitForEvent('download'), saveAs(page, 'json', 'utf16')]);
  times.push(performance.now());
  const whole = JSON.parse(readFileSync(await download.path(), 'utf8'));
  return { ...whole.documents[0], ...whole };
}

/** Returns the displayed text without the reasons at cuts. */
export function shownText(page) {
  return page.locator('.blocks').evaluate((blocks) => blocks.textContent);
}

/** Returns the texts of a highlight's ranges. */
export function highlighted(page, name) {
  return page.evaluate((key) => [...CSS.highlights.get(key)].map((range) => range.toString()), name);
}

/**
 * Waits until a passage of a highlight is at rest in the visible part of the text,
 * completely if `whole` is set.
 */
export async function restsInView(page, name, { whole = false } = {}) {
  const last = await page.evaluateHandle(() => ({ top: null }));
  await page.waitForFunction(([key, all, seen]) => {
    const view = document.querySelector('#text').getBoundingClientRect();
    const [top, bottom] = [Math.max(view.top, 0), Math.min(view.bottom, innerHeight)];
    const boxes = [...CSS.highlights.get(key) ?? []].map((range) => range.getBoundingClientRect());
    const box = boxes.find((each) => (all ? each.top >= top && each.bottom <= bottom : each.top < bottom && each.bottom > top));
    const rests = box !== undefined && box.top === seen.top;
    seen.top = box?.top;
    return rests;
  }, [name, whole, last]);
}

/** Waits until changes are painted: the second frame begins after the first was painted. */
export function painted(page) {
  return page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); }));
}

/**
 * Waits until nothing moves any more, for a picture. It does not await an animation's
 * `finished`, which never settles if its element is removed.
 */
export async function still(page) {
  await page.waitForFunction(() => document.getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity));
  await painted(page);
}

/**
 * Collects the page's long tasks. The returned function waits until the page is idle and
 * returns their durations in milliseconds.
 */
export async function watchTasks(page) {
  await page.evaluate(() => {
    const seen = [];
    const keep = (entries) => { seen.push(...entries.map(({ duration }) => duration)); };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'longtask' });
    window.takeTasks = () => {
      keep(observer.takeRecords());
      return seen.splice(0);
    };
  });
  return async () => {
    await page.evaluate(() => new Promise((done) => { requestIdleCallback(() => done()); }));
    await painted(page);
    return page.evaluate(() => window.takeTasks());
  };
}

/** Waits until the page has measured a part `n` times since the last print. */
export async function measured(page, part, n = 1) {
  await page.waitForFunction(([name, least]) => performance.getEntriesByName(`seam:${name}`).length >= least, [part, n]);
}

/** Prints the durations of each part since the last print; asserts nothing. */
export async function printTiming(page, label) {
  const parts = await page.evaluate(() => {
    const list = performance.getEntriesByType('measure').filter((entry) => entry.name.startsWith('seam:'));
    performance.clearMeasures();
    return list.map((entry) => [entry.name.slice(5), entry.duration]);
  });
  console.log(`timing ${label}: ${parts.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(' · ')} (ms)`);
}
