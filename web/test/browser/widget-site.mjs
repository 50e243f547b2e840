// A generated site with the widget's element in its pages, below a path and with a strict
// policy: no eval, no WebAssembly, Trusted Types. It exists during the tests of the file
// that imports this.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS, web } from './harness.mjs';
import { byExtension, staticHost } from './static-host.mjs';

export const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
const icon = '<link rel="icon" href="data:,">';
const script = '<script type="module" src="SEAM/widget.js"></script>';

export let browser;
export let dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-widget-'));
  cpSync(resolve(web, '../shared/site/testdata/site'), dir, { recursive: true });
  const pages = {
    'start.html': '<seam-search index="SEAM/"></seam-search><p id="below">Below.</p>',
    'theme.html': '<form><label>Find <input id="q"></label></form><seam-search index="SEAM/" for="#q"></seam-search>',
    'narrow.html': '<seam-search index="SEAM/" filter="folder:guide"></seam-search>',
    'pictures.html': '<seam-search index="SEAM/" images></seam-search>',
    'several.html': '<seam-search index="SEAM/ OTHER" weights="1 0.5"></seam-search>',
    'find.html': '<seam-search index="SEAM/" inline></seam-search>',
    'two.html': '<seam-search index="SEAM/" shortcut="/" label="First"></seam-search><seam-search index="nowhere/" shortcut="none" label="Second"></seam-search><input id="other" aria-label="other">',
    'hostile.html': `<h1 id="h">A &lt;img src=x onerror=alert(1)&gt; title</h1><p>Quetzal &lt;script&gt;alert(2)&lt;/script&gt; feathers.</p><seam-search index="SEAM/"></seam-search>`,
    'de/start.html': '<seam-search index="../SEAM/"></seam-search>',
    'ar/start.html': '<seam-search index="../SEAM/"></seam-search>',
  };
  for (const [name, body] of Object.entries(pages)) {
    const up = name.includes('/') ? '../' : '';
    const lang = up ? name.slice(0, 2) : 'en';
    const all = `<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${icon}<title>Start</title></head><body><main>${body}</main>${script}</body></html>`;
    writeFileSync(join(dir, name), all.replaceAll('../SEAM', '../seam').replaceAll('SEAM', `${up}seam`));
  }
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam'), '--folders', 'folder']);
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

/** Opens a page of the site; `check()` fails after any console output. */
export async function visit(t, name, { host, ignore = /^$/, in: where = browser, ...options } = {}) {
  host ??= await staticHost(t, { dir, base: '/docs/', headers: (file) => ({ ...byExtension(file), 'content-security-policy': file.endsWith('pictures.html') ? policy.replace('img-src', "img-src 'self'") : policy }) });
  const context = await contextOf(where, options);
  t.after(() => context.close());
  const trouble = [];
  const asked = [];
  context.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !ignore.test(m.text())) trouble.push(m.text()); });
  context.on('weberror', (e) => trouble.push(e.error().stack));
  context.on('request', (r) => asked.push(r.url().slice(host.url.length)));
  const page = await context.newPage();
  await page.goto(host.url + name);
  await page.waitForFunction(() => customElements.get('seam-search'));
  return { page, host, asked, check: () => assert.deepEqual(trouble, []) };
}

export const field = (page) => page.locator('seam-search [role=combobox]:visible');
export const options = (page) => page.locator('seam-search [role=option]:visible');

export async function look(page, query) {
  const told = page.evaluate((q) => new Promise((done) => document.addEventListener('seam:search', function seen(e) {
    if (e.detail.query !== q) return;
    document.removeEventListener('seam:search', seen);
    done(e.detail);
  })), query);
  await field(page).fill(query);
  return told;
}
