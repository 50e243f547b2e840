// The tables of the PDF worker: fetched once when a document needs one, and stored for
// offline use. Without one, the document names the missing table.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, makeFixtures, row, shownText, start, work } from './harness.mjs';
import { bound, sandboxWarning, staticHost, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Drops the Japanese document and returns its displayed text. */
async function japanese(page, name = 'japanese.pdf') {
  await drop(page, join(work, name));
  await (await row(page, name)).locator('button').first().click();
  await page.locator('.blocks').filter({ hasText: 'English' }).waitFor();
  return shownText(page);
}

const setups = {
  'seam serve': () => site.url,
  'seam serve, sealed': () => `${site.url}sealed/`,
  'a plain host': async (t) => (await staticHost(t)).url,
  'a plain host, sealed': async (t) => `${(await staticHost(t)).url}sealed/`,
};

for (const [name, address] of Object.entries(setups)) {
  test(`a table is fetched once, when it is needed: ${name}`, async (t) => {
    const { page, context, check } = await visit(t, site.browser, await address(t), { ignore: sandboxWarning });
    await bound(page);
    const fetched = [];
    context.on('request', (request) => {
      if (request.url().includes('.cmaps') && !request.serviceWorker()) fetched.push(request.url());
    });
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
    assert.deepEqual(fetched, []);
    assert.match(await japanese(page), /日本語。/);
    assert.equal(fetched.length, 1);
    assert.match(fetched[0], /\/japan1-\w+\.cmaps$/);
    check();

    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await bound(page);
    await japanese(page);
    await context.setOffline(true);
    await page.reload();
    await bound(page);
    assert.match(await japanese(page), /日本語。/, 'offline');
  });
}

test('without its table a document says so and shows the rest', async (t) => {
  // Requests of a service worker bypass the route.
  const { page, context } = await visit(t, site.browser, site.url, { ignore: /./, serviceWorkers: 'block' });
  await context.route(/\.cmaps/, (route) => route.abort());
  await bound(page);
  assert.doesNotMatch(await japanese(page), /日/);
  assert.match(await (await row(page, 'japanese.pdf')).innerText(), /characters of Japanese fonts could not be read/);
});
