// The widget on a site with versions: a reader finds pages of the current version until
// choosing another.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS } from './harness.mjs';
import { staticHost, visit } from './static-host.mjs';

let browser;
let dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-versions-'));
  const write = (name, lang, metas, title, text, attributes = '') => {
    const head = Object.entries(metas).map(([key, value]) => `<meta name="${key}" content="${value}">`).join('');
    const body = `<main><h1>${title}</h1><p>${text}</p></main><seam-search index="/seam/" ${attributes}></seam-search><script type="module" src="/seam/widget.js"></script>`;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>${head}</head><body>${body}</body></html>`);
  };
  const of = (version) => ({ docusaurus_version: version, docusaurus_tag: `docs-default-${version}` });
  write('docs/1.0/tension.html', 'en', of('1.0'), 'Rope', 'The tension is set by a rope.');
  write('docs/tension.html', 'en', of('2.0'), 'Lever', 'The tension is set by a lever.');
  write('docs/next/tension.html', 'en', of('current'), 'Motor', 'The tension is set by a motor.');
  write('blog.html', 'en', {}, 'Blog', 'Why tension matters to weavers.');
  write('wide.html', 'en', of('2.0'), 'Wide', 'A reed is wide.', 'narrow="none"');
  write('owner.html', 'en', of('2.0'), 'Owner', 'A reed is narrow.', 'filter="version:1.0"');
  write('pt/fio.html', 'pt-PT', { 'docsearch:language': 'pt-PT', 'docsearch:version': '2.0' }, 'Fio', 'O fio parte.');
  write('br/fio.html', 'pt-BR', { 'docsearch:language': 'pt-BR', 'docsearch:version': '2.0' }, 'Linha', 'O fio arrebenta.');
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam')]);
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

async function open(t, name) {
  const host = await staticHost(t, { dir, base: '/' });
  const { page, check } = await visit(t, browser, host.url + name);
  await page.waitForFunction(() => customElements.get('seam-search'));
  /** Returns the titles found by a query. */
  const find = async (query) => {
    if (!await page.getByRole('dialog').isVisible()) await page.keyboard.press('Control+k');
    const told = page.evaluate(() => new Promise((done) => document.addEventListener('seam:search', done, { once: true })));
    await page.getByRole('combobox', { name: /Search|Buscar/ }).fill(query);
    await told;
    return titles();
  };
  const titles = async () => (await page.locator('seam-search .title').allInnerTexts()).sort();
  const version = page.getByLabel('version');
  const choose = async (value, first) => {
    await version.selectOption(value);
    await page.getByRole('option', { name: first }).first().waitFor();
  };
  return { page, check, find, titles, version, choose };
}

test('a reader of a version finds its pages, and those of all versions', async (t) => {
  const { page, check, find, titles, version, choose } = await open(t, 'docs/tension.html');
  assert.deepEqual(await find('tension'), ['Blog', 'Lever']);
  assert.equal(await version.inputValue(), '2.0');
  assert.deepEqual(await version.locator('option').allInnerTexts(), ['all', '1.0 (2)', '2.0 (2)', 'current (2)']);
  await choose('1.0', /^Rope/);
  assert.deepEqual(await titles(), ['Blog', 'Rope']);
  assert.deepEqual(await find('set'), ['Rope'], 'what was chosen stays');
  await choose('', /^Lever/);
  assert.deepEqual(await titles(), ['Lever', 'Motor', 'Rope']);
  assert.deepEqual(await find('tension'), ['Blog', 'Lever', 'Motor', 'Rope'], 'all of them, until another is chosen');
  check();
  const of = async (options) => page.evaluate(async (o) => (await document.querySelector('seam-search').search('tension', o)).hits.map((h) => h.title).sort(), options);
  await page.reload();
  await page.waitForFunction(() => customElements.get('seam-search'));
  assert.deepEqual(await of({}), ['Blog', 'Lever']);
  assert.deepEqual(await of({ filters: {} }), ['Blog', 'Lever', 'Motor', 'Rope'], 'filters of a call are all that counts');
});

test('a page that becomes one of another version without being loaded is followed', async (t) => {
  const { page, check, find } = await open(t, 'docs/tension.html');
  assert.deepEqual(await find('tension'), ['Blog', 'Lever']);
  await page.keyboard.press('Escape');
  await page.evaluate(() => { document.querySelector('meta[name=docusaurus_version]').content = 'current'; });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /^Motor/ }).waitFor();
  assert.equal(await page.getByRole('option', { name: /^Lever/ }).count(), 0);
  check();
});

test('a page of no version, narrow="none" and the owner’s filter', async (t) => {
  const all = ['Blog', 'Lever', 'Motor', 'Rope'];
  const blog = await open(t, 'blog.html');
  assert.deepEqual(await blog.find('tension'), all);
  const wide = await open(t, 'wide.html');
  assert.deepEqual(await wide.find('tension'), all);
  const owner = await open(t, 'owner.html');
  assert.deepEqual(await owner.find('tension'), ['Blog', 'Rope']);
});

test('a reader of one of two variants of a language finds its pages; a version that all pages have is no choice', async (t) => {
  const { page, find, version } = await open(t, 'br/fio.html');
  assert.deepEqual(await find('fio'), ['Linha']);
  assert.equal(await page.getByLabel('language').inputValue(), 'pt-BR');
  assert.equal(await version.count(), 0);
});
