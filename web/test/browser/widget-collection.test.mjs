// A docs site with its pages in PostgreSQL: the widget searches them through seam-proxy,
// under a strict policy, and another site has no access.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contextOf, serving, start, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { absent, freePort, serve } from './postgres.mjs';
import { byExtension, staticHost } from './static-host.mjs';

describe('a collection behind a proxy', { skip: absent }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'seam-widget-collection-'));
  const ended = [];
  let engine;
  let host;
  let other;
  let site; // a browser
  let proxied; // address of the proxy
  let proxy; // starts it, or ends it
  before(async () => {
    cpSync(resolve(web, '../shared/site/testdata/site'), dir, { recursive: true });
    writeFileSync(join(dir, 'guide', 'long name & sons.md'), '# Dyes\n\nMadder gives a warm red, and weld a clear yellow. Both want a mordant of alum.\n');
    const cloths = ['Linen', 'Hemp', 'Nettle', 'Silk', 'Wool', 'Cotton', 'Jute', 'Ramie'];
    const wear = cloths.flatMap((cloth) => ['summer', 'winter', 'work', 'feasts', 'travel'].map((use) => `${cloth} for ${use} is washed by hand and dried in the shade, then folded along other lines than before.`));
    const kept = cloths.map((cloth) => `A moth that has found ${cloth.toLowerCase()} in the chest is driven out by cedar oil and lavender, and the lid stays shut until spring.`);
    writeFileSync(join(dir, 'guide', 'care.html'), `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Care</title></head><body><main><h1>Care</h1><h2>Washing</h2><p>${wear.join('</p><p>')}</p><h2>Moths</h2><p>${kept.join('</p><p>')}</p></main></body></html>`);
    engine = await serve();
    const seam = (...args) => execFileSync(process.env.SEAM, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
    seam('push', '--root', '.', '--to', `${engine.address}loom`, 'guide', 'api');
    let policy = '';
    const hosted = { dir, base: '/docs/', headers: (name) => ({ ...byExtension(name), 'content-security-policy': policy }) };
    host = await staticHost({ after: (end) => ended.push(end) }, hosted);
    other = await staticHost({ after: (end) => ended.push(end) }, hosted);
    const origins = [host, other].map(({ url }) => new URL(url).origin);
    site = await start();
    const at = new URL(`http://127.0.0.1:${await freePort()}/`);
    proxied = at.href;
    writeFileSync(join(dir, 'proxy.yaml'), `listen: ${at.host}
admin: ""
state: ${join(dir, 'state')}
origins: ${JSON.stringify(origins)}
collections: [{name: loom, address: "${engine.address}loom"}]
sites:
  - {origin: "${origins[0]}", collection: loom}
  - {origin: "${origins[1]}", requests: 100}
session: {tokens: required, work: 8}
`);
    mkdirSync(work, { recursive: true });
    const program = join(work, 'seam-proxy-engines');
    execFileSync('go', ['build', '-tags', 'engines', '-o', program, './proxy/seam-proxy'], { cwd: resolve(web, '..'), stdio: ['ignore', 'inherit', 'inherit'] });
    const run = () => serving(program, ['--config', join(dir, 'proxy.yaml')], /http:\/\/127\.0\.0\.1:\d+/);
    let running = await run();
    proxy = { stop: () => running.stop(), again: async () => { running = await run(); } };
    policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${at.origin} ws://${at.host}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`;
    seam('index', '--site', dir, '--out', join(dir, 'seam')); // for its scripts
    const element = `<seam-search collection="${at.origin}" site="/docs/"></seam-search><script type="module" src="/docs/seam/widget.js"></script>`;
    const care = join(dir, 'guide', 'care.html');
    writeFileSync(care, readFileSync(care, 'utf8').replace('</body>', `${element}</body>`));
    writeFileSync(join(dir, 'start.html'), `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Start</title></head><body><main>${element}</main></body></html>`);
  });
  after(async () => {
    for (const end of ended) await end();
    await site?.close();
    await proxy?.stop();
    await engine?.close();
    rmSync(dir, { recursive: true });
  });

  async function visit(t, on) {
    const context = await contextOf(site.browser, {});
    t.after(() => context.close());
    const page = await context.newPage();
    const trouble = [];
    page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) trouble.push(m.text()); });
    page.on('pageerror', (e) => trouble.push(e.stack));
    const asked = [];
    page.on('request', (r) => asked.push(new URL(r.url()).pathname));
    const sockets = [];
    page.on('websocket', (s) => sockets.push(s.url()));
    await page.goto(`${on.url}start.html`);
    await page.locator('seam-search button').first().click();
    return { page, trouble, asked, sockets, box: page.locator('seam-search [role=combobox]') };
  }

  test('what is typed is found; a result leads to the passage on its page; one session for all searches', async (t) => {
    const { page, trouble, asked, sockets, box } = await visit(t, host);
    await box.pressSequentially('thread breaks', { delay: 20 });
    const first = page.locator('seam-search .option').first();
    await first.filter({ hasText: 'Mending' }).waitFor();
    const href = await first.getAttribute('href');
    assert.equal(href, `${host.url}guide/mending.html`);
    assert.ok((await page.locator('seam-search mark').allInnerTexts()).some((m) => /^(thread|breaks)$/i.test(m)), 'the words are marked');
    await box.fill('madder alum');
    const dyes = page.locator('seam-search .option', { hasText: 'Dyes' }).first();
    await dyes.waitFor();
    assert.match(await dyes.getAttribute('href'), /guide\/long%20name%20%26%20sons\.md$/);
    assert.equal(sockets.length, 1, 'one session');
    assert.ok(!asked.some((path) => /seam\.json|\.bin$/.test(path)), `no index is read: ${asked}`);
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    await accessible(page);
    await box.fill('zzzxq');
    await page.getByText('Nothing found for “zzzxq”.').waitFor();
    assert.deepEqual(trouble, []);
  });

  test('the page that a result leads to begins at the passage, with the words marked', async (t) => {
    const { page, box } = await visit(t, host);
    await box.fill('cedar oil against moths');
    const first = page.locator('seam-search .option').first();
    await first.filter({ hasText: 'Moths' }).waitFor();
    await first.click();
    await page.waitForURL(/care\.html$/);
    await page.waitForFunction(() => CSS.highlights.get('seam-search')?.size > 0);
    const { y } = await page.getByText('A moth that has found linen').boundingBox();
    assert.ok(y >= 0 && y < 400, `the passage is ${y} px from the top`);
    assert.ok(await page.evaluate(() => scrollY) > 400, 'which is further down');
  });

  test('search() of the element gives the same', async (t) => {
    const { page } = await visit(t, host);
    const found = await page.evaluate(() => document.querySelector('seam-search').search('thread breaks', { k: 2 }));
    assert.ok(found.hits.length >= 1 && found.hits.length <= 2);
    assert.match(found.hits[0].url, /mending\.html/);
  });

  test('another site has none of it', async (t) => {
    const { page, box } = await visit(t, other);
    await box.fill('thread breaks');
    await page.getByText('The search of this site is not there.').waitFor();
    assert.equal(await page.locator('seam-search .option').count(), 0);
  });

  test('where a proxy gives no more tokens for now, a reader waits as it says', async (t) => {
    const ask = () => fetch(`${proxied}v1/session`, { method: 'POST', headers: { origin: new URL(host.url).origin, 'content-type': 'application/json' }, body: '{}' });
    let reply;
    do reply = await ask(); while (reply.ok);
    assert.equal(reply.status, 429);
    assert.ok((await reply.json()).retry_after_ms > 0);
    const { page, box } = await visit(t, host);
    await box.fill('thread breaks');
    await page.locator('seam-search .option').first().filter({ hasText: 'Mending' }).waitFor();
  });

  test('a session that was cut is opened again; an engine that is away is told', async (t) => {
    const { page, sockets, box } = await visit(t, host);
    const first = page.locator('seam-search .option').first();
    await box.fill('thread breaks');
    await first.filter({ hasText: 'Mending' }).waitFor();
    await proxy.stop();
    await proxy.again();
    await box.fill('madder alum');
    await first.filter({ hasText: 'Dyes' }).waitFor();
    assert.equal(sockets.length, 2);
    await engine.stop();
    await box.fill('warp');
    await page.getByText('The search does not answer at the moment.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});
