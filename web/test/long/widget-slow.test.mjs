// Measures the widget's long tasks on a machine four times slower, while a reader opens it
// and types.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS, web } from '../browser/harness.mjs';
import { staticHost, visit } from '../browser/static-host.mjs';

const slower = 4;
const hang = 1000; // the longest task in ms, on a machine four times slower
const copies = 40; // copies of the site: some 500 pages

let browser;
let dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-slow-'));
  const site = resolve(web, '../shared/site/testdata/site');
  for (let i = 0; i < copies; i++) cpSync(site, join(dir, `part${i}`), { recursive: true });
  writeFileSync(join(dir, 'start.html'), '<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Start</title></head><body><seam-search index="/seam/"></seam-search><script type="module" src="/seam/widget.js"></script></body></html>');
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam'), '--folders', 'part']);
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

test('four times as slow, no key waits for long', async (t) => {
  const host = await staticHost(t, { dir, base: '/' });
  const { page, context, check } = await visit(t, browser, `${host.url}start.html`);
  await page.waitForFunction(() => customElements.get('seam-search'));
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.evaluate(() => {
    window.long = [];
    const take = (entries) => window.long.push(...entries.map(({ startTime, duration }) => ({ startTime, duration })));
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: 'longtask' });
    window.takeRest = () => take(observer.takeRecords());
    window.searches = [];
    document.addEventListener('seam:search', (e) => window.searches.push(e.detail));
  });
  /** Returns the long tasks of a step, in ms. */
  const during = async (what, act) => {
    const from = await page.evaluate(() => performance.now());
    await act();
    // After two frames, everything caused by the step has ended and been reported.
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))); }));
    const tasks = await page.evaluate((start) => {
      window.takeRest();
      return window.long.filter((l) => l.startTime >= start).map((l) => Math.round(l.duration));
    }, from);
    console.log(`${what}: tasks of more than 50 ms: ${tasks.join(', ') || 'none'}`);
    for (const ms of tasks) assert.ok(ms < hang, `${what}: ${ms} ms`);
  };
  await during('opening', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  });
  let typed = '';
  for (const key of 'why does a thread break') {
    typed += key;
    await during(JSON.stringify(typed), async () => {
      await page.keyboard.type(key);
      await page.waitForFunction((q) => window.searches.some(({ query }) => query === q), typed);
    });
  }
  console.log(`searches: ${(await page.evaluate(() => window.searches.map(({ ms }) => Math.round(ms)))).join(', ')} ms`);
  await page.locator('seam-search .option').first().waitFor();
  check();
});
