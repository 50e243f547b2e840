// Closed documents of earlier visits may use only the memory of a row each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { byHand, dropMade, open, painted, programs, row, saved, start, until } from './harness.mjs';
import { mergeFirst } from './kept-page.mjs';
import { text } from './proxy-page.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

const MANY = 100;
/** The most memory with a hundred more rows, relative to a page with one document. */
const MOST = { page: 1.3, engine: 1.05 };

/** Makes the engine's worker report the memory size of its program. */
const tells = `for (const name of ['instantiate', 'instantiateStreaming']) {
  const made = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (...given) => {
    const result = await made(...given);
    self.memoryOfProgram = () => result.instance.exports.mem.buffer.byteLength;
    return result;
  };
}
`;

/**
 * Returns the memory of page and engine on a later visit, with one of `documents` documents
 * open.
 */
async function taken(documents) {
  const { page, close } = await open(site);
  await page.route(/\/worker-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: tells + await response.text() });
  });
  const names = Array.from({ length: documents }, (_, i) => `doc${String(i).padStart(3, '0')}.md`);
  await dropMade(page, ...names.map((name, i) => ({ name, parts: [text(97 * i + 5, 200)] })));
  await page.waitForFunction((n) => document.querySelectorAll('.doc .kept[data-state=saved]').length === n, documents);
  await page.locator('.doc', { hasText: names[0] }).locator('.select').click();
  await row(page, names[0]);
  await page.reload();
  await row(page, names[0]);
  await page.waitForFunction((n) => document.querySelectorAll('.doc').length === n, documents);
  await painted(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const engine = await page.workers()[0].evaluate(() => self.memoryOfProgram());
  await close();
  return { page: usedSize, engine };
}

test(`${MANY} kept documents take no more memory than the one that is open`, async () => {
  const [one, many] = [await taken(1), await taken(MANY)];
  for (const [what, most] of Object.entries(MOST)) {
    console.log(`memory ${what}: ${one[what]} bytes with one document, ${many[what]} with ${MANY}`);
    assert.ok(many[what] <= most * one[what], `${what}: ${many[what]} of ${one[what]}`);
  }
});

/** Whether the engine is running. */
async function hasEngine(page) {
  const names = await Promise.all(programs(page).map((worker) => worker.evaluate(() => self.name).catch(() => ''))); // it has ended meanwhile
  return names.some((name) => name.startsWith('engine'));
}

test('after the last of long documents is removed, its memory is given back, and Undo still works', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'long.md', parts: [text(5, 6000)] });
  await row(page, 'long.md');
  await mergeFirst(page);
  await byHand(page, 1);
  await saved(page, 'long.md');
  assert.ok(await hasEngine(page));
  await page.getByRole('button', { name: 'Remove long.md' }).click();
  await until(async () => !(await hasEngine(page)));
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await row(page, 'long.md');
  await byHand(page, 1);
  check();
  await close();
});
