// The jobs tried in each browser, performed like a user. Each job has its own server, so
// that storage from another job does not affect it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serving, until, web, work } from '../browser/harness.mjs';
import { keys } from './visitor.mjs';

export const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const article = join(work, 'article.pdf');

/** Serves the page, or the one of `dir`. */
export function serve(dir = process.env.SEAM_DIST) {
  return serving(seam, ['serve', '--addr', '127.0.0.1:0', ...(dir ? ['--dir', dir] : [])], /http:\/\/127\.0\.0\.1:\d+\//);
}

/** Opens the page and waits until it is usable. */
export async function open(visitor, url) {
  await visitor.goto(url);
  await usable(visitor);
}

const usable = (visitor) => visitor.until(() => document.querySelector('#method:enabled') !== null);

/** Waits for the row of a document in a state. */
export const row = (visitor, name, state = 'ready') => visitor.until((n, s) => [...document.querySelectorAll(`.doc[data-state="${s}"]`)].some((doc) => doc.textContent.includes(n)), name, state);

/**
 * Waits until the list shows that a document is on the disk. The list is updated a frame
 * later than other parts.
 */
export async function saved(visitor, name) {
  await visitor.painted();
  await visitor.until((n) => [...document.querySelectorAll('.doc')].some((doc) => doc.textContent.includes(n) && doc.querySelector('.kept[data-state=saved]')), name);
}

async function chooseArticle(visitor) {
  await visitor.choose('#picker', article);
  await row(visitor, 'article.pdf');
}

/**
 * Waits for a number of chunks in a range. Each has a card, and each but the first has a
 * cut before it.
 */
export const chunks = (visitor, least = 0, most = Infinity) => visitor.until((low, high) => {
  const cards = document.querySelectorAll('#panel-chunks .cards li').length;
  return cards > low && (high === null || cards < high) && document.querySelectorAll('.cut').length === cards - 1 && cards;
}, least, most);

/** Waits until the line above the cards shows a number of changes. */
export const byHand = (visitor, n) => visitor.until((count) => new RegExp(count === 0 ? '^No changes by hand' : `^${count}\\s+changes? by hand`).test(document.querySelector('.by-hand')?.innerText ?? ''), n);

async function merge(visitor) {
  await visitor.point('#panel-chunks .cards li');
  await visitor.click('button', 'Merge with next');
  await byHand(visitor, 1);
}

/** Returns a file saved by the page once it is complete, moved away to make room for the next. */
async function download(visitor, press, ending) {
  const there = () => readdirSync(visitor.downloads).filter((name) => name.endsWith(ending));
  await press();
  await until(() => there().length === 1 && readdirSync(visitor.downloads).length === 1);
  const [name] = there();
  const path = join(mkdtempSync(join(visitor.downloads, '..', 'saved-')), name);
  renameSync(join(visitor.downloads, name), path);
  return path;
}

async function saveAs(visitor, format, ending) {
  return download(visitor, async () => {
    await visitor.click('#save-open');
    await visitor.click(`#save-${format}`);
  }, ending);
}

export const json = async (visitor) => JSON.parse(readFileSync(await saveAs(visitor, 'json', '.json'), 'utf8'));

/** Waits until the dialog of the pill matches. */
async function told(visitor, expected) {
  if (!await visitor.run(() => document.querySelector('#ledger').matches(':popover-open'))) await visitor.click('.seal');
  await visitor.until((text) => new RegExp(text).test(document.querySelector('#ledger').innerText), expected);
  await visitor.press(keys.escape);
}

/**
 * The sample and a PDF become chunks, the threshold moves them, and a boundary is added and
 * removed by hand.
 */
async function mainJob(visitor, { url }) {
  await open(visitor, url);
  await visitor.click('button', '^Try the sample');
  await row(visitor, 'Sample');
  await chunks(visitor, 1);
  await chooseArticle(visitor);
  await visitor.until(() => document.querySelector('.blocks').textContent.includes('Rennet makes the milk set'));
  const first = await chunks(visitor, 1);
  await visitor.click('button', '^More settings');
  await visitor.run(() => document.querySelector('#threshold').focus());
  await visitor.press(keys.home);
  const many = await chunks(visitor, first);
  await visitor.press(keys.end);
  const few = await chunks(visitor, 0, many);
  assert.ok(few < first || first === 1, `${few} chunks`);
  await visitor.click('button', '^Reset settings');
  assert.equal(await chunks(visitor, few), first);
  await merge(visitor);
  assert.equal(await chunks(visitor), first - 1);
  await visitor.press(keys.control, 'z');
  await byHand(visitor, 0);
  assert.equal(await chunks(visitor), first);
  const colours = await visitor.run(() => [...CSS.highlights].filter(([name, all]) => /^seam-\d/.test(name) && all.size > 0).length);
  assert.ok(colours > 1, 'chunks have colours');
}

/**
 * Documents and changes by hand must be there on the next visit, and gone for good after
 * deletion.
 */
async function store(visitor, { url }) {
  await open(visitor, url);
  await chooseArticle(visitor);
  const first = await chunks(visitor, 1);
  await saved(visitor, 'article.pdf');
  await merge(visitor);
  await saved(visitor, 'article.pdf');
  await visitor.reload();
  await row(visitor, 'article.pdf');
  await byHand(visitor, 1);
  assert.equal(await chunks(visitor), first - 1);
  await visitor.click('button', '^Undo$');
  await byHand(visitor, 0);
  await visitor.click('button', '^Manage…');
  await visitor.click('dialog button', '^Delete all…');
  await visitor.click('dialog .sure button', '^Delete all$');
  await visitor.until(() => document.querySelectorAll('.kept-list li').length === 0);
  await visitor.click('dialog button', '^Close$');
  await visitor.reload();
  await usable(visitor);
  await visitor.until(() => [...document.querySelectorAll('button')].some((each) => /^Try the sample/.test(each.textContent)));
  assert.equal(await visitor.run(() => document.querySelectorAll('.doc').length), 0);
  const left = await visitor.run(async () => {
    const names = [];
    for await (const name of (await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents')).keys()) names.push(name);
    return names.filter((name) => name !== 'questions.key');
  });
  assert.deepEqual(left, []);
}

/** A question finds passages; one is opened, marked, and visible. */
async function search(visitor, { url }) {
  await open(visitor, url);
  await chooseArticle(visitor);
  await chunks(visitor, 1);
  await visitor.press(keys.control, 'k');
  await visitor.until(() => document.activeElement?.id === 'search');
  await visitor.type('#search', `rennet and curd${keys.enter}`);
  await visitor.find('.hits button', 'article\\.pdf');
  assert.ok(await visitor.run(() => document.querySelectorAll('.hits button mark').length) > 0, 'matched words are marked');
  await visitor.click('.hits button', 'article\\.pdf');
  const passage = await visitor.until(() => {
    const view = document.querySelector('#text').getBoundingClientRect();
    const words = [...CSS.highlights.get('seam-word') ?? []].map((range) => range.getBoundingClientRect());
    return words.some(({ top, bottom }) => top >= view.top && bottom <= view.bottom) && [...CSS.highlights.get('seam-passage')].join('');
  });
  assert.match(passage, /curd/);
}

/** The page of a PDF is drawn next to its text, and a chunk is marked where its words are dark. */
async function page(visitor, { url }) {
  await open(visitor, url);
  await chooseArticle(visitor);
  await visitor.click('.page-switch button', '^Text and page$');
  await visitor.until(() => document.querySelector('.sheet[data-state=drawn]') !== null);
  assert.ok(await visitor.run(() => document.querySelector('#text').checkVisibility()), 'the text is beside the page');
  await visitor.type('#search', `rennet and curd${keys.enter}`);
  await visitor.click('.hits button', 'article\\.pdf');
  const share = await visitor.until(() => {
    const mark = document.querySelector('.sheet[data-state=drawn] .marks .passage');
    if (!mark) return false;
    const canvas = mark.closest('.sheet').querySelector('canvas');
    const [box, picture] = [mark.getBoundingClientRect(), canvas.getBoundingClientRect()];
    const scale = canvas.width / picture.width;
    const [x, y, width, height] = [box.x - picture.x, box.y - picture.y, box.width, box.height].map((n) => Math.round(n * scale));
    const { data } = canvas.getContext('2d').getImageData(x, y, width, height);
    let dark = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] < 384) dark++;
    return [dark / (width * height)];
  });
  assert.ok(share[0] > 0.01 && share[0] < 0.5, `${share[0]} of the mark is dark`);
}

/** Chunks are saved as JSON. The command line and the page can open a saved bundle. */
async function saving(visitor, { url }) {
  await open(visitor, url);
  await chooseArticle(visitor);
  const shown = await chunks(visitor, 1);
  const made = await json(visitor);
  assert.equal(made.file, 'article.pdf');
  assert.equal(made.chunks.length, shown);
  const text = Buffer.from(await visitor.run(() => document.querySelector('.blocks').textContent)); // offsets are bytes
  for (const chunk of made.chunks) assert.equal(text.toString('utf8', chunk.start, chunk.end), chunk.text);
  const bundle = await saveAs(visitor, 'bundle', '.seam');
  const again = execFileSync(seam, ['chunk', '--format', 'jsonl', bundle], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  assert.deepEqual(again.trim().split('\n').map((line) => JSON.parse(line).id), made.chunks.map(({ id }) => id));
}

/** From the second visit, the page works without its host. */
async function offline(visitor, { url, stop }) {
  await open(visitor, url);
  await told(visitor, 'Offline use: ready');
  await visitor.reload();
  await usable(visitor);
  await stop();
  await visitor.reload();
  await usable(visitor);
  await visitor.click('button', '^Try the sample');
  await row(visitor, 'Sample');
  await chooseArticle(visitor);
  await chunks(visitor, 1);
}

/** Of two tabs, one makes the changes and the other follows until it takes over. */
async function tabs(visitor, { url }) {
  await open(visitor, url);
  await chooseArticle(visitor);
  await saved(visitor, 'article.pdf');
  const shown = await chunks(visitor, 1);
  const back = await visitor.tab();
  try {
    await open(visitor, url);
    await row(visitor, 'article.pdf');
    await visitor.click('.following button', 'Change it here');
    await visitor.until(() => !document.querySelector('.following')?.checkVisibility());
    await merge(visitor);
    await saved(visitor, 'article.pdf');
    await visitor.closeTab();
  } finally {
    await back();
  }
  await byHand(visitor, 1);
  assert.equal(await chunks(visitor), shown - 1);
}

/** The sealed page, with the strictest policy, passes the main job too. */
async function sealed(visitor, { url }) {
  await open(visitor, `${url}sealed/`);
  await visitor.click('button', '^Try the sample');
  await row(visitor, 'Sample');
  await chooseArticle(visitor);
  await chunks(visitor, 1);
  await told(visitor, 'enforced by the server');
  assert.match(await visitor.run(() => document.querySelector('.seal').innerText), /nothing sent · 0 requests/);
}

/** The text is painted when a wide window becomes narrow. */
async function narrowed(visitor, { url }) {
  await visitor.size(1440, 900);
  await open(visitor, url);
  await chooseArticle(visitor);
  await chunks(visitor, 1);
  await visitor.size(390, 844);
  try {
    await visitor.until(() => document.querySelector('#text').clientWidth < 400);
    // A picture of blank paper takes a third of the bytes.
    await until(async () => Buffer.from(await visitor.command('TakeScreenshot', { full: false }), 'base64').length > 45_000);
  } finally {
    await visitor.size(1440, 900);
  }
}

/** A browser that keeps nothing shows this, and the page works. */
export async function blocked(visitor, { url }) {
  await open(visitor, url);
  await chooseArticle(visitor);
  await chunks(visitor, 1);
  await visitor.until(() => /not saved: This browser keeps nothing for this page: a private window/.test(document.querySelector('.doc').innerText));
  await visitor.until(() => /Nothing is kept: documents are gone/.test(document.querySelector('.kept-line').innerText));
}

/** `short` ones are part of `make test`. */
export const jobs = {
  'the main job': { run: mainJob, short: true },
  'the store': { run: store, short: true },
  'a search': { run: search, short: true },
  'the page of a PDF beside its text': { run: page },
  'what is saved': { run: saving },
  'offline from the second visit': { run: offline },
  'a window made narrow': { run: narrowed },
  'two tabs': { run: tabs },
  'the sealed page': { run: sealed },
};
