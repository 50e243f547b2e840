// The sealed entry: everything works, and only the page's own files can be requested, even
// on the same host.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, contextOf, downloaded, drop, makeFixtures, row, start, unlock, work } from './harness.mjs';
import { accessible } from './looks.mjs';
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

/** The colour of the frame, and how far the shadow of a dialog may darken it. */
const GREEN = [13, 92, 70];
const SHADOW = 4;
const isGreen = (colour) => colour.every((value, i) => Math.abs(value - GREEN[i]) <= SHADOW);
/** Returns the colours of the edges of a picture of the window, at some places of each side. */
async function edges(page) {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    const shares = [0.02, 0.3, 0.5, 0.7, 0.98];
    const places = [...shares.flatMap((x) => [[x * width, 1], [x * width, height - 2]]), ...shares.flatMap((y) => [[1, y * height], [width - 2, y * height]])];
    return places.map(([x, y]) => [...context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data].slice(0, 3));
  }, picture);
}

for (const [look, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, 'a phone': { viewport: { width: 360, height: 740 } } })) {
  test(`a green frame and a badge in each state: ${look}`, async (t) => {
    const context = await contextOf(site.browser, { serviceWorkers: 'block', viewport: { width: 1400, height: 860 }, ...options });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${site.url}sealed/`);
    const framed = async (state) => {
      assert.deepEqual((await edges(page)).filter((colour) => !isGreen(colour)), [], state);
      assert.ok(await page.locator('.sealed-badge').isVisible() && await page.locator('.sealed-badge').innerText() === 'Sealed', state);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight), `${state}: it fits`);
    };
    await page.locator('.sealed-kept').waitFor();
    await page.locator('#method:enabled').waitFor({ state: 'attached' }); // the settings have their labels
    await framed('empty');
    await accessible(page, 'sealed, empty');
    await add(page, 'Try the sample');
    await row(page, 'Sample');
    await framed('read');
    await accessible(page, 'sealed, read');
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.locator('.compared .made').first().waitFor();
    await framed('compare');
    await page.locator('#search').fill('bees');
    await page.keyboard.press('Enter');
    await page.locator('.hits button').first().waitFor();
    await framed('search');
    await page.keyboard.press('Escape');
    if (options.viewport) {
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await framed('sheet');
    } else {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Keys…' }).click();
      await page.locator('dialog[open]').waitFor();
      await framed('dialog');
    }
  });
}

test('the ordinary page has no frame and no badge', async (t) => {
  const { page } = await visit(t, site.browser, site.url, { ignore: /./ });
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.sealed-badge').count(), 0);
  assert.equal((await edges(page)).some(isGreen), false);
});

/** Everything that the browser has stored for the page, but for its own files. */
const stored = (page) => page.evaluate(async () => {
  const files = [];
  const walk = async (folder) => {
    for await (const [name, handle] of folder.entries()) {
      files.push(name);
      if (handle.kind === 'directory') await walk(handle);
    }
  };
  await walk(await navigator.storage.getDirectory());
  return { databases: (await indexedDB.databases()).map(({ name }) => name), files, values: Object.keys(localStorage) };
});

test('what it says before anything is opened is true: nothing is kept, and its settings are its own', async (t) => {
  const context = await contextOf(site.browser, { serviceWorkers: 'block', viewport: { width: 1400, height: 860 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const ready = async (path) => {
    await page.goto(`${site.url}${path}`);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
  };
  await ready('');
  await page.locator('#method').selectOption('recursive');
  await page.waitForFunction(() => /recursive/.test(localStorage.getItem('seam.settings.1') ?? ''));
  await ready('sealed/');
  await page.locator('.sealed-kept').waitFor();
  assert.notEqual(await page.locator('#method').inputValue(), 'recursive', 'not the setting of the ordinary page');
  await page.locator('#method').selectOption('percentile');
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('#questions-picker').setInputFiles({ name: 'q.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(JSON.stringify({ question: 'What is shown?', excerpts: ['point of them'] })) });
  await page.locator('.own-questions li').waitFor();
  await page.locator('#search').fill('bees');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  const { databases, files, values } = await stored(page);
  assert.deepEqual({ databases, files }, { databases: [], files: [] });
  assert.deepEqual(values.filter((name) => !name.endsWith('.sealed')).sort(), ['seam.all-settings', 'seam.settings.1'], 'the values of the ordinary page');
  await page.reload();
  await page.locator('.sealed-kept').waitFor();
  assert.equal(await page.locator('.doc').count(), 0, 'gone');
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  assert.equal(await page.locator('#method').inputValue(), 'percentile', 'its own setting');
  await ready('');
  assert.equal(await page.locator('#method').inputValue(), 'recursive', 'untouched');
  // Where the reader has chosen to keep documents, it does not say so.
  await ready('sealed/');
  await page.evaluate(() => localStorage.setItem('seam.keep.sealed', 'all'));
  await page.reload();
  await page.locator('.sealed-kept').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.sealed-kept').isVisible(), false);
});
