// The engine's hot loops (wasm/kernel): Chromium runs them, and a browser without support
// must cut the same text identically.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { add, contextOf, downloaded, painted, programs, row, start } from './harness.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

/** Runs first in a worker and counts the kernels started. With `without`, no program is valid. */
const watch = (without) => `self.kernels = 0;
WebAssembly.Instance = new Proxy(WebAssembly.Instance, { construct(target, [module, imports]) {
  self.kernels++;
  return new target(module, imports);
} });
${without ? 'WebAssembly.validate = () => false;' : ''}`;

/** Returns the chunks of the sample by several methods, and the number of kernels started. */
async function cut(without) {
  const context = await contextOf(site.browser, { acceptDownloads: true, serviceWorkers: 'block' });
  await context.route(/\/worker-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: watch(without) + await response.text() });
  });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  const saved = [await downloaded(page)];
  for (const method of ['percentile', 'stddev', 'cluster']) {
    const before = await page.evaluate(() => performance.getEntriesByName('seam:recut').length);
    await page.locator('#method').selectOption(method);
    await page.waitForFunction((n) => performance.getEntriesByName('seam:recut').length > n, before);
    await painted(page);
    saved.push(await downloaded(page));
  }
  const counts = await Promise.all(programs(page).map((worker) => worker.evaluate(() => self.kernels)));
  await context.close();
  return { saved, kernels: counts.reduce((sum, n) => sum + n, 0) };
}

test('with the kernel and without it the chunks are the same', { timeout: 600_000 }, async () => {
  const [with_, without] = [await cut(false), await cut(true)];
  assert.equal(with_.kernels, 1);
  assert.equal(without.kernels, 0);
  assert.equal(new Set(with_.saved.map((each) => JSON.stringify(each.chunks))).size, 4, 'four methods make four chunkings');
  assert.deepEqual(with_.saved, without.saved);
});
