// The page's promises: a strict policy, and nothing sent. Other hosts are in
// static-hosts.test.mjs, malicious code in leaks.test.mjs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, drop, makeFixtures, onScreen, open, row, start, work } from './harness.mjs';
import { told } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

test('the policy is a header, and it holds', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const policy = tab.response.headers()['content-security-policy'] ?? '';
  for (const part of ["default-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", 'trusted-types seam']) {
    assert.ok(policy.includes(part), `${part} is in ${policy}`);
  }
  assert.equal(tab.response.headers()['connection-allowlist'], '(response-origin)');
  const worker = await fetch(tab.page.workers()[0].url());
  assert.equal(worker.headers.get('content-security-policy'), policy, 'a worker has the policy of its own response');
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
  const refused = await tab.page.evaluate(() => {
    const attempts = {
      innerHTML: () => { document.createElement('div').innerHTML = '<b>x</b>'; },
      policy: () => trustedTypes.createPolicy('other', {}),
      worker: () => new Worker('worker.js'),
    };
    return Object.entries(attempts).filter(([, attempt]) => {
      try {
        attempt();
        return false;
      } catch {
        return true;
      }
    }).map(([name]) => name);
  });
  assert.deepEqual(refused, ['innerHTML', 'policy', 'worker']);
  await tab.close();
});

test('nothing is sent, and the counter says so', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#search').fill('moon');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  assert.equal(await page.locator('.seal').innerText(), 'nothing sent · 0 requests');
  await page.locator('.seal').click();
  for (const file of [/app-\w+\.js/, /style-\w+\.css/, /worker-\w+\.js/, /engine-\w+\.wasm/, /pdf-\w+\.wasm/]) await page.locator('.ledger ul').last().filter({ hasText: file }).waitFor();
  tab.check();
  await tab.close();
});

test('what the policy refuses is counted, of the page and of a worker, and never as sent', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  const ask = (url) => fetch(url).catch(() => undefined).then(() => undefined);
  await page.evaluate(ask, 'http://127.0.0.1:9/page');
  await page.workers()[0].evaluate(ask, 'http://127.0.0.1:9/worker');
  await page.evaluate(() => { try { document.createElement('div').innerHTML = '<b>x</b>'; } catch { /* no request */ } });
  await onScreen(page, 'nothing sent · 0 requests · 2\u00a0requests blocked').waitFor();
  const said = await told(page);
  assert.match(said, /2.requests blocked by the policy, not sent:\s+fetch to http:\/\/127\.0\.0\.1:9\/page\s+fetch to http:\/\/127\.0\.0\.1:9\/worker/);
  assert.match(said, /Requests to anything else: none/);
  await tab.close();
});

test('requests of the service worker are counted with those of the page and its workers', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  await page.evaluate(() => navigator.serviceWorker.ready);
  // No PDF was opened, so only the service worker requests this.
  await page.locator('.seal').click();
  await page.locator('#ledger li', { hasText: /^pdf-\w+\.wasm$/ }).waitFor();
  assert.equal(await page.locator('.seal').innerText(), 'nothing sent · 0 requests');
  tab.check();
  await tab.close();
});

test('text of a document is data, never markup', async () => {
  const tab = await open(site, { serviceWorkers: 'allow' });
  const { page } = tab;
  await add(page, 'Paste text');
  const text = '<img src=x onerror="alert(1)"> is a tag. <script>alert(2)</script> is another. </span> closes nothing.';
  await page.locator('#paste').fill(text);
  await page.getByRole('button', { name: 'Chunk it' }).click();
  await row(page, 'Pasted text 1');
  assert.equal(await page.locator('.blocks').evaluate((blocks) => blocks.textContent), text);
  assert.equal(await page.locator('.blocks img, .blocks script').count(), 0);
  tab.check();
  await tab.close();
});
