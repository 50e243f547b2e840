// A page that the site has in several versions, and a page without anchors.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS } from './harness.mjs';
import { accessible } from './looks.mjs';
import { staticHost, visit } from './static-host.mjs';

let browser;
let dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-same-'));
  const page = (name, title, body) => writeFileSync(join(dir, name), `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title></head><body><main>${body}</main><seam-search index="/seam/"></seam-search><script type="module" src="/seam/widget.js"></script></body></html>`);
  for (const v of ['1.9', '1.10', '2.0']) {
    mkdirSync(join(dir, v));
    page(`${v}/warp.html`, 'Warping', `<h1>Warping</h1><p>The warp is wound on the beam, thread by thread, and each thread goes through a heddle. Version ${v}.</p>`);
  }
  page('start.html', 'Start', '<h1>Start</h1><p>Begin here.</p>');
  page('long.html', 'Long', `<p>Long page.</p>${'<p>This paragraph has nothing of note.</p>'.repeat(120)}<p>The quagga grazed behind the mill.</p>${'<p>Nothing of note follows.</p>'.repeat(120)}`);
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam'), '--cache', 'off']);
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

async function find(t, query, options = {}) {
  const host = await staticHost(t, { dir, base: '/' });
  const { page, check } = await visit(t, browser, `${host.url}start.html`, options);
  await page.waitForFunction(() => customElements.get('seam-search'));
  await page.keyboard.press('Control+k');
  const told = page.evaluate((q) => new Promise((done) => document.addEventListener('seam:search', (e) => e.detail.query === q && done(e.detail))), query);
  await page.getByRole('combobox').fill(query);
  return { page, check, host, told: await told };
}

test('the versions of a page are one result, the newest first, and the others are reached by keys', async (t) => {
  const { page, check, host, told } = await find(t, 'heddle');
  assert.deepEqual([told.count, told.top.startsWith(`${host.url}2.0/warp.html`)], [1, true], told.top);
  assert.match(await page.locator('seam-search .versions').innerText(), /^Also in\s+1\.10\s+1\.9$/);
  await accessible(page, 'seam-search', 'seam-search');
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${host.url}1.9/warp.html`);
  check();
});

test('on a long page without anchors the found words are brought into view', async (t) => {
  const { page, check } = await find(t, 'quagga');
  await page.getByRole('option').first().click();
  await page.waitForURL(/long\.html$/);
  await page.waitForFunction(() => {
    const at = [...document.querySelectorAll('p')].find((p) => p.textContent.includes('quagga')).getBoundingClientRect();
    return at.top >= 0 && at.bottom <= innerHeight;
  });
  check();
});
