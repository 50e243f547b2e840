// A page of the web whose proxy is on this machine: Chromium asks before it may reach it. The
// browser takes the page's host for one of the web.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { after, before, test } from 'node:test';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { contextOf, dropMade, executablePath, FLAGS, row, web, work } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { bound, byExtension } from './static-host.mjs';

const dir = join(work, 'dist-near');
let site;
let host;
let page;
let browser;
before(async () => {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const root = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  execFileSync('go', ['run', join(root, 'src/crypto/tls/generate_cert.go'), '--host', 'seam.example', '--ecdsa-curve', 'P256'], { cwd: dir, stdio: 'ignore' });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(dir, name)));
  const built = join(dir, 'page');
  host = createServer({ key, cert }, ({ url }, response) => {
    const name = new URL(url, 'https://host').pathname.slice(1).replace(/(^|\/)$/, '$1index.html');
    const file = join(built, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) response.writeHead(200, byExtension(name)).end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise((done) => host.listen(0, '127.0.0.1', done));
  const { port } = host.address();
  page = `https://seam.example:${port}/`;
  site = await proxied({ origins: [new URL(page).origin], more: 'budget: {address: {tokens: 1000000}, session: {tokens: 1000000}}\n' });
  execFileSync('go', ['run', './web/build', '--dev', '--proxy', new URL(site.url).origin, '--out', built], { cwd: resolve(web, '..'), stdio: ['ignore', 'ignore', 'inherit'] });
  browser = await chromium.launch({ executablePath: executablePath(), args: [...FLAGS, `--ignore-certificate-errors-spki-list=${createHash('sha256').update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })).digest('base64')}`, '--host-resolver-rules=MAP seam.example 127.0.0.1', `--ip-address-space-overrides=127.0.0.1:${port}=public`, '--enable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets'] });
});
after(async () => {
  await browser?.close();
  host?.closeAllConnections();
  await new Promise((done) => (host ? host.close(done) : done()));
  await site?.close();
});

async function opened(t, permissions = []) {
  const context = await contextOf(browser);
  t.after(() => context.close());
  if (permissions.length) await context.grantPermissions(permissions);
  const tab = await context.newPage();
  await tab.goto(`${page}#token=${site.token}`);
  await bound(tab);
  await tab.locator('#method:enabled').waitFor({ state: 'attached' });
  await dropMade(tab, { name: 'one.txt', parts: ['The proxy is near. The page is far.'] });
  await row(tab, 'one.txt');
  await tab.getByRole('tab', { name: 'Ask' }).click();
  return tab;
}

test('the page says that the browser will ask, and if it is not allowed, how to allow it', async (t) => {
  const tab = await opened(t);
  await tab.locator('#panel-ask').getByText(/is on this machine or its network: your browser will ask whether this page may reach it/).waitFor();
  await tab.getByRole('button', { name: /^Connect to/ }).click();
  await tab.locator('#panel-ask').getByText(/^Your browser keeps this page from 127\.0\.0\.1:\d+, which is on this machine or its network/).waitFor();
  await tab.locator('#panel-ask').getByText(/Allow it in the browser’s settings of this site/).waitFor();
  assert.equal(await tab.getByText('cannot be reached').count(), 0);
});

test('once it is allowed, nothing is said of it', async (t) => {
  const tab = await opened(t, ['local-network-access']);
  await tab.getByRole('button', { name: /^Connect to/ }).click();
  await tab.locator('#question').waitFor();
  await tab.locator('#panel-ask').getByText('chat-small').first().waitFor({ state: 'attached' });
  assert.equal(await tab.getByText(/your browser will ask/).isVisible(), false);
});
