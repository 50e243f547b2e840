// Page and command line save the same files, to the byte.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { byHand, drop, makeFixtures, open, row, saveAs, start, web, work } from './harness.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const run = (...args) => execFileSync(seam, args, { cwd: work, stdio: ['ignore', 'pipe', 'ignore'] });

const MARKDOWN = `---
title: Of mills
---

# Wörter 😀

=1+1 is a sum, "quoted". It has two parts.\tTea is made of leaves.

## 𝒜 part

@SUM is a name. They are dried. 中文。 The mill turns.

| a | b |
|---|---|
| c | d |

# End

-2 is less than one. The wind blows. <b>Not bold</b> & so on.
`;

let site;
before(async () => {
  makeFixtures();
  writeFileSync(join(work, 'marks.md'), MARKDOWN);
  site = await start();
});
after(() => site?.close());

/** Returns the bytes that the page saves, and their name. */
async function saves(page, format, offsets) {
  const [download] = await Promise.all([page.waitForEvent('download'), saveAs(page, format, offsets)]);
  return { bytes: readFileSync(await download.path()), name: download.suggestedFilename() };
}

/** Returns a file without the version of Seam, and without the hashes that depend on it. */
const unversioned = (bytes) => bytes.toString().replace(/"(seam|origin)":"[^"]*",?|,[0-9a-f]{12}(?=\r?\n)/g, '');

/** Checks that the page saves the output of the command line. */
async function agree(page, name, options, format, offsets) {
  const { bytes } = await saves(page, format, offsets);
  const own = run('chunk', '--format', format, '--offsets', offsets, ...options, name);
  assert.equal(unversioned(bytes), unversioned(own), `${name}, ${format}, ${offsets}`);
  return bytes.toString();
}

/** By name: the settings of an address, and the same options of the command line. */
const SETTINGS = [
  ['', []],
  ['method=recursive&maxTokens=12&unit=words&headers=1', ['--method', 'recursive', '--max-tokens', '12', '--tokens', 'words', '--headers']],
  ['method=percentile&setting=60&minTokens=4&maxTokens=40&view=content', ['--method', 'percentile', '--threshold', '60', '--min-tokens', '4', '--max-tokens', '40', '--view', 'content']],
];

for (const [address, options] of SETTINGS) {
  test(`the page saves the files of the command line: ${address || 'without settings'}`, async () => {
    const { page, check, close } = await open({ ...site, url: site.url + (address && `#settings=${address}`) });
    for (const name of ['unicode.txt', 'marks.md', 'labelled.pdf']) {
      await drop(page, join(work, name));
      await (await row(page, name)).locator('.select').click();
      const json = JSON.parse(await agree(page, name, options, 'json', 'utf16'));
      assert.ok((address === '' || json.chunks.length > 1) && json.documents[0].offsets === 'utf16', `${json.chunks.length} chunks`);
      if (name === 'labelled.pdf') assert.equal(json.chunks[0].place.label, 'i');
      for (const [format, offsets] of [['jsonl', 'codepoints'], ['langchain', 'bytes'], ['csv', 'bytes'], ['spreadsheet', 'utf16']]) await agree(page, name, options, format, offsets);
    }
    check();
    await close();
  });
}

test('the settings of a file of chunks are saved on their own, and say what the command line says', async () => {
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'marks.md'));
  await row(page, 'marks.md');
  for (const [format, end] of [[null, 'jsonl'], ['spreadsheet', 'spreadsheet.csv'], ['json', 'spreadsheet.csv']]) {
    if (format) await saves(page, format, 'codepoints');
    const { bytes, name } = await saves(page, 'settings', 'codepoints');
    assert.equal(name, `marks.md.chunks.${end}.settings`);
    run('chunk', '--format', end.split('.')[0], '--offsets', 'codepoints', '--settings-file', 'marks.settings', 'marks.md');
    const { seam: version, documents: [{ sha256, offsets }] } = JSON.parse(bytes);
    assert.deepEqual([version.length > 0, sha256, offsets], [true, createHash('sha256').update(MARKDOWN).digest('hex'), 'codepoints']);
    assert.equal(unversioned(bytes), unversioned(readFileSync(join(work, 'marks.settings'))));
  }
  check();
  await close();
});

test('changes by hand are in the file, as in the command line’s from a bundle', async () => {
  const { page, check, close } = await open(site, { permissions: ['clipboard-read', 'clipboard-write'] });
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#panel-chunks .cards li').nth(0).hover();
  await page.getByRole('button', { name: 'End one sentence earlier' }).click();
  await byHand(page, 1);
  const bundle = await saves(page, 'bundle', 'bytes');
  writeFileSync(join(work, 'edited.seam'), bundle.bytes);
  const json = JSON.parse(await agree(page, 'edited.seam', [], 'json', 'bytes'));
  assert.deepEqual([json.documents[0].editsByHand, json.documents[0].file, json.chunks[0].reason], [1, 'article.pdf', 'manual']);
  await agree(page, 'edited.seam', [], 'csv', 'codepoints');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(unversioned(await page.evaluate(() => navigator.clipboard.readText())), unversioned(run('chunk', '--format', 'json', '--offsets', 'codepoints', 'edited.seam')));
  check();
  await close();
});
