// The widget when a reader comes back from a result, when files are gone or late, and when a
// word is in another language of the site.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staticHost } from './static-host.mjs';
import { dir, field, look, options, visit } from './widget-site.mjs';

/** Follows the second result of a query, and goes back. */
async function backFrom(page) {
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'thread');
  const second = options(page).nth(1);
  const url = await second.evaluate((e) => e.href);
  await second.click();
  await page.waitForURL(url);
  await page.goBack();
  await options(page).nth(1).waitFor();
  assert.equal(await field(page).inputValue(), 'thread');
  assert.equal(await page.locator('seam-search [aria-selected=true]').evaluate((e) => e.href), url, 'the result that was followed is chosen');
}

test('Back from a result shows the list again, with the result chosen', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await backFrom(page);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !history.state?.seamSearch);
  await page.reload();
  await page.waitForFunction(() => customElements.get('seam-search'));
  assert.equal(await page.getByRole('dialog').count(), 0, 'a search that was closed stays closed');
  await page.goto('about:blank');
  await page.goBack();
  await page.waitForFunction(() => customElements.get('seam-search'));
  assert.equal(await page.getByRole('dialog').count(), 0, 'and after another way back');
  check();
});

// Playwright loses a page that comes from the cache, so this page stays, and gets the event.
test('Back from the back/forward cache shows the list again', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.evaluate(() => document.addEventListener('click', (e) => { if (e.composedPath()[0].closest('a')) e.preventDefault(); }));
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'thread');
  const second = options(page).nth(1);
  const url = await second.evaluate((e) => e.href);
  await second.click();
  await page.waitForFunction(() => history.state?.seamSearch);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await options(page).nth(1).waitFor();
  assert.equal(await field(page).inputValue(), 'thread');
  assert.equal(await page.locator('seam-search [aria-selected=true]').evaluate((e) => e.href), url);
  check();
});

test('Back from a section of the same page shows the list again', async (t) => {
  const { page, check } = await visit(t, 'hostile.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'quetzal');
  const url = await options(page).first().evaluate((e) => e.href);
  assert.match(url, /hostile\.html#h$/);
  await options(page).first().click();
  await page.waitForURL(url);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.goBack();
  await options(page).first().waitFor();
  assert.equal(await field(page).inputValue(), 'quetzal');
  check();
});

test('a word that only a page in another language has finds that page', async (t) => {
  const { page, asked, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'tension');
  assert.ok(!asked.some((name) => /\/(de|ar|zh)\//.test(name)), 'other languages are asked only for words that this one lacks');
  const told = await look(page, 'Sicherheitsabschaltung');
  assert.match(told.top, /\/de\//);
  assert.doesNotMatch(await page.locator('seam-search .notes').innerText(), /No page/);
  await look(page, 'Sicherheitsabschaltung xylophone');
  assert.match(await page.locator('seam-search .notes').innerText(), /No page in this search has the word “xylophone”/);
  assert.doesNotMatch(await page.locator('seam-search .notes').innerText(), /abschaltung/);
  const { hits, unknown } = await page.evaluate(() => document.querySelector('seam-search').search('Sicherheitsabschaltung'));
  assert.match(hits[0].url, /\/de\//);
  assert.deepEqual(unknown, []);
  check();
});

test('the API completes the last word and finds the list', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.getByRole('button', { name: 'Search' }).click();
  for (const query of ['tens', 'troubelshooting', 'thread breaks', 'loom.tension', 'schluess']) {
    await look(page, query);
    const list = await page.locator('seam-search [role=group][aria-label]').evaluateAll((groups) => groups.map((g) => g.querySelector('a').href));
    const { hits } = await page.evaluate((q) => document.querySelector('seam-search').search(q), query);
    assert.ok(list.length > 0, query);
    assert.deepEqual(hits.map(({ url }) => url), list, query);
  }
  check();
});

test('a host that knows no ranges sends whole files, each once', async (t) => {
  const of = async (ranges) => {
    const host = await staticHost(t, { dir, base: '/docs/', ranges });
    const { page, asked, check } = await visit(t, 'start.html', { host });
    const statuses = new Set();
    page.on('response', (r) => { if (/\/[wtfb]\d+\./.test(r.url())) statuses.add(r.status()); });
    await page.getByRole('button', { name: 'Search' }).click();
    const told = [await look(page, 'thread breaks'), await look(page, 'troubelshooting')].map(({ top, count }) => [top.replace(host.url, ''), count]);
    check();
    return { told, statuses: [...statuses], asked: asked.filter((name) => /\.bin$/.test(name)) };
  };
  const [whole, parts] = [await of(false), await of(true)];
  assert.deepEqual(whole.told, parts.told);
  assert.equal(new Set(whole.asked).size, whole.asked.length, `each once: ${whole.asked}`);
  assert.deepEqual([whole.statuses, parts.statuses], [[200], [206]]);
});

test('a panel that is gone is said at the trigger, and loaded by the next press', async (t) => {
  const { page } = await visit(t, 'start.html', { ignore: /404|seam-search/ });
  await page.route('**/widget-panel-*', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('alert').getByText('The search could not be loaded.').waitFor();
  await page.unroute('**/widget-panel-*');
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('a server that fails is not said to be a missing search, and a slow one is said to be at work', async (t) => {
  const { page } = await visit(t, 'start.html', { ignore: /500/ });
  await page.route('**/*.bin', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('tension');
  await page.getByText('The search does not answer at the moment. Try again soon.').waitFor();
  await page.unroute('**/*.bin');
  let letGo;
  const held = new Promise((done) => { letGo = done; });
  await page.route('**/*.bin', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Searching …').waitFor();
  letGo();
  await page.getByRole('option', { name: /^Tension/ }).first().waitFor();
  assert.equal(await page.getByText('Searching …').count(), 0);
});
