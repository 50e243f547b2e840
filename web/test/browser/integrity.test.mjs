// A changed byte in any file must be refused and reported.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { drop, makeFixtures, row, start, work } from './harness.mjs';
import { join } from 'node:path';
import { bound, octets, staticHost, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const sentence = /A program of this page has changed on its way here and was not run\./;

/** Changes the last byte, which only the hash can detect. */
function changed(gz) {
  const program = gunzipSync(gz);
  program[program.length - 1] ^= 1;
  return gzipSync(program);
}

const ways = {
  'another .gz file': (body) => changed(body),
  'a truncated file': (body) => body.subarray(0, body.length >> 1),
  'the .gz file of the other program': (_body, other) => other,
};

for (const [way, change] of Object.entries(ways)) {
  for (const workers of ['block', 'allow']) {
    test(`${way}: refused, with the service worker ${workers === 'block' ? 'absent' : 'there'}`, async (t) => {
      let pdf = Buffer.alloc(100);
      const host = await staticHost(t, {
        headers: octets,
        change: (name, body) => {
          if (name.startsWith('pdf-')) pdf = body;
          return name.startsWith('engine-') ? change(body, pdf) : body;
        },
      });
      const { page } = await visit(t, site.browser, host.url, { ignore: /./, serviceWorkers: workers });
      if (workers === 'allow') await bound(page);
      await page.getByRole('alert').getByText(sentence).waitFor();
      assert.equal(await page.locator('#method:enabled').count(), 0);
    });
  }
}

test('a changed PDF program: the file fails with the sentence, the rest works', async (t) => {
  const host = await staticHost(t, { change: (name, body) => (name.startsWith('pdf-') ? changed(body) : body) });
  const { page } = await visit(t, site.browser, host.url, { ignore: /./ });
  await bound(page);
  await drop(page, join(work, 'article.pdf'), join(work, 'notes.md'));
  assert.match(await (await row(page, 'article.pdf', 'failed')).innerText(), sentence);
  await row(page, 'notes.md');
});

test('seam serve: what changes between server and browser is refused, too', async (t) => {
  const { page, context } = await visit(t, site.browser, 'about:blank', { ignore: /./, serviceWorkers: 'block' });
  await context.route(/engine-\w+\.wasm$/, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    body[body.length - 1] ^= 1;
    await route.fulfill({ response, body });
  });
  await page.goto(site.url);
  await page.getByRole('alert').getByText(sentence).waitFor();
});

for (const [what, pattern] of Object.entries({ script: /^app-\w+\.js$/, stylesheet: /^style-\w+\.css$/ })) {
  test(`a changed ${what} of the page is not used`, async (t) => {
    const host = await staticHost(t, { change: (name, body) => (pattern.test(name) ? Buffer.concat([body, Buffer.from('\n')]) : body) });
    const { page } = await visit(t, site.browser, 'about:blank', { ignore: /./ });
    await Promise.all([page.waitForEvent('console', (message) => /integrity/.test(message.text())), page.goto(host.url)]);
    const used = what === 'script' ? await page.locator('header').count() : await page.evaluate(() => document.styleSheets.length);
    assert.equal(used, 0);
  });
}

test('a changed worker script is not kept: the page is not bound by a service worker that could not check its files', async (t) => {
  const host = await staticHost(t, { change: (name, body) => (/worker-\w+\.js$/.test(name) ? Buffer.concat([body, Buffer.from('\n')]) : body) });
  const { page } = await visit(t, site.browser, 'about:blank', { ignore: /./ });
  await page.addInitScript(() => {
    const { register } = ServiceWorkerContainer.prototype;
    window.installed = new Promise((done) => {
      ServiceWorkerContainer.prototype.register = async function watched(...given) {
        const registration = await register.apply(this, given);
        const worker = registration.installing;
        worker.addEventListener('statechange', () => { if (worker.state !== 'installed') done(worker.state); });
        return registration;
      };
    });
  });
  await page.goto(host.url);
  assert.equal(await page.evaluate(() => window.installed), 'redundant');
  assert.equal(await page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)), false);
  assert.match(await page.locator('.seal').innerText(), /policy: not enforced/);
});
