// The widget on a generated docs site.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS } from './harness.mjs';
import { accessible } from './looks.mjs';
import { dir, field, look, options, visit } from './widget-site.mjs';

test('before anybody searches one small script is asked for, and nothing moves', async (t) => {
  const { page, asked, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).waitFor();
  assert.deepEqual(asked, ['start.html', 'seam/widget.js']);
  const shift = await page.evaluate(() => new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries().reduce((sum, e) => sum + e.value, 0))).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
  }));
  assert.ok(shift < 0.01, `${shift}`);
  check();
});

test('by keyboard: opened, typed, chosen, followed to its section, and closed again', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  const button = page.getByRole('button', { name: 'Search' });
  await button.focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  assert.equal(await field(page).evaluate((e) => e.getRootNode().activeElement === e), true);
  const told = await look(page, 'a thread breaks');
  assert.ok(told.count > 1 && told.ms >= 0 && told.top.endsWith('/docs/guide/mending.html#broken'), JSON.stringify(told));
  const first = options(page).first();
  assert.match(await first.innerText(), /^Mending\n/);
  assert.equal(await first.getAttribute('aria-selected'), 'true');
  assert.equal(await field(page).getAttribute('aria-activedescendant'), await first.getAttribute('id'));
  assert.ok((await page.locator('seam-search mark').allInnerTexts()).includes('thread'));
  await page.keyboard.press('ArrowDown');
  assert.equal(await first.getAttribute('aria-selected'), 'false');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'seam-search', 'the focus is where it was');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Enter');
  await page.waitForURL(/guide\/mending\.html#broken$/);
  check();
});

test('where a site has made its rem 10 pixels to reckon with, results are as large as text', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.evaluate(() => { document.documentElement.style.fontSize = '62.5%'; });
  await page.evaluate(() => document.querySelector('seam-search').open('loom'));
  await options(page).first().waitFor();
  const sizes = await options(page).first().evaluate((option) => [option, ...option.querySelectorAll('*')].filter(({ textContent }) => textContent.trim()).map((each) => parseFloat(getComputedStyle(each).fontSize)));
  assert.ok(Math.min(...sizes) >= 12, `${sizes}`);
  check();
});

test('what was searched for is offered again, and can be forgotten', async (t) => {
  const { page, host, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'tension');
  await options(page).first().click();
  await page.waitForURL(/guide\/tension/);
  await page.goto(`${host.url}start.html`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('option', { name: 'tension' }).click();
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Forget these' }).click();
  assert.equal(await options(page).count(), 0);
  assert.equal(await page.evaluate(() => localStorage.getItem('seam-search:recent')), null);
  check();
});

test('a typing error, a word that no page has, and nothing at all are told', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'troubelshooting ');
  await page.getByText('No page in this search has “troubelshooting”. These are results for “troubleshooting”.').waitFor();
  await page.getByRole('option', { name: /^Troubleshooting/ }).first().waitFor();
  await look(page, 'bluetooth zebra ');
  await page.getByText('No page in this search has the word “zebra”.').waitFor();
  await page.getByRole('option', { name: /^News/ }).first().waitFor();
  await look(page, 'xylophone ');
  await page.getByText('Nothing found for “xylophone”.').waitFor();
  assert.equal(await options(page).count(), 0);
  assert.equal(await field(page).getAttribute('aria-expanded'), 'false');
  await look(page, 'sol');
  await page.getByRole('option', { name: /solenoid/ }).first().waitFor();
  check();
});

test('what a page says is text, whatever it says', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'quetzal feathers');
  assert.match(await options(page).first().innerText(), /<script>alert\(2\)<\/script>/);
  assert.equal(await page.locator('seam-search img, seam-search .list script').count(), 0);
  check();
});

test('as an API: search() and open()', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  const found = await page.evaluate(() => document.querySelector('seam-search').search('max torque', { k: 3 }));
  assert.equal(found.count, 1);
  assert.match(found.hits[0].url, /\/docs\/api\/tension\.html#loom\.tension\.setTarget$/);
  assert.equal(found.hits[0].title, 'loom.tension');
  assert.equal(found.hits[0].section, 'loom.tension.setTarget(newton, beam=None)');
  assert.match(found.hits[0].excerpt, /maxTorque/);
  assert.ok(found.hits[0].score > 0);
  const api = await page.evaluate(() => document.querySelector('seam-search').search('shafts', { filters: { kind: ['API'] } }));
  assert.deepEqual(api.hits.map((h) => h.title), ['loom.shafts']);
  await page.evaluate(() => document.querySelector('seam-search').open('selenoid'));
  await page.getByText('No page in this search has “selenoid”').waitFor();
  check();
});

