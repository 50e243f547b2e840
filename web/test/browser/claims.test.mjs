// Sentences with "all", "no", "nothing", "best", "only" or "saved" in them. Each row makes a
// state in which a sentence would be false. The page must not show it there, and must show
// the true one instead.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { byHand, drop, dropMade, dropPaths, makeFixtures, onScreen, open, row, saved, start, until, work } from './harness.mjs';
import { manage, mergeFirst, TEXT } from './kept-page.mjs';
import { text } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function entered(page, query) {
  await page.locator('#search').fill(query);
  await page.locator('#search').press('Enter');
}

const notes = async (page, more = '') => {
  await dropMade(page, { name: 'notes.md', parts: [`${TEXT} ${more}`] });
  await saved(page, 'notes.md');
};

/** Each row: the false sentence, the state, and the true text. */
const CLAIMS = [
  {
    claim: /No document has/,
    state: 'the word is in a running head',
    async make(page) {
      await drop(page, join(work, 'headed.pdf'));
      await row(page, 'headed.pdf');
      await entered(page, 'grunewald');
    },
    truth: '“grunewald” is only outside the passages',
  },
  {
    claim: /No document has/,
    state: 'a document could not be read',
    async make(page) {
      await notes(page);
      await dropMade(page, { name: 'broken.pdf', parts: ['%PDF-1.4 nothing follows'] });
      await row(page, 'broken.pdf', 'failed');
      await entered(page, 'zqxv');
    },
    truth: 'No text read so far has “zqxv”. 1 document could not be read.',
  },
  {
    claim: /No document has/,
    state: 'a page could not be read',
    async make(page) {
      await notes(page);
      await drop(page, join(work, 'broken-page.pdf'));
      await row(page, 'broken-page.pdf');
      await entered(page, 'zqxv');
    },
    truth: 'No text read so far has “zqxv”. Text of broken-page.pdf may be missing: page 2 could not be read completely.',
  },
  {
    claim: /No document has/,
    state: 'a page of a document of an earlier visit could not be read',
    async make(page) {
      await notes(page);
      await drop(page, join(work, 'broken-page.pdf'));
      await saved(page, 'broken-page.pdf');
      await page.waitForFunction(() => performance.getEntriesByName('seam:index-kept').length >= 2);
      await page.locator('.doc', { hasText: 'notes.md' }).click(); // it is opened on the next visit, and the other one is not
      await page.reload();
      await row(page, 'notes.md');
      await entered(page, 'zqxv');
    },
    truth: 'No text read so far has “zqxv”. Text of broken-page.pdf may be missing: page 2 could not be read completely.',
  },
  {
    claim: /in no document/,
    state: 'a corrected word, and a document could not be read',
    async make(page) {
      await notes(page);
      await dropMade(page, { name: 'broken.pdf', parts: ['%PDF-1.4 nothing follows'] });
      await row(page, 'broken.pdf', 'failed');
      await entered(page, 'milller');
    },
    truth: '“milller” is in no text read so far: “miller” was looked for.',
  },
  {
    claim: /^20 passages for|\b20 passages for/,
    state: 'more passages have the word than are shown',
    async make(page) {
      await dropMade(page, { name: 'many.md', parts: [Array.from({ length: 40 }, (_, i) => `# Part ${i}\n\n${text(i, 60)} A zither has strings.\n\n`).join('')] });
      await row(page, 'many.md');
      await entered(page, 'zither');
    },
    truth: 'The 20 best passages for “zither”.',
  },
  {
    claim: /The \d+ best passages for/,
    state: 'all passages with the word are shown',
    async make(page) {
      await notes(page, 'A zither has forty strings.');
      await entered(page, 'zither');
    },
    truth: '1 passage for “zither”.',
  },
  {
    claim: /No PDF, .* file in this folder/,
    state: 'a hidden folder inside has some',
    async make(page) {
      mkdirSync(join(work, 'mine', '.notes'), { recursive: true });
      writeFileSync(join(work, 'mine', '.notes', 'a.md'), TEXT);
      writeFileSync(join(work, 'mine', 'a.xlsx'), 'PK');
      await dropPaths(page, join(work, 'mine'));
    },
    truth: 'Hidden folders were not looked into.',
  },
  {
    claim: /Nothing is kept/,
    state: 'nothing more is to be kept, but a document of before still is',
    async make(page) {
      await notes(page);
      await manage(page);
      await page.getByLabel('Keep documents in this browser').uncheck();
      await page.getByRole('button', { name: 'Close' }).click();
    },
    truth: '1 document kept in this browser',
  },
  {
    claim: /that the browser gives it/,
    state: 'Chromium makes the limit of the storage up',
    async make(page) {
      await notes(page);
      await manage(page);
    },
    truth: 'The browser does not say how much is left.',
  },
  {
    claim: /No changes by hand/,
    state: 'a boundary was removed by hand',
    async make(page) {
      await notes(page);
      await page.locator('#method').selectOption('sentences');
      await until(async () => (await page.locator('#panel-chunks .cards li').count()) > 1);
      await mergeFirst(page);
      await byHand(page, 1);
    },
    truth: '1 change by hand',
  },
  {
    claim: /(^|\n)Saved\./,
    state: 'the browser was only given a file to download',
    async make(page) {
      await notes(page);
      await manage(page);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save notes.md as .seam' }).click();
      await download;
    },
    truth: 'Download started.',
  },
  {
    claim: /Nothing of this file was kept/,
    state: 'another version of a kept document was stopped',
    async make(page) {
      await notes(page);
      await dropMade(page, { name: 'notes.md', parts: [text(3, 60_000)] });
      await page.locator('.doc', { hasText: 'notes.md' }).getByRole('button', { name: /^Stop/ }).click();
      await row(page, 'notes.md', 'failed');
    },
    truth: 'Stopped before it was ready.',
  },
];

for (const { claim, state, make, truth } of CLAIMS)
  test(`${claim.source} is not said: ${state}`, async (t) => {
    const { page, close } = await open(site);
    t.after(close);
    await make(page);
    await onScreen(page, truth).first().waitFor();
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), claim);
  });
