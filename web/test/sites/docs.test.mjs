// Seam's own documentation, built like `make docs` below a path, and searched in Chromium
// with its own widget.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS, web } from '../browser/harness.mjs';
import { accessible } from '../browser/looks.mjs';
import { staticHost, visit } from '../browser/static-host.mjs';

const docs = join(web, 'docs');
const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
let dir;
let built;
let browser;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-docs-'));
  built = join(dir, 'site');
  if (!existsSync(join(docs, 'node_modules'))) execFileSync('npm', ['ci', '--no-fund', '--no-audit', '--silent'], { cwd: docs });
  execFileSync('npx', ['vitepress', 'build', '--outDir', built], { cwd: docs, env: { ...process.env, SEAM: seam, BASE: 'handbook/seam' }, stdio: ['ignore', 'ignore', 'pipe'] });
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

/** Returns the names of the source pages. */
const sources = () => readdirSync(join(docs, 'pages'), { recursive: true }).filter((name) => name.endsWith('.md'));

async function open(t, path, options) {
  const host = await staticHost(t, { dir: built, base: '/handbook/seam/' });
  return visit(t, browser, host.url + path, options);
}

test('what a reader types leads to the section that answers it', async (t) => {
  const { page, check } = await open(t, 'guide/page.html');
  for (const [query, path] of [
    ['how long may a chunk be', 'methods/limits.html#minimum-and-maximum'],
    ['what is sent to a hosted model', 'guide/privacy.html#what-a-hosted-model-is-sent'],
    ['serch box in mkdocs', 'widget/recipes.html#mkdocs-material'],
    ['budget.day.dollars', 'proxy/keys.html#budget-day-dollars-key'],
  ]) {
    await page.keyboard.press('Control+k');
    const found = page.evaluate((q) => new Promise((done) => {
      document.addEventListener('seam:search', (e) => { if (e.detail.query === q) done(); });
    }), query);
    await page.getByRole('combobox', { name: 'Search' }).fill(query);
    await found;
    const first = page.locator('seam-search .option').first();
    assert.ok((await first.getAttribute('href')).endsWith(`/handbook/seam/${path}`), `${query}: ${await first.getAttribute('href')}`);
    await first.click();
    await page.waitForURL((url) => url.href.endsWith(path));
    await page.locator('seam-search dialog').waitFor({ state: 'hidden' });
  }
  check();
});

test('every command has its page and every method its heading', async (t) => {
  const help = execFileSync(seam, ['chunk', '--help'], { encoding: 'utf8' }).replace(/\s+/g, ' ');
  const methods = /find the boundaries: ([^.(]*[^.( ])/.exec(help)[1].split(', ');
  assert.ok(methods.includes('semantic') && methods.includes('fixed'));
  const written = sources().filter((name) => name.startsWith('methods/')).map((name) => readFileSync(join(docs, 'pages', name), 'utf8')).join('\n');
  for (const method of methods) {
    assert.match(written, new RegExp(`^##? ${method}\\b`, 'm'), method);
    assert.match(written, new RegExp(`<Curve of="${method}[ "]`), method);
  }
  const { page } = await open(t, 'commands/');
  const found = await page.locator('.vp-doc td code').allInnerTexts();
  const listed = execFileSync(seam, ['--help'], { encoding: 'utf8' });
  assert.ok(found.length > 10);
  for (const name of found) assert.ok(listed.includes(`\n  ${name} `), name);
  await page.locator('.vp-doc').getByRole('link', { name: 'eval grid' }).click();
  await page.getByRole('heading', { name: '--questions' }).waitFor();
});

/** Returns the names of the attributes that the widget reads. */
function attributes() {
  const widget = join(web, 'widget');
  const scripts = readdirSync(widget, { recursive: true }).filter((name) => name.endsWith('.ts')).map((name) => readFileSync(join(widget, name), 'utf8'));
  const read = new Set([...scripts.join('\n').matchAll(/(?:get|has)Attribute\('([a-z-]+)'\)/g)].map((m) => m[1]));
  assert.ok(read.has('weights') && read.has('images') && read.size > 10);
  return read;
}

test('every attribute that the widget reads is in its reference', () => {
  const written = readFileSync(join(docs, 'pages/widget/reference.md'), 'utf8').split('\n').filter((line) => line.startsWith('| `')).map((line) => line.split('|')[1]).join(' ');
  for (const name of attributes()) if (!['lang', 'dir', 'class', 'data-theme', 'href'].includes(name)) assert.ok(written.includes(`\`${name}\``), name);
});

test('an attribute can be set as React does: by the property of its name, where there is one', async (t) => {
  const { page } = await open(t, 'guide/page.html');
  await page.waitForFunction(() => customElements.get('seam-search'));
  const lost = await page.evaluate((names) => {
    'use strict';
    return names.filter((name) => {
      const e = document.createElement('seam-search');
      try {
        if (name in e) e[name] = 'x';
        else e.setAttribute(name, 'x');
      } catch {
        return true;
      }
      return e.getAttribute(name) !== 'x';
    });
  }, [...attributes()].filter((name) => name !== 'dir')); // it accepts no x
  assert.deepEqual(lost, []);
});

test('the pictures are of what seam finds', async (t) => {
  const { page } = await open(t, 'methods/semantic.html');
  const { chunks } = JSON.parse(execFileSync(seam, ['chunk', '--cache', 'off', '--format', 'json', join(web, 'sample/sample.txt')], { encoding: 'utf8' }));
  const picture = page.locator('.curve').first();
  assert.equal(await picture.locator('svg .chunk').count(), chunks.length);
  assert.equal(await picture.locator('svg .bar.cut').count(), chunks.length - 1);
});

test('the commands of the pages run', () => {
  const at = join(dir, 'commands');
  mkdirSync(join(at, 'notes'), { recursive: true });
  cpSync(join(web, 'sample/sample.txt'), join(at, 'sample.txt'));
  cpSync(join(web, 'sample/sample.txt'), join(at, 'notes/sample.md'));
  cpSync(built, join(at, 'public'), { recursive: true });
  writeFileSync(join(at, 'expansions.jsonl'), '{"id": "0000000000000000", "terms": {"umbrella": 0.5}}\n'); // a model's view of chunks
  const blocks = sources().flatMap((name) => [...readFileSync(join(docs, 'pages', name), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map((m) => m[1]));
  // Commands that serve or clear a cache are not run here.
  const lines = blocks.join('').split('\n').filter((line) => /^(OPENAI_API_KEY=… )?seam (?!serve|cache|index .*--watch|ask --local)/.test(line));
  assert.ok(lines.length > 30);
  for (const line of lines) {
    try {
      execFileSync('bash', ['-ec', `set -o pipefail; seam() { "${seam}" "$@"; }; ${line}`], { cwd: at, env: { ...process.env, SEAM_CACHE: 'off' }, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (e) {
      assert.fail(`${line}: ${e.stderr}`);
    }
  }
});

for (const [name, options] of Object.entries({ light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing in the guide: ${name}`, async (t) => {
    const { page, check } = await open(t, 'guide/page.html', options);
    await page.waitForFunction(() => customElements.get('seam-search'));
    await accessible(page, 'the guide', ':root', { others: [] });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    check();
  });
}
