// Without the page's host: after one visit everything works or is greyed out with the
// reason. The host is really gone, not only the browser's network.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { add, counts, downloaded, drop, dropMade, FLAGS, makeFixtures, onScreen, row, start, until, work, workerBlocked } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { ask, choose, send, text } from './proxy-page.mjs';
import { bound, byExtension, sandboxWarning, staticHost, told, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const gone = new RegExp(`${sandboxWarning.source}|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|error occurred when fetching the script|Failed to update a ServiceWorker`);

/** Waits until the dialog of the pill reports offline use as ready. */
async function ready(page) {
  await told(page);
  await page.locator('#ledger').getByText('Offline use: ready.').waitFor();
  await page.keyboard.press('Escape');
}

/** Reloads the page and waits until it is usable. */
async function again(page) {
  await page.reload();
  await bound(page);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
}

/** Uses every feature, with a document that needs a table of the PDF reader. */
async function useAll(page) {
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  await drop(page, join(work, 'japanese.pdf'), join(work, 'notes.md'), join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  assert.doesNotMatch(await (await row(page, 'japanese.pdf')).innerText(), /could not be read/);
  await drop(page, join(work, 'article.pdf')); // the code that compares files is a separate bundle
  await page.locator('.notice').getByText('is open already').waitFor();
  const methods = await page.locator('#method option').evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(methods.length > 3);
  for (const method of methods) {
    await page.locator('#method').selectOption(method);
    await until(async () => (await downloaded(page)).method === method);
    assert.ok((await counts(page, 'article.pdf')).chunks > 0, method);
  }
  await page.locator('#search').fill('moon');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
}

/** A host that compresses responses. */
const compressing = {
  headers: (name) => ({ ...byExtension(name), 'content-encoding': 'br', vary: 'accept-encoding' }),
  change: (_name, body) => brotliCompressSync(body, { params: { 0: 0, 1: 1 } }),
};

const setups = {
  'seam serve': () => start(),
  'a plain host': (t) => staticHost(t, { base: '/' }),
  'a plain host below a path': (t) => staticHost(t),
  'a host that compresses': (t) => staticHost(t, compressing),
};

for (const [name, host] of Object.entries(setups)) {
  for (const [first, second] of [['', ''], ['sealed/', 'sealed/'], ['sealed/', '']]) {
    test(`offline from the second visit: ${name}, first /${first}, then /${second}`, async (t) => {
      const { url, stop, close, browser } = await host(t);
      if (browser) t.after(() => browser.close());
      const { page, check } = await visit(t, site.browser, url + first, { ignore: gone });
      await bound(page);
      await page.locator('#method:enabled').waitFor({ state: 'attached' });
      await ready(page);
      await (stop ?? close)();
      if (second !== first) await page.goto(url + second);
      await again(page);
      await useAll(page);
      await ready(page);
      check();
    });
  }
}

test('a visit in which a document was opened is enough; other ways to write the address work, too', async (t) => {
  const host = await staticHost(t);
  const { page, check } = await visit(t, site.browser, host.url, { ignore: gone });
  await bound(page);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await ready(page);
  await host.close();
  for (const way of ['index.html', '?q=1', 'sealed', 'sealed/index.html']) {
    await page.goto(host.url + way);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
  }
  check();
});

test('the tokens of GPT: kept once they were used, greyed without, and refused where nobody knew', async (t) => {
  const server = await start();
  t.after(() => server.browser.close());
  const { page } = await visit(t, site.browser, `${server.url}sealed/`, { ignore: gone });
  await bound(page);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#unit').selectOption('cl100k');
  await until(async () => (await downloaded(page)).unit === 'cl100k');
  await ready(page);
  await server.stop();
  // The page does not know that the host is gone.
  await page.locator('#unit').selectOption('o200k');
  await onScreen(page, /^Tokens of o200k cannot be counted now.*Until that is changed, the text is cut without limits\.$/).waitFor();
  assert.ok((await counts(page, 'article.pdf')).chunks > 0);
  await page.locator('#unit').selectOption('words');
  await until(async () => (await downloaded(page)).unit === 'words');
  await again(page);
  await onScreen(page, 'What is not kept in this browser is greyed').waitFor();
  const option = (name) => page.locator(`#unit option[value=${name}]`);
  await until(() => option('o200k').isDisabled());
  assert.equal(await option('o200k').getAttribute('label'), 'tokens of GPT-4o and later (o200k) – needs the network');
  assert.equal(await option('cl100k').isDisabled(), false);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#unit').selectOption('cl100k');
  await until(async () => (await downloaded(page)).unit === 'cl100k');
  await accessible(page);
});

test('the network goes during a visit: what needs it is greyed, but only if the host is gone indeed', async (t) => {
  const host = await staticHost(t);
  const { page, context } = await visit(t, site.browser, host.url, { ignore: gone });
  await bound(page);
  await ready(page);
  const note = onScreen(page, 'What is not kept in this browser is greyed');
  // A host on this machine answers without a network.
  await context.setOffline(true);
  await page.locator('.away').waitFor({ state: 'attached' });
  // The browser performs one update at a time, so after this one the page's is done.
  await page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
  assert.equal(await note.isVisible(), false);
  assert.equal(await page.locator('#unit option[value=cl100k]').isDisabled(), false);
  await host.close();
  await context.setOffline(false); // the network is back, the host is not
  await note.waitFor();
  assert.ok(await page.locator('#unit option[value=cl100k]').isDisabled());
});

test('a file that the host does not have: the page works, and says that it is not complete', async (t) => {
  const host = await staticHost(t, { without: /^pdf-/ });
  const { page } = await visit(t, site.browser, host.url, { ignore: /404/ });
  await bound(page);
  await dropMade(page, { name: 'a.txt', parts: ['One sentence. And another.'] });
  await row(page, 'a.txt');
  await told(page);
  await page.locator('#ledger').getByText('Offline use: not complete. 1 file of the page could not be stored').waitFor();
  host.restore();
  await page.locator('#ledger').getByRole('button', { name: 'Try again' }).click();
  await page.locator('#ledger').getByText('Offline use: ready.').waitFor();
});

for (const [what, end, without] of [
  ['comes', 'Offline use: ready.', /^$/],
  ['is not there', 'Offline use: not in this browser or at this address.', /^sw\.js$/],
  ['cannot be installed', 'Offline use: not in this browser or at this address.', /^files-/],
]) {
  test(`somebody looks before the service worker is there: they are told once it ${what}`, async (t) => {
    const host = await staticHost(t, { held: /^sw\.js$/, without });
    const { page } = await visit(t, site.browser, host.url, { ignore: /./ });
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    assert.doesNotMatch(await told(page), /Offline use: (ready|not )/);
    await page.locator('#ledger').getByText('Offline use: the page’s files are being kept…').waitFor();
    host.release();
    await page.locator('#ledger').getByText(end).waitFor();
  });
}

test('no room to keep it: the page works, and says that it is not complete', async (t) => {
  const host = await staticHost(t);
  const { page, context } = await visit(t, site.browser, 'about:blank', { ignore: gone });
  const cdp = await context.newCDPSession(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(host.url).origin, quotaSize: 1 << 20 });
  await page.goto(host.url);
  await bound(page);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await told(page);
  await page.locator('#ledger').getByText(/Offline use: not complete\. \d+\sfiles of the page could not be stored, because there is no room/).waitFor();
  await again(page);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
});

test('the list of files is not kept and the host is gone: the page says that it does not know', async (t) => {
  const host = await staticHost(t);
  const { page, context } = await visit(t, site.browser, host.url, { ignore: gone });
  await bound(page);
  await ready(page);
  // Simulates a browser out of space, with a restarted service worker that has nothing in
  // memory.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) if (/\/files-[^/]*\.json$/.test(request.url)) await cache.delete(request);
    }
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.stopAllWorkers');
  await host.close();
  await told(page);
  await page.locator('#ledger').getByText('Offline use: not known').waitFor();
  await page.locator('#ledger').getByRole('button', { name: 'Try again' }).waitFor();
});