test('to the agent of a browser the search is a tool, until the element is gone', async (t) => {
  const other = await chromium.launch({ executablePath: executablePath(), args: [...FLAGS, '--enable-blink-features=WebMCP'] });
  t.after(() => other.close());
  const { page, check, asked } = await visit(t, 'two.html', { in: other });
  const tools = () => page.evaluate(async () => (await document.modelContext.getTools()).map((tool) => tool.name));
  assert.deepEqual(await tools(), ['search_site']);
  assert.ok(!asked.some((name) => name.endsWith('seam.json')), 'offering it asks for nothing');
  const found = await page.evaluate(async () => {
    const [tool] = await document.modelContext.getTools();
    return document.modelContext.executeTool(tool, { query: 'max torque', k: 2 });
  });
  assert.match(JSON.stringify(found), /api\/tension\.html#loom\.tension\.setTarget/);
  await page.evaluate(() => document.querySelectorAll('seam-search').forEach((e) => e.remove()));
  assert.deepEqual(await tools(), []);
  check();
});

test('pages are narrowed to what they say of themselves, from the owner’s choice on', async (t) => {
  const { page, check } = await visit(t, 'narrow.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'tension');
  const kind = page.getByLabel('folder');
  assert.equal(await kind.inputValue(), 'guide');
  assert.deepEqual(await kind.locator('option').allInnerTexts(), ['all', 'api (1)', 'guide (2)']);
  const titles = async () => (await page.locator('seam-search .title').allInnerTexts()).sort();
  assert.deepEqual(await titles(), ['Tension', 'Warping']);
  await kind.selectOption('api');
  await page.getByRole('option', { name: /^loom.tension/ }).first().waitFor();
  assert.deepEqual(await titles(), ['loom.tension']);
  await kind.selectOption('');
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();
  assert.ok((await titles()).length > 3);
  check();
});

test('the newest first, with their days; pictures of pages where the owner wants them', async (t) => {
  const { page, check } = await visit(t, 'pictures.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'loom');
  const titles = () => page.locator('seam-search .title').allInnerTexts();
  assert.notEqual((await titles())[0], 'Mending');
  await page.getByLabel('Order').selectOption({ label: 'newest first' });
  await page.getByText('Sep 14, 2026').waitFor();
  assert.deepEqual((await titles()).slice(0, 2), ['Mending', 'News']);
  const img = page.locator('seam-search .option img');
  assert.equal(await img.count(), 1);
  await img.evaluate((i) => i.decode());
  assert.match(await img.getAttribute('src'), /\/docs\/knot\.svg$/);
  await page.screenshot({ path: process.env.SHOT ?? join(dir, 'newest.png') });
  const api = await page.evaluate(() => document.querySelector('seam-search').search('loom', { k: 1, newest: true }));
  assert.deepEqual(api.hits.map((h) => [h.title, h.date]), [['Mending', '2026-09-14']]);
  check();
});

test('a theme’s own field opens it with what is typed there', async (t) => {
  const { page, check } = await visit(t, 'theme.html');
  await page.getByLabel('Find').press('t');
  await page.getByRole('dialog').waitFor();
  assert.equal(await field(page).inputValue(), 't');
  await page.keyboard.type('ension');
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();
  check();
});

test('a page of its own has the query in its address', async (t) => {
  const { page, host, check } = await visit(t, 'find.html?q=tension');
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await look(page, 'reed');
  assert.equal(page.url(), `${host.url}find.html?q=reed`);
  check();
});

test('each language has its own index and words', async (t) => {
  const german = await visit(t, 'de/start.html');
  await german.page.getByRole('button', { name: 'Suche' }).click();
  await look(german.page, 'schluessel');
  await german.page.getByRole('option', { name: /^Webstuhl/ }).first().waitFor();
  await look(german.page, 'xylophon ');
  await german.page.getByText('Nichts gefunden zu „xylophon“.').waitFor();
  german.check();
  const arabic = await visit(t, 'ar/start.html', { host: german.host });
  await arabic.page.getByRole('button', { name: 'بحث' }).click();
  await look(arabic.page, 'المقطوع');
  await arabic.page.getByRole('option', { name: /النول/ }).first().waitFor();
  assert.equal(await arabic.page.getByRole('dialog').evaluate((e) => getComputedStyle(e).direction), 'rtl');
  arabic.check();
});

test('two on a page; one whose index is not there says so, and tries again', async (t) => {
  const { page } = await visit(t, 'two.html', { ignore: /404/ });
  await page.locator('#other').press('/');
  assert.equal(await page.getByRole('dialog').count(), 0, 'a key that is typed into a field is no shortcut');
  await page.locator('#other').blur();
  await page.keyboard.press('/');
  await look(page, 'tension');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Second' }).click();
  await field(page).fill('tension');
  await page.getByText('The search of this site is not there. Its owner may not have built it yet.').waitFor();
  await page.route('**/nowhere/**', async (route) => route.fulfill({ response: await route.fetch({ url: route.request().url().replace('/nowhere/', '/seam/') }) }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();
});

test('the page that a result leads to marks the words until Escape, and so does a section of the same page', async (t) => {
  const { page, asked, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).click();
  assert.ok(!asked.some((name) => /widget-marks/.test(name)), 'before a result is followed');
  const reach = async (word) => page.evaluate((w) => {
    const marks = CSS.highlights.get('seam-search');
    return marks ? [...marks].filter((r) => r.toString() === w).length : 0;
  }, word);
  // The handbook's pages have no widget, so this one gets one.
  await page.route('**/guide/mending.html', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('</main>', '</main><seam-search index="../seam/"></seam-search><script type="module" src="../seam/widget.js"></script>') });
  });
  await look(page, 'thread breaks');
  await page.getByRole('option', { name: /^Mending/ }).first().click();
  await page.waitForURL(/mending\.html#broken$/);
  await page.waitForFunction(() => CSS.highlights.has('seam-search'));
  assert.equal(await reach('thread'), 2);
  assert.equal(await reach('breaks'), 1);
  assert.equal(await reach('Loom'), 0);
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => CSS.highlights.has('seam-search')), false);
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'weaver’s knot');
  await page.getByRole('option', { name: /^Mending/ }).first().click();
  await page.waitForFunction(() => CSS.highlights.has('seam-search'));
  assert.equal(await reach('knot'), 1);
  await page.reload();
  await page.waitForFunction(() => customElements.get('seam-search'));
  assert.equal(await page.evaluate(() => CSS.highlights.has('seam-search')), false, 'a page that is loaded again is as it was');
  check();
});

