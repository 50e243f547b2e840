// The widget also searches by meaning: after the word results, below the reader's focus,
// under a strict policy, and only if the connection allows it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS } from './harness.mjs';
import { accessible } from './looks.mjs';
import { byExtension, staticHost } from './static-host.mjs';

const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

const texts = {
  tyre: ['Punctured tyres', 'A tyre that has a hole loses its air. Take the tube out, glue a patch on it and pump it up again.'],
  loan: ['Borrowing money', 'A bank lends money to a customer, who pays it back with interest every month.'],
  doctor: ['Seeing a doctor', 'Patients with a fever make an appointment at the clinic, where a physician examines them.'],
  bread: ['Baking bread', 'Mix flour, water, salt and yeast, let the dough rise and put the loaf into a hot oven.'],
  cat: ['Cats', 'A cat sleeps most of the day and hunts mice at night. Kittens drink milk.'],
  ship: ['Ships', 'A vessel crosses the ocean with containers; sailors load it in the harbour.'],
  rain: ['Weather', 'Rain falls from clouds. Storms bring wind and lightning.'],
  garden: ['Gardening', 'Plant seeds in spring and water the flowers. Weeds are pulled out.'],
  law: ['Courts', 'A judge hears the lawyers and the jury decides whether the accused is guilty.'],
  music: ['Music', 'The orchestra plays a symphony; violins and trumpets follow the conductor.'],
};

let browser;
let dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-widget-meaning-'));
  const page = (title, body, head = '') => `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  for (const [name, [title, text]] of Object.entries(texts)) writeFileSync(join(dir, `${name}.html`), page(title, `<p>${text}</p>`));
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam'), '--meaning', '--cache', 'off']);
  const script = '<script type="module" src="seam/widget.js"></script>';
  writeFileSync(join(dir, 'start.html'), page('Start', '<seam-search index="seam/"></seam-search>', script));
  writeFileSync(join(dir, 'off.html'), page('Start', '<seam-search index="seam/" meaning="off"></seam-search>', script));
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

/**
 * Opens a page of the site with its search open, and records its requests; `begin` runs in
 * the page before everything else.
 */
async function visit(t, name, { begin, host, context, without, ignore = /^$/, ...options } = {}) {
  host ??= await staticHost(t, { dir, base: '/docs/', without, headers: (file) => ({ ...byExtension(file), 'content-security-policy': policy }) });
  if (!context) {
    context = await contextOf(browser, options);
    t.after(() => context.close());
    if (begin) await context.addInitScript(begin);
  }
  const trouble = [];
  const asked = [];
  const page = await context.newPage();
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !ignore.test(m.text())) trouble.push(m.text()); });
  page.on('pageerror', (e) => trouble.push(e.stack));
  page.on('request', (r) => asked.push(r.url().slice(host.url.length)));
  const read = []; // sizes of parts of files
  page.on('response', (r) => { if (r.status() === 206) read.push({ name: r.url().slice(host.url.length), size: Number(r.headers()['content-length']) }); });
  await page.goto(host.url + name);
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).waitFor();
  return { page, host, context, asked, read, check: () => assert.deepEqual(trouble, []) };
}

const field = (page) => page.locator('seam-search [role=combobox]:visible');
const options = (page) => page.locator('seam-search [role=option]:visible');
const titles = (page) => options(page).locator('.title').allInnerTexts();

/** Types a query and waits for the event that it was answered. */
async function look(page, query, event = 'seam:meaning') {
  const told = page.evaluate(([q, name]) => new Promise((done) => document.addEventListener(name, function seen(e) {
    if (e.detail.query !== q) return;
    document.removeEventListener(name, seen);
    done(e.detail);
  })), [query, event]);
  await field(page).fill(query);
  return told;
}

test('what no word finds is found by meaning, under a strict policy, and axe finds nothing', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.evaluate(() => document.addEventListener('seam:search', () => { globalThis.before = performance.getEntriesByType('resource').map(({ name }) => name); }, { once: true }));
  const told = await look(page, 'repair flat bicycle wheel');
  const before = await page.evaluate(() => globalThis.before);
  assert.ok(before.some((name) => /widget-panel/.test(name)) && !before.some((name) => /widget-meaning|meaning\/|\/v\./.test(name)), `until the words have answered: ${before}`);
  assert.match(told.top, /\/tyre\.html$/);
  assert.equal((await titles(page))[0], 'Punctured tyres');
  assert.equal(await options(page).first().getAttribute('aria-selected'), 'true');
  assert.equal(await field(page).evaluate((e) => e.getRootNode().activeElement === e), true, 'the focus stays in the field');
  await accessible(page, 'seam-search', 'seam-search');
  await page.keyboard.press('Enter');
  await page.waitForURL(/tyre\.html$/);
  check();
});

test('what the reader is on, and all above it, stays where it is', async (t) => {
  let letGo;
  const held = new Promise((done) => { letGo = done; });
  const { page, check } = await visit(t, 'start.html');
  await page.route(/meaning\/e\./, async (route) => {
    await held;
    await route.continue();
  });
  const query = 'a boat at sea with money, milk and water';
  const meant = look(page, query);
  await options(page).nth(2).waitFor();
  const before = await titles(page);
  await page.keyboard.press('ArrowDown');
  const on = await field(page).getAttribute('aria-activedescendant');
  const box = await page.locator(`seam-search #${on}`).boundingBox();
  letGo();
  await meant;
  assert.equal(await field(page).getAttribute('aria-activedescendant'), on);
  assert.deepEqual(await page.locator(`seam-search #${on}`).boundingBox(), box, 'it has not moved');
  const after = await titles(page);
  assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
  assert.equal(new Set(after).size, after.length, 'no page twice');
  assert.ok(after.length > before.length, `${after} beside ${before}`);
  const last = after.length - 1;
  for (let i = 1; i < last; i++) await page.keyboard.press('ArrowDown');
  assert.equal(await options(page).nth(last).getAttribute('aria-selected'), 'true', 'the new ones are reached by keys');
  check();
});

