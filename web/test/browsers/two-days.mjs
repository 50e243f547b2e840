// Two days of one user in one visitor: files are opened, ten boundaries corrected, methods
// compared, chunks saved, the page closed. The next day all is there: it is searched, a
// question is answered, and a new version of a file takes the place of the old one.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { work } from '../browser/harness.mjs';
import { byHand, chunks, json, open, row, saved } from './jobs.mjs';
import { keys } from './visitor.mjs';

const trades = ['mason', 'baker', 'weaver', 'tanner', 'cooper', 'glazier', 'potter', 'smith', 'joiner', 'miller', 'sadler', 'turner', 'dyer', 'roofer'];
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** A text with a section for each trade, long enough for a chunk of its own. */
const text = trades.map((trade) => `## The ${trade}\n\nA good ${trade} needs seven years to learn. ${days.map((day) => `On ${day} the ${trade} rises early and sweeps the workshop. Each tool of the ${trade} hangs in its place by the window on ${day}.`).join(' ')} In the evening the ${trade} shuts the door.`).join('\n\n').concat('\n');
const CORRECTIONS = 10;

/** Ends the chunk of a card one sentence earlier, and waits for the change. */
async function endsEarlier(visitor, card, changes) {
  await visitor.point(`#panel-chunks .cards li:nth-child(${card}) .card`);
  await visitor.click('.tools button', '^Earlier');
  await byHand(visitor, changes);
}

async function firstDay(visitor, { url }, files) {
  await open(visitor, url);
  await visitor.choose('#picker', ...files);
  for (const name of ['article.pdf', 'trades.md']) await row(visitor, name);
  await visitor.click('.doc .select', 'trades\\.md');
  await visitor.until(() => document.querySelector('.blocks').textContent.includes('glazier'));
  const cut = await chunks(visitor, CORRECTIONS);
  for (let n = 1; n <= CORRECTIONS; n++) await endsEarlier(visitor, n, n);
  assert.equal(await chunks(visitor), cut, 'boundaries have moved, none is gone');
  await visitor.click('[role=tab]', '^Compare');
  await visitor.until(() => [...document.querySelectorAll('.compared li')].filter((method) => /\d+\s+chunks?/.test(method.textContent)).length > 1);
  await visitor.click('[role=tab]', '^Chunks');
  const made = await json(visitor);
  assert.equal(made.chunks.length, cut);
  for (const { start, end, text: words } of made.chunks) assert.equal(Buffer.from(text).toString('utf8', start, end), words);
  for (const name of ['article.pdf', 'trades.md']) await saved(visitor, name);
  return made.chunks.map(({ start }) => start);
}

async function secondDay(visitor, { url, provider }, starts, changed) {
  await open(visitor, url);
  for (const name of ['article.pdf', 'trades.md']) await visitor.until((n) => [...document.querySelectorAll('.doc')].some((doc) => doc.textContent.includes(n)), name);
  await visitor.click('.doc .select', 'trades\\.md');
  await row(visitor, 'trades.md');
  await byHand(visitor, CORRECTIONS);
  assert.deepEqual((await json(visitor)).chunks.map(({ start }) => start), starts, 'each boundary is where it was');
  await visitor.type('#search', `rennet and curd${keys.enter}`);
  await visitor.click('.hits button', 'article\\.pdf');
  await visitor.until(() => CSS.highlights.get('seam-word')?.size > 0);
  await provider.by([['How long'], 'words=Seven years [1].']);
  await visitor.click('[role=tab]', '^Ask');
  await visitor.click('#panel-ask button', '^Connect to');
  await visitor.until(() => !document.querySelector('#panel-ask .apart').checkVisibility());
  await visitor.type('#question', `How long does a potter learn?${keys.enter}`);
  await visitor.click('#panel-ask .consent button', '^Send$');
  await visitor.until(() => /Seven years/.test(document.querySelector('.answer')?.textContent ?? '') && document.querySelector('.answer .cite'));
  assert.ok((await provider.requests('/completions')).some((request) => JSON.stringify(request).includes('needs seven years')), 'the passage was sent');
  await visitor.choose('#picker', changed);
  await visitor.click('[role=tab]', '^Chunks');
  await visitor.until(() => document.querySelector('.blocks')?.textContent.includes('The carter has come to town.'));
  await visitor.until(() => [...document.querySelectorAll('.doc')].filter((doc) => doc.textContent.includes('trades.md')).length === 1);
  const kept = new Set((await json(visitor)).chunks.map(({ text: words }) => words.trim().split('. ')[0]));
  assert.ok(trades.filter((trade) => [...kept].some((words) => words.includes(trade))).length > 1);
}

/** `site` is the page with a proxy and its scripted provider. */
export async function twoDays(visitor, site) {
  const folder = mkdtempSync(join(tmpdir(), 'seam-two-days-'));
  try {
    const notes = join(folder, 'trades.md');
    writeFileSync(notes, text);
    const starts = await firstDay(visitor, site, [join(work, 'article.pdf'), notes]);
    await visitor.goto('about:blank');
    writeFileSync(notes, `${text}\n## The carter\n\nThe carter has come to town. The carter brings clay.\n`);
    assert.ok(readFileSync(notes, 'utf8').startsWith(text));
    await secondDay(visitor, site, starts, notes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
