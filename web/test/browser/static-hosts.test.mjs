// Any static host: below any path, without headers or encodings, and with wrong types.
// There the service worker sets the policy and stores the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, drop, makeFixtures, onScreen, row, start, work, workerBlocked } from './harness.mjs';
import { bound, byExtension, gzAsEncoding, keptAll, octets, sandboxWarning, staticHost, told, visit, without } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function trySample(page) {
  await add(page, 'Try the sample');
  await row(page, 'Sample');
}

for (const [name, headers] of Object.entries({ 'types by extension': byExtension, 'application/octet-stream': octets, '.gz as an encoding': gzAsEncoding })) {
  for (const entry of ['', 'sealed/']) {
    test(`a host that sends ${name}, /some/base/path/${entry}`, async (t) => {
      const host = await staticHost(t, { headers });
      const tab = await visit(t, site.browser, host.url + entry, { ignore: sandboxWarning });
      await bound(tab.page); // it has reloaded itself
      await trySample(tab.page);
      assert.equal(await tab.page.locator('.seal').innerText(), 'nothing sent · 0 requests');
      assert.match(await told(tab.page), /enforced by this page’s service worker/);
      await keptAll(tab.page);
      assert.deepEqual(host.missing, [], 'nothing is asked for in vain');
      tab.check();
    });
  }
}

test('seam serve behind a reverse proxy that removes a header', async (t) => {
  const tab = await visit(t, site.browser, await without(t, 'server-timing', site.url), { ignore: sandboxWarning });
  await bound(tab.page);
  await trySample(tab.page);
  await keptAll(tab.page);
  tab.check();
});

test('before it is enforced the page says so; with a document open it is not loaded again by itself', async (t) => {
  const host = await staticHost(t);
  const tab = await visit(t, site.browser, 'about:blank', { ignore: /./ });
  const { page, context } = tab;
  let release;
  const held = new Promise((done) => { release = done; });
  await context.route('**/sw.js', async (route) => { await held; await route.continue(); });
  await page.goto(host.url);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.seal').innerText(), 'policy: not enforced yet');
  await drop(page, join(work, 'notes.md'));
  await row(page, 'notes.md');
  await page.evaluate(() => { navigation.addEventListener('navigate', () => { window.leaves = true; }); });
  release();
  await page.evaluate(async () => { await navigator.serviceWorker.ready; });
  assert.equal(await page.evaluate(() => window.leaves), undefined); // the page got the event together with the test
  await row(page, 'notes.md'); // still there
  assert.match(await told(page), /not enforced yet/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await bound(page);
  assert.match(await told(page), /enforced by this page’s service worker/);
});

test('where there can be no service worker, the page says that the policy is not enforced', async (t) => {
  const host = await staticHost(t);
  const tab = await visit(t, site.browser, host.url, { serviceWorkers: 'block', ignore: workerBlocked });
  await onScreen(tab.page, 'policy: not enforced').first().waitFor();
  await trySample(tab.page);
});

/** The first visit opens no document; the second has no host. */
async function offline(t, url, stop) {
  const tab = await visit(t, site.browser, url, { ignore: new RegExp(`${sandboxWarning.source}|ERR_CONNECTION_REFUSED`) });
  const { page } = tab;
  await bound(page);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await keptAll(page);
  await stop();
  await page.reload();
  await bound(page);
  await trySample(page);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#search').fill('moon');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  const said = await told(page);
  tab.check();
  return said;
}

for (const entry of ['', 'sealed/']) {
  test(`offline from the second visit, a plain host, /${entry}`, async (t) => {
    const host = await staticHost(t);
    assert.match(await offline(t, host.url + entry, host.close), /enforced by this page’s service worker/);
  });

  test(`offline from the second visit, seam serve, /${entry}`, async (t) => {
    const server = await start();
    t.after(() => server.browser.close());
    assert.match(await offline(t, server.url + entry, server.stop), /enforced by the server/);
  });
}