test('the list as typed is the one of the command line, and the API’s', async (t) => {
  const { page, host, check } = await visit(t, 'start.html');
  for (const query of ['mend a hole in a bicycle wheel', 'money for a boat', 'a physician for a sick person', 'who decides about guilt', 'cat at night', 'milk']) {
    const meant = page.evaluate((q) => new Promise((done) => document.addEventListener('seam:meaning', (e) => e.detail.query === q && done())), query);
    await field(page).fill('');
    await field(page).pressSequentially(query);
    await meant;
    const list = await page.locator('seam-search [role=group][aria-label]').evaluateAll((groups) => groups.map((g) => g.querySelector('a').href));
    const { hits } = JSON.parse(execFileSync(process.env.SEAM, ['search', '--index', join(dir, 'seam'), '--json', query], { encoding: 'utf8' }));
    assert.deepEqual(list, hits.map(({ url }) => new URL(url, host.url).href), query);
    const api = await page.evaluate((q) => document.querySelector('seam-search').search(q), query);
    assert.deepEqual(api.hits.map(({ url }) => url), list, query);
  }
  check();
});

test('nothing is fetched with Save-Data, on a slow connection, or where the site wants none of it', async (t) => {
  const slow = (connection) => `Object.defineProperty(navigator, 'connection', { value: ${JSON.stringify(connection)} })`;
  for (const [name, begin] of [['start.html', slow({ saveData: true })], ['start.html', slow({ effectiveType: '3g' })], ['start.html', slow({ effectiveType: 'slow-2g' })], ['off.html', slow({ effectiveType: '4g' })]]) {
    const { page, asked, check } = await visit(t, name, { begin });
    await page.clock.install();
    await look(page, 'money for a boat', 'seam:search');
    await page.clock.runFor(1000); // nobody types
    await look(page, 'money', 'seam:search');
    assert.deepEqual(asked.filter((file) => /meaning|\/v\./.test(file)), [], `${name}: ${begin}`);
    check();
  }
});

test('the encoder is small, and kept by the browser', async (t) => {
  const observe = () => {
    globalThis.long = [];
    new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((e) => e.duration))).observe({ type: 'longtask' });
  };
  const first = await visit(t, 'start.html', { begin: observe });
  await first.page.evaluate(async () => (await caches.open('seam-meaning')).put('seam/meaning/e.000000.bin', new Response('of an older model')));
  await look(first.page, 'repair flat bicycle wheel');
  const kept = await first.page.evaluate(async () => (await (await caches.open('seam-meaning')).keys()).map(({ url }) => url));
  assert.ok(kept.length > 1 && !kept.some((url) => url.includes('e.000000')), `${kept}`);
  console.log(`long tasks: ${JSON.stringify(await first.page.evaluate(() => globalThis.long))}`);
  const size = (name) => statSync(join(dir, decodeURI(name))).size;
  const encoder = first.asked.filter((name) => /meaning\/e\./.test(name));
  const table = first.read.filter(({ name }) => /meaning\/w/.test(name));
  assert.equal(encoder.length, 1);
  assert.ok(size(encoder[0]) <= 3_000_000, `${size(encoder[0])} bytes of the encoder`);
  const rows = table.reduce((sum, part) => sum + part.size, 0);
  assert.ok(rows > 0 && rows <= 100_000, `${rows} bytes of its table`);
  const all = readdirSync(join(dir, 'seam/meaning')).reduce((sum, name) => sum + size(`seam/meaning/${name}`), 0);
  assert.ok(all <= 8_000_000, `${all} bytes in all`);
  const second = await visit(t, 'start.html', first);
  await look(second.page, 'repair flat bicycle wheel');
  assert.deepEqual(second.asked.filter((name) => /seam\/meaning\//.test(name)), []);
  first.check();
});

test('a file that is missing is told once, and words go on', async (t) => {
  const { page, asked } = await visit(t, 'start.html', { without: /meaning\/e\./, ignore: /404/ });
  const told = page.waitForEvent('console', (m) => m.type() === 'warning' && /found by their words alone/.test(m.text()));
  await look(page, 'money', 'seam:search');
  await told;
  assert.equal((await titles(page))[0], 'Borrowing money');
  await look(page, 'milk', 'seam:search');
  assert.equal(asked.filter((name) => /meaning\/e\./.test(name)).length, 1);
});

test('what a host sends in the place of a file is not kept', async (t) => {
  // As one-page hosts do during a deployment, and networks with a login page.
  const page = '<!doctype html><title>Home</title>';
  const host = await staticHost(t, { dir, base: '/docs/', change: (name, body) => (/meaning\/e\./.test(name) ? page : body) });
  const first = await visit(t, 'start.html', { host, ignore: /by their words alone/ });
  const told = first.page.waitForEvent('console', (m) => m.type() === 'warning' && /by their words alone/.test(m.text()));
  await look(first.page, 'money', 'seam:search');
  await told;
  host.restore();
  const second = await visit(t, 'start.html', first);
  await field(second.page).fill('repair flat bicycle wheel');
  await options(second.page).filter({ hasText: 'Punctured tyres' }).waitFor();
  second.check();
});
