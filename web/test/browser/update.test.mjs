// A new version at the address of an old one, both real builds. It is offered once
// complete, used when no work is in progress, and never partially.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, drop, makeFixtures, onScreen, row, start, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { bound, dist, staticHost, told, visit } from './static-host.mjs';
import { nextVersion } from './versions.mjs';

let site;
let next;
before(async () => {
  makeFixtures();
  next = nextVersion();
  site = await start();
});
after(async () => {
  await site?.close();
  next?.remove();
});

const line = (page) => page.locator('.update');
const use = (page) => line(page).getByRole('button', { name: 'Use it' });
const offered = (page) => use(page).waitFor();
const placeholder = (page) => page.locator('#search').getAttribute('placeholder');
const caches_ = (page) => page.evaluate(async () => (await caches.keys()).length);
const update = (page) => page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
const here = (page) => page.locator('#method:enabled').waitFor({ state: 'attached' });

async function loaded(page) {
  await bound(page);
  await here(page);
}

/** Opens a page of the old version with all its files, on a host that then has the new one. */
async function oldPage(t, { entry = '', ...options } = {}) {
  const host = await staticHost(t, options);
  const tab = await visit(t, site.browser, host.url + entry, { ignore: /./ });
  await loaded(tab.page);
  await told(tab.page);
  await tab.page.locator('#ledger').getByText('Offline use: ready.').waitFor();
  await tab.page.keyboard.press('Escape');
  assert.equal(await placeholder(tab.page), 'Search your documents');
  host.moveTo(next.dir);
  return { ...tab, host };
}

/** Reads and shows a PDF, with the bundle and programs of its version. */
async function works(page, tab) {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.getByRole('tab', { name: tab }).waitFor();
}

for (const entry of ['', 'sealed/']) {
  test(`an update is offered when it is complete, and taken when asked: /${entry}`, async (t) => {
    const { page, host } = await oldPage(t, { entry });
    await update(page);
    await offered(page);
    assert.match(await line(page).innerText(), /A new version is ready\./);
    await accessible(page);
    // Parts that this tab loads later have its version, and so has the page after a
    // reload.
    await works(page, 'Chunks');
    await page.reload();
    await loaded(page);
    assert.equal(await placeholder(page), 'Search your documents');
    await offered(page);
    assert.equal(await caches_(page), 2);
    await Promise.all([page.waitForEvent('load'), use(page).click()]);
    await loaded(page);
    assert.equal(await placeholder(page), 'Search the next version');
    await until(async () => await caches_(page) === 1);
    await host.close();
    await page.reload();
    await loaded(page);
    assert.equal(await placeholder(page), 'Search the next version');
    await works(page, 'Pieces');
  });
}

test('two tabs: the other one goes on with the old version until it is closed or loaded again', async (t) => {
  const { page, context, host } = await oldPage(t);
  const other = await context.newPage();
  await other.goto(host.url);
  await loaded(other);
  await update(page);
  await offered(other);
  await offered(page);
  await Promise.all([page.waitForEvent('load'), use(page).click()]);
  await loaded(page);
  assert.equal(await placeholder(page), 'Search the next version');
  await works(page, 'Pieces');
  await line(other).getByText('Another tab has taken the new version; this one goes on with the old one.').waitFor();
  assert.equal(await placeholder(other), 'Search your documents');
  await host.close();
  await works(other, 'Chunks'); // bundle and PDF reader of the old version, which no host has any more
  assert.equal(await caches_(page), 2);
  await Promise.all([other.waitForEvent('load'), line(other).getByRole('button', { name: 'Reload' }).click()]);
  await loaded(other);
  assert.equal(await placeholder(other), 'Search the next version');
  await until(async () => await caches_(page) === 1);
});