test('offline is told; an index that was replaced while the page was open is read anew', async (t) => {
  const { page, host } = await visit(t, 'start.html', { ignore: /ERR_|404/ });
  await page.route('**/*.bin', (route) => route.abort());
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('tension');
  await page.getByText('The search could not be loaded. Check your connection.').waitFor();
  await page.unroute('**/*.bin');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();

  const next = mkdtempSync(join(tmpdir(), 'seam-widget-next-'));
  t.after(() => rmSync(next, { recursive: true }));
  cpSync(dir, next, { recursive: true });
  rmSync(join(next, 'seam'), { recursive: true });
  writeFileSync(join(next, 'new.html'), readFileSync(join(next, 'news.html'), 'utf8').replace('Bluetooth', 'semaphore').replace('News', 'Signals'));
  execFileSync(process.env.SEAM, ['index', '--site', next, '--out', join(next, 'seam')]);
  host.moveTo(next);
  await look(page, 'undo the last pick');
  await page.getByRole('option', { name: /^Patterns/ }).first().waitFor();
});

for (const [name, options_] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing: ${name}`, async (t) => {
    const { page, check } = await visit(t, 'start.html', options_);
    await page.getByRole('button', { name: 'Search' }).click();
    await look(page, 'troubelshooting tension ');
    await page.locator('seam-search dialog').evaluate((e) => Promise.all(e.getAnimations().map((a) => a.finished)));
    await accessible(page, 'seam-search', 'seam-search');
    const box = await page.getByRole('dialog').boundingBox();
    const { width } = page.viewportSize();
    assert.ok(box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    check();
  });
}
