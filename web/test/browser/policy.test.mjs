// What the page promises: a strict policy, nothing sent, any base path.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { drop, makeFixtures, open, row, start, web, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

test('the policy is a header, and it holds', async () => {
  const tab = await open(site);
  const policy = tab.response.headers()['content-security-policy'] ?? '';
  for (const part of ["default-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", 'trusted-types seam']) {
    assert.ok(policy.includes(part), `${part} is in ${policy}`);
  }
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
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#search').fill('moon');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  assert.equal(await page.locator('.seal').innerText(), '● nothing sent · 0 requests');
  await page.locator('.seal').click();
  const own = await page.locator('.ledger ul').last().innerText();
  for (const file of [/app-\w+\.js/, /style-\w+\.css/, /worker-\w+\.js/, /engine-\w+\.wasm/, /pdf-\w+\.wasm/]) assert.match(own, file);
  tab.check();
  await tab.close();
});

test('any static host, any base path: no header and no encoding is relied on', async () => {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const host = createServer((request, response) => {
    const name = request.url.replace('/some/base/', '') || 'index.html';
    const path = join(web, 'dist', name);
    if (!request.url.startsWith('/some/base/') || !existsSync(path)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream' }).end(readFileSync(path));
  });
  await new Promise((done) => host.listen(0, '127.0.0.1', done));
  const page = await site.browser.newPage();
  await page.goto(`http://127.0.0.1:${host.address().port}/some/base/`);
  await page.getByRole('button', { name: 'Try the sample' }).last().click();
  await row(page, 'Sample');
  assert.equal(await page.locator('.seal').innerText(), '● nothing sent · 0 requests');
  await page.close();
  host.closeAllConnections();
  await new Promise((done) => host.close(done));
});

test('text of a document is data, never markup', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.getByRole('button', { name: 'Paste text' }).first().click();
  const text = '<img src=x onerror="alert(1)"> is a tag. <script>alert(2)</script> is another. </span> closes nothing.';
  await page.locator('#paste').fill(text);
  await page.getByRole('button', { name: 'Chunk it' }).click();
  await row(page, 'Pasted text 1');
  assert.equal(await page.locator('.blocks').evaluate((blocks) => blocks.textContent), text);
  assert.equal(await page.locator('.blocks img, .blocks script').count(), 0);
  tab.check();
  await tab.close();
});
