// Bundles: the page and the command line must open each other's.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { byHand, downloaded, drop, dropMade, makeFixtures, onScreen, open, row, saveAs, saved, shownText, start, web, work } from './harness.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const run = (...args) => execFileSync(seam, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const at = (name) => join(work, 'bundles', name);

let site;
before(async () => {
  makeFixtures();
  run('bundle', '-o', at('default.seam'), 'article.pdf', 'unicode.txt');
  run('bundle', '-o', at('recursive.seam'), '--method', 'recursive', '--max-tokens', '60', 'article.pdf');
  site = await start();
});
after(() => site?.close());

/** Returns a member of a zip file, found in the directory at its end. */
function member(zip, name) {
  for (let i = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(i) === 0x02014b50;) {
    const [method, packed, length, extra, note, from] = [zip.readUInt16LE(i + 10), zip.readUInt32LE(i + 20), zip.readUInt16LE(i + 28), zip.readUInt16LE(i + 30), zip.readUInt16LE(i + 32), zip.readUInt32LE(i + 42)];
    if (zip.toString('utf8', i + 46, i + 46 + length) === name) {
      const begin = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
      const body = zip.subarray(begin, begin + packed);
      return method === 8 ? inflateRawSync(body) : body;
    }
    i += 46 + length + extra + note;
  }
  return null;
}

const json = (zip, name) => JSON.parse(member(zip, name) ?? 'null');

/** Converts the page's chunks to a bundle's: bytes instead of UTF-16 units. */
const inBytes = (text, chunks) => chunks.map(({ id, start, end, tokens }) => [id, Buffer.byteLength(text.slice(0, start)), Buffer.byteLength(text.slice(0, end)), tokens]);
const ofBundle = ({ chunks }) => chunks.map(({ id, start, end, tokens }) => [id, start, end, tokens]);

/** Saves the download of a press under `name` in the work folder. */
async function saves(page, name, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  writeFileSync(at(name), readFileSync(await download.path()));
  return { suggested: download.suggestedFilename(), zip: readFileSync(at(name)) };
}

const save = (page, name) => saves(page, name, () => saveAs(page, 'bundle'));
const choose = (page, name) => page.locator('.doc', { hasText: name }).locator('.select').click();

async function merge(page, changes = 1) {
  await page.locator('#panel-chunks .cards li').nth(0).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await byHand(page, changes);
}

test('the bundle of the command line shows the chunks that it holds, each document in a row', async () => {
  const { page, check, close } = await open(site);
  await drop(page, at('default.seam'));
  const zip = readFileSync(at('default.seam'));
  for (const [i, name] of ['article.pdf', 'unicode.txt'].entries()) {
    await row(page, name);
    await choose(page, name);
    const made = await downloaded(page);
    assert.equal(made.file, name);
    assert.deepEqual(inBytes(await shownText(page), made.chunks), ofBundle(json(zip, `documents/${i + 1}/chunking.json`)));
  }
  assert.equal(await page.locator('.doc').count(), 2);
  assert.equal(await page.locator('.bundled').isVisible(), false);
  // Opening the same bundle or the original file again adds nothing.
  await drop(page, at('default.seam'));
  await onScreen(page, /open already/).first().waitFor();
  await saved(page, 'article.pdf');
  await drop(page, join(work, 'article.pdf'));
  await onScreen(page, /article\.pdf is open already/).first().waitFor();
  assert.equal(await page.locator('.doc').count(), 2);
  check();
  await close();
});

test('a bundle is cut by its own settings until others are chosen, and on the next visit too', async () => {
  const { page, check, close } = await open(site);
  await drop(page, at('recursive.seam'));
  await row(page, 'article.pdf');
  await onScreen(page, 'Cut as in the bundle: Recursive, at most 60').waitFor();
  const chunks = ofBundle(json(readFileSync(at('recursive.seam')), 'documents/1/chunking.json'));
  assert.deepEqual(inBytes(await shownText(page), (await downloaded(page)).chunks), chunks);
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await onScreen(page, 'Cut as in the bundle').waitFor();
  assert.equal((await downloaded(page)).chunks.length, chunks.length);
  await page.getByRole('button', { name: 'Use my settings' }).click();
  await page.locator('.bundled').waitFor({ state: 'hidden' });
  assert.equal((await downloaded(page)).method, 'semantic');
  check();
  await close();
});