test('at an address that is not secure nothing is kept, and what needs the network is greyed without it', async (t) => {
  const host = await staticHost(t);
  const browser = await chromium.launch({ executablePath: site.program, args: [...FLAGS, '--host-resolver-rules=MAP seam.test 127.0.0.1'] });
  t.after(() => browser.close());
  const { page, context, check } = await visit(t, browser, host.url.replace('127.0.0.1', 'seam.test'));
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await told(page);
  await page.locator('#ledger').getByText('Offline use: not in this browser or at this address.').waitFor();
  await context.setOffline(true);
  await until(() => page.locator('#unit option[value=cl100k]').isDisabled());
  await page.keyboard.press('Escape');
  await onScreen(page, 'What is not kept in this browser is greyed').waitFor();
  check();
});

test('without a service worker the page says that it does not work offline', async (t) => {
  const { page } = await visit(t, site.browser, site.url, { serviceWorkers: 'block', ignore: workerBlocked });
  await told(page);
  await page.locator('#ledger').getByText('Offline use: not in this browser or at this address.').waitFor();
});

test('the proxy is gone: hosted models are greyed, and what came from them can be cut and searched by words', async (t) => {
  const host = await proxied();
  t.after(() => host.close());
  const { page } = await visit(t, site.browser, host.url, { ignore: /./ });
  await dropMade(page, { name: 'hosted.txt', parts: [text(77, 60)] });
  await row(page, 'hosted.txt');
  await choose(page);
  await send(page);
  await until(async () => /embed-small/.test((await downloaded(page)).embedder));
  const { chunks } = await counts(page, 'hosted.txt');
  await ready(page);
  await host.stop();
  host.cut();
  // Cut again, by another method and back, with the vectors of the hosted model.
  for (const method of ['fixed', 'semantic']) {
    await page.locator('#method').selectOption(method);
    await until(async () => (await downloaded(page)).method === method);
  }
  assert.equal((await downloaded(page)).embedder.includes('embed-small'), true);
  assert.equal((await counts(page, 'hosted.txt')).chunks, chunks);
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.locator('#search-mode').selectOption('keyword');
  await page.locator('#search').fill('ends');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  // A question detects it; then the page shows it everywhere.
  await ask(page, 'What ends?');
  await onScreen(page, /which does not answer\. All else works; a document that is open with them can still be cut/).waitFor();
  const hosted = page.locator('#embedder optgroup option');
  assert.ok(await hosted.count() > 0);
  for (const option of await hosted.all()) assert.ok(await option.isDisabled());
  assert.match(await hosted.first().getAttribute('label'), /– 127\.0\.0\.1:\d+ does not answer$/);
  await page.locator('#question').fill('What ends?');
  await page.locator('#panel-ask').getByRole('button', { name: 'Find passages' }).click();
  await page.locator('#panel-ask').getByText(/No model has read (it|them); nothing was sent/).waitFor();

  // The next visit knows it from the start, without a request.
  await again(page);
  await dropMade(page, { name: 'other.txt', parts: [text(78, 30)] });
  await row(page, 'other.txt');
  await onScreen(page, 'which does not answer').first().waitFor();
  await page.getByRole('tab', { name: 'Ask' }).click();
  assert.ok(await page.getByRole('button', { name: /^Connect to/ }).isDisabled());
  await page.locator('#panel-ask').getByText(/does not answer: until it does, passages are found and nothing is answered\./).waitFor();
  await accessible(page);
});