test('when the last page of the old version is closed, the next visit is the new one', async (t) => {
  const { page, context, host } = await oldPage(t);
  await update(page);
  await offered(page);
  await line(page).getByRole('button', { name: 'Later' }).click();
  assert.equal(await line(page).isVisible(), false);
  // A browser takes time to release a page, so a page outside the scope waits for that.
  await context.route('**/beside', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  const beside = await context.newPage();
  await beside.goto(new URL('/beside', host.url).href);
  await page.close();
  await until(() => beside.evaluate(async (scope) => (await navigator.serviceWorker.getRegistration(scope)).waiting === null, host.url));
  await until(async () => await caches_(beside) === 1);
  await beside.goto(host.url);
  await loaded(beside);
  assert.equal(await placeholder(beside), 'Search the next version');
});

test('it is not taken while something is under way, or where changes by hand are not kept', async (t) => {
  const { page } = await oldPage(t, { entry: 'sealed/' });
  await update(page);
  await offered(page);
  await drop(page, join(work, 'many.pdf')); // after the update, which may take longer
  await onScreen(page, /reading page/).first().waitFor();
  await page.evaluate(() => { window.same = true; });
  const refuses = async (why) => {
    await use(page).click();
    await line(page).getByText(why).waitFor();
    assert.equal(await page.evaluate(async () => window.same && (await navigator.serviceWorker.getRegistration()).waiting !== null), true);
  };
  await refuses('The new version waits: something is under way.');
  await page.getByRole('button', { name: /^Stop reading/ }).click();
  await row(page, 'many.pdf', 'failed');
  await line(page).getByText('A new version is ready.').waitFor();
  // By hand: moves a boundary of the sample.
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  await page.getByRole('tab', { name: 'Chunks' }).click();
  await page.locator('#panel-chunks .card').first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  await onScreen(page, '1 change by hand').first().waitFor();
  await refuses('The new version waits: your changes by hand are in this tab alone.');
  await page.getByRole('button', { name: 'Clear', exact: true }).first().click();
  // A dialog makes the line inert.
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.evaluate(() => document.querySelector('.update button').click());
  await page.keyboard.press('Escape');
  await line(page).getByText('something is under way').waitFor();
  await Promise.all([page.waitForEvent('load'), use(page).click()]);
  await loaded(page);
  assert.equal(await placeholder(page), 'Search the next version');
});

const halves = {
  'a file that is not there': { without: /^views-/ },
  'a damaged program': { change: (name, body) => (name.startsWith('engine-') ? body.subarray(0, body.length >> 1) : body) },
};
for (const [what, options] of Object.entries(halves)) {
  test(`an update with ${what} leaves the old version as it is, offline too`, async (t) => {
    const whole = await staticHost(t);
    const { page } = await visit(t, site.browser, whole.url, { ignore: /./ });
    await loaded(page);
    await told(page);
    await page.locator('#ledger').getByText('Offline use: ready.').waitFor();
    whole.moveTo(next.dir, options);
    const redundant = page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return new Promise((done) => {
        registration.addEventListener('updatefound', () => {
          const { installing } = registration;
          installing.addEventListener('statechange', () => { if (installing.state !== 'installing') done(installing.state); });
        });
        void registration.update();
      });
    });
    assert.equal(await redundant, 'redundant');
    assert.equal(await caches_(page), 1);
    assert.equal(await line(page).isVisible(), false);
    await page.reload();
    await loaded(page);
    assert.equal(await placeholder(page), 'Search your documents');
    await works(page, 'Chunks');
    // The host is repaired: the same update arrives.
    whole.restore();
    await update(page);
    await offered(page);
    whole.moveTo(next.dir, options);
    await whole.close();
    await page.reload();
    await loaded(page);
    await works(page, 'Chunks');
  });
}

test('without a service worker, a page that is older than its host says so', async (t) => {
  const host = await staticHost(t, { without: /^pdf-/ });
  const { page } = await visit(t, site.browser, host.url, { serviceWorkers: 'block', ignore: /./ });
  await here(page);
  host.moveTo(next.dir);
  await drop(page, join(work, 'notes.md'));
  await page.getByRole('alert').getByText('A part of this page could not be loaded: the page is older than its host').waitFor();
  host.moveTo(dist);
  await drop(page, join(work, 'notes.md'), join(work, 'article.pdf'));
  assert.match(await (await row(page, 'article.pdf', 'failed')).innerText(), /This page is older than its host, which no longer has this part of it\./);
});