test('what is saved is what was shown, and the command line makes the same of it', async () => {
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await merge(page);
  const shown = await downloaded(page);
  const text = await shownText(page);
  const { suggested, zip } = await save(page, 'from-page.seam');
  assert.equal(suggested, 'article.pdf.seam');
  const chunking = json(zip, 'documents/1/chunking.json');
  assert.deepEqual(ofBundle(chunking), inBytes(text, shown.chunks));
  const [listed] = JSON.parse(run('bundle', '--list', '--json', at('from-page.seam'))).documents;
  const [own] = JSON.parse(run('bundle', '--list', '--json', at('default.seam'))).documents;
  for (const key of ['name', 'title', 'source', 'pages', 'bytes', 'sentences', 'model', 'dimensions']) assert.deepEqual(listed[key], own[key], key);
  assert.deepEqual(listed.plan, own.plan);
  const lines = run('chunk', '--format', 'jsonl', at('from-page.seam')).trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ id, start, end, tokens }) => [id, start, end, tokens]), ofBundle(chunking));
  assert.deepEqual(chunking.chunks.map(({ reason }) => reason.kind), lines.map(({ reason }) => reason));
  // The vectors must equal the command line's, to the byte.
  assert.ok(member(zip, 'documents/1/vectors.npy').equals(member(readFileSync(at('default.seam')), 'documents/1/vectors.npy')));
  check();
  await close();
});

test('changes by hand travel both ways, with what was undone', async () => {
  const first = await open(site);
  await drop(first.page, join(work, 'article.pdf'));
  await row(first.page, 'article.pdf');
  await merge(first.page);
  await merge(first.page, 2);
  await first.page.getByRole('button', { name: 'Undo', exact: true }).click();
  const shown = await downloaded(first.page);
  const { zip } = await save(first.page, 'edited.seam');
  first.check();
  await first.close();
  const log = json(zip, 'documents/1/log.json');
  const { page, check, close } = await open(site);
  await drop(page, at('edited.seam'));
  await row(page, 'article.pdf');
  assert.deepEqual((await downloaded(page)).chunks, shown.chunks);
  assert.equal((await downloaded(page)).editsByHand, shown.editsByHand);
  const { zip: again } = await save(page, 'edited-again.seam');
  assert.deepEqual(json(again, 'documents/1/log.json'), log);
  assert.ok(again.equals(zip), 'equal documents make equal bundles');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await byHand(page, shown.editsByHand + 1);
  // The same document with other changes by hand gets its own row, and the other one loses
  // nothing.
  await drop(page, at('default.seam'));
  await row(page, 'article.pdf (2)');
  assert.equal(await page.locator('.doc').count(), 3);
  check();
  await close();
});

test('kept documents that are not open are saved, each and all', async () => {
  const { page, check, close } = await open(site);
  for (const name of ['one.md', 'two.md']) {
    await dropMade(page, { name, parts: [`# ${name}\n\nThe miller opens the weir. Water runs over the wheel.\n\nBees leave the hive at dawn. Honey is stored.`] });
    await row(page, name);
    await saved(page, name);
  }
  await page.reload();
  await row(page, 'two.md');
  await row(page, 'one.md', 'kept');
  await page.getByRole('button', { name: 'Manage…' }).click();
  await saves(page, 'one.seam', () => page.getByRole('button', { name: 'Save one.md as .seam' }).click());
  await saves(page, 'all.seam', () => page.getByRole('button', { name: 'Save all as .seam' }).click());
  const names = (file) => JSON.parse(run('bundle', '--list', '--json', at(file))).documents.map(({ name, chunks }) => [name, chunks > 0]);
  assert.deepEqual(names('one.seam'), [['one.md', true]]);
  assert.deepEqual(names('all.seam'), [['one.md', true], ['two.md', true]]);
  await row(page, 'one.md', 'kept');
  check();
  await close();
});

test('what is no good bundle is one sentence in a row that closes', async () => {
  const { page, check, close } = await open(site);
  const wrong = {
    'truncated.seam': /This bundle is damaged and cannot be opened/, 'newer.seam': /written by a newer version of Seam/, 'text.seam': /This is not a Seam bundle/,
    'nobody.seam': /This is not a Seam bundle/, 'digest.seam': /damaged.*pages\.txt/, 'outside.seam': /damaged.*chunking\.json/, 'array.seam': /damaged.*vectors\.npy/,
  };
  for (const [name, sentence] of Object.entries(wrong)) {
    await drop(page, at(name));
    assert.match(await (await row(page, name, 'failed')).innerText(), sentence);
    await page.getByRole('button', { name: `Remove ${name}` }).click();
  }
  assert.equal(await page.locator('.doc').count(), 0);
  await drop(page, at('joined.seam'));
  await row(page, 'folder/document 0');
  assert.match(await (await row(page, 'folder/document 0')).innerText(), /cut by your settings, because its bundle’s settings/);
  check();
  await close();
});

test('a bundle that takes long can be stopped', async () => {
  const { page, check, close } = await open(site);
  await drop(page, at('slow.seam'));
  await page.getByRole('button', { name: 'Stop reading slow.seam' }).click();
  assert.match(await (await row(page, 'slow.seam', 'failed')).innerText(), /Stopped/);
  await dropMade(page, { name: 'next.txt', parts: ['The next one. It is read.'] });
  await row(page, 'next.txt');
  assert.equal(await page.locator('.doc').count(), 2);
  check();
  await close();
});
