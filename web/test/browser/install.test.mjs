// The page as an app: its manifest, files from the system, shortcuts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { FLAGS, LIMIT_MS, makeFixtures, onScreen, row, saved, start, until, work } from './harness.mjs';
import { bound, dist, staticHost, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start({ whole: true });
});
after(() => site?.close());

const setups = {
  'seam serve': () => site.url,
  'a plain host below a path': async (t) => (await staticHost(t)).url,
};

for (const [name, address] of Object.entries(setups)) {
  test(`Chromium can install it: ${name}`, async (t) => {
    const url = await address(t);
    const { page, context, check } = await visit(t, site.browser, url);
    await bound(page);
    const cdp = await context.newCDPSession(page);
    const { data, errors, url: manifest } = await cdp.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.ok(manifest.startsWith(url));
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []); // every context of a test is
    const { appId } = await cdp.send('Page.getAppId');
    assert.equal(appId, url);
    const told = JSON.parse(data);
    for (const path of [told.start_url, told.scope, told.share_target.action, ...told.shortcuts.map((each) => each.url)]) {
      assert.ok(new URL(path, manifest).href.startsWith(url), path);
    }
    for (const { src, sizes, type } of told.icons) {
      const response = await page.request.get(new URL(src, manifest).href);
      assert.ok(response.ok() && response.headers()['content-type'].startsWith(type), src);
      if (type !== 'image/png') continue;
      const png = await response.body();
      assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes);
    }
    // All formats that Seam reads, and bundles.
    const extensions = Object.values(told.file_handlers[0].accept).flat();
    const accept = (await page.locator('#picker').getAttribute('accept')).split(',').filter((each) => each.startsWith('.'));
    for (const each of [...accept, '.seam', '.pdf', '.md']) assert.ok(extensions.includes(each), each);
    check();
  });
}

test('the sealed entry is no app, and its policy lets no manifest in', async (t) => {
  const { page, context } = await visit(t, site.browser, `${site.url}sealed/`, { ignore: /./ });
  await bound(page);
  assert.equal(await page.locator('link[rel=manifest]').count(), 0);
  const asked = [];
  // The service worker fetches it for the other entry.
  context.on('requestfinished', (request) => { if (!request.serviceWorker()) asked.push(request.url()); });
  const manifest = readFileSync(join(dist, 'index.html'), 'utf8').match(/[\w-]+\.webmanifest/)[0];
  await page.evaluate((href) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest', href: `../${href}` })); }, manifest);
  const cdp = await context.newCDPSession(page);
  assert.equal((await cdp.send('Page.getAppManifest')).data ?? '', '');
  assert.deepEqual(asked.filter((url) => url.includes('manifest')), []);
});

/** Posts a form from another site, as the browser does for a sharing program. */
async function post(context, url, fields) {
  const page = await context.newPage();
  await page.evaluate(({ action, list }) => {
    const form = document.body.appendChild(Object.assign(document.createElement('form'), { action, method: 'post', enctype: 'multipart/form-data' }));
    for (const { name, file, text } of list) {
      const input = form.appendChild(Object.assign(document.createElement('input'), { name, type: file ? 'file' : 'text' }));
      if (!file) input.value = text;
      else {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0))], file.name));
        input.files = data.files;
      }
    }
    form.submit();
  }, { action: new URL('share', url).href, list: fields });
  await page.waitForURL(url);
  return page;
}

const file = (name) => ({ name: 'files', file: { name, base64: readFileSync(join(work, name)).toString('base64') } });

for (const [name, address] of Object.entries(setups)) {
  test(`what another program shares is opened, once: ${name}`, async (t) => {
    const url = await address(t);
    const { page: first, context } = await visit(t, site.browser, url);
    await bound(first);
    await first.evaluate(() => navigator.serviceWorker.ready);
    const page = await post(context, url, [{ name: 'title', text: '' }, file('article.pdf'), file('notes.md')]);
    await row(page, 'article.pdf');
    await row(page, 'notes.md');
    assert.equal(page.url(), url);
    assert.equal(await page.evaluate(async () => {
      const urls = (await Promise.all((await caches.keys()).map(async (each) => (await caches.open(each)).keys()))).flat().map((each) => each.url);
      return urls.some((each) => /article|notes|share/.test(each));
    }), false, 'nothing of it is kept');
    const other = await post(context, url, [{ name: 'title', text: 'On tea' }, { name: 'text', text: 'Tea is made of leaves. Leaves are dried.' }]);
    await saved(other, 'Shared text.txt'); // pages opened after this know its name
    const third = await post(context, url, [{ name: 'title', text: '' }, { name: 'text', text: 'Coffee is made of beans. Beans are roasted.' }]);
    await row(third, 'Shared text 2.txt');
    await third.locator('.doc', { hasText: 'Shared text.txt' }).waitFor(); // it has not replaced that page
    // The address alone brings no content.
    await other.goto(`${url}?shared`);
    await onScreen(other, 'What was shared has not arrived.').first().waitFor();
  });
}

test('the shortcuts of the app', async (t) => {
  const { page } = await visit(t, site.browser, `${site.url}?sample`);
  await row(page, 'Sample');
  assert.equal(page.url(), site.url);
  await page.locator('.doc .kept[data-state=saved]').waitFor(); // present on the next visit
  await page.goto(`${site.url}?open`);
  await page.locator('#add-open').and(page.locator(':focus')).waitFor();
});

test('installed, it gets the files that the system opens with it, and its shortcuts, in one window', async (t) => {
  // The browser registers an app with the desktop by files in the user's home, so this test
  // has its own home.
  const profile = mkdtempSync(join(tmpdir(), 'seam-app-'));
  const env = { ...process.env, HOME: profile, XDG_DATA_HOME: join(profile, 'data'), XDG_CONFIG_HOME: join(profile, 'config') };
  const context = await chromium.launchPersistentContext(join(profile, 'browser'), { executablePath: site.program, args: FLAGS, env });
  t.after(async () => {
    await context.close();
    rmSync(profile, { recursive: true, maxRetries: 9 });
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  const cdp = await context.newCDPSession(page);
  assert.deepEqual((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors, []);
  const manifestId = site.url;
  await cdp.send('PWA.install', { manifestId, installUrlOrBundleUrl: site.url });
  const { fileHandlers } = await cdp.send('PWA.getOsAppState', { manifestId });
  assert.ok(fileHandlers[0].accepts.some(({ fileExtensions }) => fileExtensions.includes('.seam')));
  const launched = async (name) => {
    await until(async () => {
      const found = await Promise.all(context.pages().map((each) => each.locator('.doc[data-state=ready]', { hasText: name }).count()));
      return found.reduce((sum, n) => sum + n, 0) === 1;
    });
  };
  await cdp.send('PWA.launchFilesInApp', { manifestId, files: [join(work, 'notes.md')] });
  await launched('notes.md');
  await cdp.send('PWA.launchFilesInApp', { manifestId, files: [join(work, 'article.pdf')] });
  await launched('article.pdf');
  await cdp.send('PWA.launch', { manifestId, url: `${site.url}?sample` });
  await launched('Sample');
  const windows = await Promise.all(context.pages().map((each) => each.locator('.doc').count()));
  assert.deepEqual(windows.filter(Boolean), [3]);
});
