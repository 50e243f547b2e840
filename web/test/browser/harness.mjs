// Starts what a browser test needs: the real `seam serve`, a Chromium, and
// pages that fail the test when something goes wrong behind the scenes.

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

/** The PDF of the published pipelines; null where the data is not there. */
export const aiInformation = existsSync(join(data, 'pdf/rag/AI_Information.pdf')) ? join(data, 'pdf/rag/AI_Information.pdf') : null;

/** Files that the project writes itself, and what tests write beside them: a folder for each file of tests, as several run at once. $SEAM_WORK is another. */
export const work = resolve(process.env.SEAM_WORK ?? join(web, 'test', '.work', `of-${basename(process.argv[1] ?? '', '.mjs')}`));

/** Made anew, or copied from $TEST_FIXTURES, where they were made for all. */
export function makeFixtures() {
  const { TEST_FIXTURES: made } = process.env;
  if (made) cpSync(resolve(made), work, { recursive: true });
  else execFileSync('go', ['run', './web/test/fixtures', work], { cwd: resolve(web, '..'), stdio: ['ignore', 'inherit', 'inherit'] });
  if (!process.env.SEAM_WORK) process.once('exit', () => rmSync(work, { recursive: true, force: true }));
}

/** V8 compiles again, and better, only what runs very often: in a short test that costs more than it saves. */
export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--js-flags=--wasm-tiering-budget=260000000'];

/** Whether `make test-long` runs: more steps, more kills, and the tests of `longTest`. */
export const LONG = Boolean(process.env.SEAM_LONG);

/** A test of `make test-long` alone. The table in web/README.md says why each is one. */
export const longTest = LONG ? test : () => undefined;

/** Where Chromium is; `whole`: one that can install apps, which the headless shell cannot. */
export function executablePath({ whole = false } = {}) {
  return execFileSync(join(web, 'test', 'find-chromium.sh'), whole ? ['--whole'] : [], { encoding: 'utf8' }).trim();
}

/** What playwright writes where it blocks a service worker. */
export const workerBlocked = /Service Worker registration blocked by Playwright/;

/** Only something that never comes is not there by then, however busy the machine is. */
export const LIMIT_MS = Number(process.env.SEAM_LIMIT ?? 120_000);
/** Between two looks at what tells of nothing by itself. */
const LOOK_MS = 50;