test('a later visit without the proxy: kept documents have the vectors of a hosted model, and nobody is asked', async (t) => {
  const host = await proxied();
  t.after(() => host.close());
  const { page } = await visit(t, site.browser, host.url, { ignore: /./ });
  const name = 'kept-hosted.txt';
  await dropMade(page, { name, parts: [text(79, 60)] });
  await row(page, name);
  await choose(page);
  await send(page);
  const embedder = async () => (await downloaded(page)).embedder;
  await until(async () => /embed-small/.test(await embedder()));
  await page.locator('.doc', { hasText: name }).locator('.kept[data-state=saved]').waitFor();
  const before = (await downloaded(page)).chunks;
  await ready(page);
  await host.stop();
  host.cut();
  const asked = host.seen.paths.length;

  await again(page);
  await row(page, name);
  assert.match(await embedder(), /embed-small/);
  assert.deepEqual((await downloaded(page)).chunks, before);
  assert.ok(await page.locator('.settings .consent').isHidden(), 'nothing is asked of the person');
  assert.deepEqual(host.seen.paths.slice(asked).filter((path) => path.startsWith('/v1/')), [], 'nothing was asked of the proxy');
  // Choices that need the proxy are greyed out with the reason; the current one is named.
  const option = page.locator('#embedder option', { hasText: 'embed-small' });
  await page.waitForFunction(() => [...document.querySelectorAll('#embedder optgroup option')].every(({ disabled }) => disabled));
  assert.match(await option.getAttribute('label'), /embed-small.* – 127\.0\.0\.1:\d+ does not answer$/);
  assert.equal(await page.locator('#embedder').inputValue(), await option.getAttribute('value'));
  // Cut again, by another method and another threshold.
  for (const method of ['percentile', 'cluster', 'fixed', 'semantic']) {
    await page.locator('#method').selectOption(method);
    await until(async () => (await downloaded(page)).method === method);
    if (method !== 'fixed') assert.match(await embedder(), /embed-small/, method);
  }
  await page.locator('#setting').evaluate((input) => {
    input.value = input.min;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  });
  await until(async () => (await downloaded(page)).chunks.length !== before.length);
  assert.match(await embedder(), /embed-small/);
  // A query has no vector, so words answer, and the page says so.
  await page.locator('#search').fill('ends');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await onScreen(page, /What .*embed-small.* has embedded was searched by words alone/).waitFor();
  assert.deepEqual((await host.provider.requests('/embeddings')).map(({ texts }) => texts), [60]);
});
