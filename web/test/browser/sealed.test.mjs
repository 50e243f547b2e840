// The sealed entry: everything works, and only the page's own files can be requested, even
// on the same host.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, downloaded, drop, makeFixtures, row, start, unlock, work } from './harness.mjs';
import { bound, sandboxWarning, staticHost, told, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const setups = {
  'seam serve': () => site.url,
  'a plain host': async (t) => (await staticHost(t)).url,
};

for (const [name, root] of Object.entries(setups)) {
  test(`everything works: ${name}`, async (t) => {
    const { page, check } = await visit(t, site.browser, `${await root(t)}sealed/`, { ignore: sandboxWarning });
    await bound(page);
    await add(page, 'Try the sample');
    await row(page, 'Sample');
    await drop(page, join(work, 'locked.pdf'));
    await unlock(page, 'locked.pdf', 'seam'); // a form in a sandbox
    await row(page, 'locked.pdf');
    await page.locator('#search').fill('keys');
    await page.keyboard.press('Enter');
    await page.locator('.hits button').first().waitFor();
    await page.getByRole('tab', { name: 'Chunks' }).click();
    assert.ok((await downloaded(page)).length !== 0, 'Save JSON');
    assert.match(await told(page), /This is the sealed page/);
    check();
  });

  test(`nothing else is to be had, of its own host either: ${name}`, async (t) => {
    const url = await root(t);
    const { page, context } = await visit(t, site.browser, `${url}sealed/`, { ignore: /./ });
    await bound(page);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    const reached = async (where) => {
      try {
        await fetch(where);
        return true;
      } catch {
        return false;
      }
    };
    const elsewhere = new URL('/elsewhere', url).href;
    // Violations are reported in order. If the later request is reported first, the socket
    // caused none.
    const socket = (where) => new Promise((done) => {
      addEventListener('securitypolicyviolation', ({ blockedURI }) => done(blockedURI.startsWith('ws') ? 'blocked' : 'sent'), { once: true });
      try {
        new WebSocket(where.replace('http', 'ws')).onerror = () => { fetch(where).catch(() => undefined); };
      } catch {
        done('blocked');
      }
    });
    for (const realm of [page, page.workers()[0]]) {
      assert.equal(await realm.evaluate(reached, elsewhere), false, 'another path of the host');
      assert.equal(await realm.evaluate(socket, elsewhere), 'blocked', 'a socket to the host');
    }
    await page.evaluate(() => document.body.addEventListener('click', () => { globalThis.opened = open('./'); }, { once: true }));
    await page.locator('h1').click();
    assert.equal(await page.evaluate(() => globalThis.opened), null);
    assert.equal(context.pages().length, 1);
  });
}

test('seam serve names each file in the sealed policy, the page and its worker alike', async (t) => {
  const { page } = await visit(t, site.browser, `${site.url}sealed/`, { ignore: /./ });
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  const worker = page.workers()[0].url();
  assert.match(worker, /\/sealed\/worker-\w+\.js$/);
  for (const url of [page.url(), worker]) {
    const policy = (await fetch(url)).headers.get('content-security-policy');
    assert.match(policy, /^default-src 'none'; .*connect-src [^;]*\/engine-\w+\.wasm [^;]*\.pdf;/);
    assert.doesNotMatch(policy, /'self'|\*|unsafe-inline|'unsafe-eval'/);
  }
  const unsealed = await page.evaluate(() => new URL('../manifest.json', location.href).href);
  assert.equal(await page.evaluate((url) => fetch(url).then(() => 'reached', () => 'refused'), unsealed), 'refused');
});
