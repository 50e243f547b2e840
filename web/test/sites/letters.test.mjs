// Measures a reader's downloads letter by letter, on the documentation of Python in
// Debian's package (python3.11-doc), with the questions of its evaluation.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS, web } from '../browser/harness.mjs';
import { staticHost, visit } from '../browser/static-host.mjs';

const manual = '/usr/share/doc/python3.11/html';
const questions = join(process.env.SEAM_DATA ?? resolve(web, '../../shared/data'), 'docs/questions_python.json');
const skip = [manual, questions].filter((each) => !existsSync(each)).map((each) => `${each} is not here`).join(', ') || false;
/** Limits for each kind, in bytes as sent by a host. */
const asked = 6;
const most = { first: 150_000, further: 20_000 };

let browser;
let dir;
before(async () => {
  if (skip) return;
  dir = mkdtempSync(join(tmpdir(), 'seam-letters-'));
  cpSync(manual, dir, { recursive: true, dereference: true });
  writeFileSync(join(dir, 'start.html'), '<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Start</title></head><body><seam-search index="/seam/"></seam-search><script type="module" src="/seam/widget.js"></script></body></html>');
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam'), '--cache', 'off'], { stdio: 'ignore' });
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  if (dir) rmSync(dir, { recursive: true });
});

test('a letter more asks for at most 20 kB on average, and the first results for 150', { skip }, async (t) => {
  let bytes = 0;
  const host = await staticHost(t, { dir, base: '/', change: (name, body) => {
    if (name.startsWith('seam/') && !name.endsWith('.js')) bytes += Math.min(body.length, gzipSync(body).length);
    return body;
  } });
  const all = JSON.parse(readFileSync(questions, 'utf8'));
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const sum = { first: 0, further: 0, letters: 0, queries: 0 };
  for (const { query } of kinds.flatMap((kind) => all.filter((each) => each.kind === kind).slice(0, asked))) {
    const { page, context } = await visit(t, browser, `${host.url}start.html`);
    await page.waitForFunction(() => customElements.get('seam-search'));
    await page.evaluate(() => {
      window.searches = [];
      document.addEventListener('seam:search', ({ detail }) => window.searches.push(detail));
    });
    bytes = 0;
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    let begun = false;
    let before = 0;
    for (const typed of [...query].map((_, i) => query.slice(0, i + 1)).filter((each) => each.trim() === each && each.length > 1)) {
      await page.getByRole('combobox').fill(typed);
      await page.waitForFunction((wanted) => window.searches.some((each) => each.query === wanted), typed);
      const found = await page.evaluate((wanted) => window.searches.find((each) => each.query === wanted).count, typed);
      if (begun) {
        sum.further += bytes - before;
        sum.letters++;
      } else if (found > 0) {
        sum.first += bytes;
        begun = true;
      }
      before = bytes;
    }
    sum.queries++;
    await context.close();
  }
  const [first, further] = [sum.first / sum.queries, sum.further / sum.letters];
  t.diagnostic(`first results ${Math.round(first)} bytes, a letter more ${Math.round(further)} of ${sum.letters}`);
  assert.ok(first <= most.first && further <= most.further && sum.letters > 300, `${first} and ${further} bytes, ${sum.letters} letters`);
});
