// A page on a static host, built for a proxy elsewhere: the policy allows only that proxy,
// and the sealed entry not even that.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dropMade, onScreen, row, until, web, work } from './harness.mjs';
import { fromPage, fromWorker, tryAll } from './leaks.mjs';
import { proxied } from './proxy-host.mjs';
import { bound, staticHost, told, visit } from './static-host.mjs';

const dir = join(work, 'dist-proxy');
const ended = [];
let site;
let host;
before(async () => {
  host = await staticHost({ after: (end) => ended.push(end) }, { dir: work });
  site = await proxied({ origins: [new URL(host.url).origin] });
  execFileSync('go', ['run', './web/build', '--dev', '--proxy', new URL(site.url).origin, '--out', dir], { cwd: resolve(web, '..'), stdio: ['ignore', 'ignore', 'inherit'] });
  host.moveTo(dir);
});
after(async () => {
  for (const end of ended) await end();
  await site?.close();
});

test('the open entry names the proxy, the sealed one does not', () => {
  assert.match(readFileSync(join(dir, 'index.html'), 'utf8'), new RegExp(`<meta name="seam-proxy" content="${new URL(site.url).origin}">`));
  assert.doesNotMatch(readFileSync(join(dir, 'sealed/index.html'), 'utf8'), /seam-proxy/);
});

test('what is no origin of a proxy is refused', () => {
  for (const address of ['http://proxy.example.org', 'https://a/b', 'proxy.example.org', 'https://a;script-src *']) {
    assert.throws(() => execFileSync('go', ['run', './web/build', '--dev', '--proxy', address, '--out', join(work, 'dist-none')], { cwd: resolve(web, '..'), stdio: 'pipe' }),
      ({ stderr }) => /^build: --proxy: .*https/.test(String(stderr)), address);
  }
});

/** Opens a page, reloaded under its policy if necessary. */
async function page(t, url, options = {}) {
  const tab = await visit(t, site.browser, url, { ignore: /./, ...options });
  await bound(tab.page);
  await tab.page.locator('#method:enabled').waitFor({ state: 'attached' });
  return tab.page;
}

test('a document goes to the proxy after Send, and a question is answered', async (t) => {
  const tab = await page(t, `${host.url}#token=${site.token}`);
  await dropMade(tab, { name: 'one.txt', parts: ['It is on a static host. Its proxy is elsewhere. Both are on this machine.'] });
  await row(tab, 'one.txt');
  assert.match(await told(tab), /anything of another host but the proxy\..*Requests to anything else: none|Requests to anything else: none.*of another host but the proxy\./s);
  await tab.keyboard.press('Escape');
  await tab.locator('#embedder').selectOption('connect');
  await onScreen(tab, 'Connected; nothing was sent.').waitFor();
  assert.deepEqual(await site.provider.requests('/embeddings'), []);
  await tab.locator('#embedder').selectOption('openai:embed-small');
  await tab.locator('.settings .consent').getByRole('button', { name: 'Send', exact: true }).click();
  await tab.locator('.settings .consent').waitFor({ state: 'hidden' });
  assert.deepEqual((await site.provider.requests('/embeddings')).map(({ texts }) => texts), [3]);
  await tab.getByRole('tab', { name: 'Ask' }).click();
  await tab.locator('#question').fill('Where is it?');
  await tab.keyboard.press('Enter');
  await tab.keyboard.press('Enter');
  await tab.locator('#panel-ask').getByText(/tokens? read/).waitFor();
  await until(async () => /requests to the proxy/.test(await tab.locator('.seal').innerText())); // the browser reports them with a delay
});

test('the same by HTTP, through the service worker', async (t) => {
  site.seen.sockets = false;
  t.after(() => { site.seen.sockets = true; });
  const tab = await page(t, `${host.url}#token=${site.token}`);
  await dropMade(tab, { name: 'two.txt', parts: ['No socket passes here. A request does. It is enough.'] });
  await row(tab, 'two.txt');
  await tab.locator('#embedder').selectOption('connect');
  await onScreen(tab, 'Connected; nothing was sent.').waitFor();
  await tab.locator('#embedder').selectOption('openai:embed-small');
  await tab.locator('.settings .consent').getByRole('button', { name: 'Send', exact: true }).click();
  await tab.locator('.settings .consent').waitFor({ state: 'hidden' });
  await until(async () => new RegExp(`${site.bare}v1/request`).test(await told(tab)));
});

test('nothing else is reached: of the open entry by page and worker', async (t) => {
  const tab = await page(t, `${host.url}#token=${site.token}`);
  const ways = ({ fetch, XMLHttpRequest, WebSocket, EventSource }) => ({ fetch, XMLHttpRequest, WebSocket, EventSource });
  assert.deepEqual(await tryAll(tab, { ...ways(fromPage), sendBeacon: fromPage.sendBeacon }), {});
  assert.deepEqual(await tryAll(tab.workers()[0], ways(fromWorker)), {});
});

test('the sealed entry does not reach the proxy, bound or not', async (t) => {
  const proxy = `${site.bare}v1/session`;
  const reach = (url) => fetch(url, { method: 'POST', mode: 'no-cors', body: '{}' }).then(() => 'reached', () => 'refused');
  const sealed = await page(t, `${host.url}sealed/`);
  assert.equal(await sealed.locator('#embedder optgroup').count(), 0);
  for (const realm of [sealed, sealed.workers()[0]]) assert.equal(await realm.evaluate(reach, proxy), 'refused');
  // The service worker controls the page before the policy is in force.
  const { page: unbound } = await visit(t, site.browser, 'about:blank', { ignore: /./ });
  await unbound.addInitScript(() => sessionStorage.setItem('seam.reloaded', '1'));
  await unbound.goto(`${host.url}sealed/`);
  await unbound.waitForFunction(() => navigator.serviceWorker.controller);
  assert.equal(await unbound.evaluate(() => performance.getEntriesByType('navigation')[0].serverTiming.length), 0);
  assert.equal(await unbound.evaluate(reach, proxy), 'refused');
});