/** A program that serves and prints its address, which matches `address`; `stop` ends it. */
export async function serving(program, args, address, env = process.env) {
  const server = started(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const url = await new Promise((done, fail) => {
    server.once('error', fail);
    server.once('exit', (code) => fail(new Error(`${program} ended with code ${code}`))); // later nobody listens
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
 * Server and browser; `close` ends both. `dir`, or $SEAM_DIST, is another folder
 * than the page built in; `args` and `env` are more of them for the server; `whole` as above.
 */
export async function start({ dir = process.env.SEAM_DIST, args = [], env = {}, whole = false } = {}) {
  const chosen = executablePath({ whole });
  const all = ['serve', '--addr', '127.0.0.1:0', ...(dir ? ['--dir', dir] : []), ...args];
  const { url: address, stop } = await serving(seam, all, /http:\/\/127\.0\.0\.1:\d+\/(#token=\w+)?/, { ...process.env, ...env });
  const browser = await chromium.launch({ executablePath: chosen, args: FLAGS });
  const [url, token = ''] = address.split('#token=');
  return {
    url,
    /** What the printed address has beside: the page takes it from there. */
    token,
    browser,
    /** The browser's program. */
    program: chosen,
    /** Ends the server alone. */
    stop,
    async close() {
      await browser.close();
      await stop();
    },
  };
}

/** Installed in each page: all settings are shown, as most tests want one of them. */
export function allSettings() {
  try {
    localStorage.setItem('seam.all-settings', 'shown');
  } catch {
    // blocked, as some tests have it
  }
}

/** A context whose pages wait as long as a busy machine needs. */
export async function contextOf(browser, options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(allSettings);
  return context;
}

/** Waits until `condition`, which may be asynchronous, holds: for what a page or a program only tells when it is asked. */
export async function until(condition) {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await pause(LOOK_MS)) if (await condition()) return;
  assert.fail(`not within ${LIMIT_MS} ms: ${condition}`);
}

/**
 * A page in a context of its own, without its service worker, which costs more than
 * all the rest of the page: `{ serviceWorkers: 'allow' }` where a test is about it.
 * `check()` fails if anything was written to the console, thrown, or asked of another host.
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

/** Waits until so many questions are on the disk. */
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

/** Waits until the page's script has run: after a reload what is done before is lost. */
export async function begun(page) {
  await page.locator('body > header').waitFor({ state: 'attached' });
}

/** Drops what `transfer` holds. */
async function dropTransfer(page, transfer) {
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: transfer });
}

/** Drops files on the page as a person does. */
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

/** Drops files and folders by the browser's own hand, so that the page can look into the folders. */
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

/** Drops files that the page makes itself: `parts` are texts or numbers of zero bytes. */
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

/** Waits until the list says that a document is on the disk. It tells of a change with the next frame, and until then of the state before. */
export async function saved(page, name) {
  await painted(page);
  await page.locator('.doc', { hasText: name }).locator('.kept[data-state=saved]').waitFor();
}

/** The page asks before it is closed, and stays. Chromium crashes where it is closed for good while it still takes the answer in. */
export async function asksBeforeClosing(page) {
  const [asked] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  assert.equal(asked.type(), 'beforeunload');
  await asked.dismiss();
  await page.evaluate(() => document.title);
}

/** A text that is on the page: not what the live region repeats of it, for screen readers, a moment later. */
export const onScreen = (page, text, options) => page.getByText(text, options).and(page.locator(':not(.said)'));

/** Waits until so many changes by hand are in force. */
export const byHand = (page, n) => page.locator('.by-hand').getByText(n === 0 ? 'No changes by hand' : new RegExp(`^${n}\\schanges? by hand`)).waitFor();

/** The workers that run programs: the engine, and the reader of PDFs while there is one; not the one that copies files. */
export const programs = (page) => page.workers().filter((worker) => !worker.url().includes('/copy-'));

/** SHA-256 of each file that the page keeps as it was, ascending. */
export const originals = (page) => page.evaluate(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents', { create: true });
  const digests = [];
  for await (const [name, handle] of folder) {
    if (!name.endsWith('.original')) continue;
    const bytes = await handle.getFile().then((file) => file.arrayBuffer()).catch((cause) => {
      if (cause.name !== 'NotFoundError') throw cause; // it went meanwhile
    });
    if (!bytes) continue;
    const hash = await crypto.subtle.digest('SHA-256', bytes);
    digests.push([...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  }
  return digests.sort();
});

/** The row of a document, once it is in the given state. */
export async function row(page, name, state = 'ready') {
  const item = page.locator(`.doc[data-state="${state}"]`, { hasText: name });
  await item.waitFor({ state: 'attached' }); // on a phone most of the list is in the sheet
  return item;
}

/** Opens something by one of the buttons: on the empty page they are there, later in a menu. */
export async function add(page, way) {
  await begun(page);
  if (await page.locator('.empty').isVisible()) await page.locator('.empty').getByRole('button', { name: way }).click();
  else {
    await openSheet(page);
    await page.locator('#add-open').click();
    await page.getByRole('menuitem', { name: way }).click();
  }
}

/** On a phone, documents and settings are in a sheet. */
export async function openSheet(page) {
  if (await page.locator('.to-sheet').isVisible()) await page.locator('.to-sheet').click();
}

export async function closeSheet(page) {
  if (await page.locator('aside.open').count() > 0) await page.locator('.sheet-close').click();
}

/** The numbers that the list of documents tells. */
export async function counts(page, name) {
  const text = (await (await row(page, name)).innerText()).replaceAll('\u00a0', ' ');
  const number = (noun) => Number(new RegExp(`([\\d,]+) ${noun}`).exec(text)?.[1]?.replace(',', '') ?? NaN);
  return { pages: number('page'), sentences: number('sentence'), chunks: number('chunk') };
}

/** Sets a range input the way its keyboard and pointer do: with an input event. */
export async function slide(page, selector, value) {
  await page.locator(selector).evaluate((input, v) => {
    input.value = String(v);
    if (!input.validity.valid) throw new Error(`${v} is no value of #${input.id}: ${input.validationMessage}`);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}

/** When each page last saved something, the last ten times: Chromium drops the eleventh download within a second. */
const lastSaved = new WeakMap();

/** Chooses a format of the menu behind Save. */
export async function saveAs(page, format) {
  await page.locator('#save-open').click();
  await page.locator(`#save-${format}`).click();
}

/** What the page saves as JSON. */
export async function downloaded(page) {
  const times = lastSaved.get(page) ?? [];
  lastSaved.set(page, times);
  if (times.length === 10) await pause(Math.max(0, times.shift() + 1100 - performance.now()));
  const [download] = await Promise.all([page.waitForEvent('download'), saveAs(page, 'json')]);
  times.push(performance.now());
  return JSON.parse(readFileSync(await download.path(), 'utf8'));
}

/** The text that the page shows, without the reasons at the cuts. */
export function shownText(page) {
  return page.locator('.blocks').evaluate((blocks) => blocks.textContent);
}

/** The passages of a highlight, as text. */
export function highlighted(page, name) {
  return page.evaluate((key) => [...CSS.highlights.get(key)].map((range) => range.toString()), name);
}

/** Waits until a passage of a highlight has come to rest in the visible part of the text; `whole`: all of it. */
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

/** Waits until what has changed is painted: the second frame from now begins after the first has been. */
export function painted(page) {
  return page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); }));
}

/**
 * Waits until nothing moves by itself any more, as for a picture. `finished` of an animation
 * is not waited for: it is never settled where the element goes meanwhile.
 */
export async function still(page) {
  await page.waitForFunction(() => document.getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity));
  await painted(page);
}

/** Collects the page's long tasks from now on; the function returned tells those until the page has nothing to do, in milliseconds. */
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

/** Prints how long each part took since the last print, for people; nothing is asserted. */
export async function printTiming(page, label) {
  const parts = await page.evaluate(() => {
    const list = performance.getEntriesByType('measure').filter((entry) => entry.name.startsWith('seam:'));
    performance.clearMeasures();
    return list.map((entry) => [entry.name.slice(5), entry.duration]);
  });
  console.log(`timing ${label}: ${parts.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(' · ')} (ms)`);
}
