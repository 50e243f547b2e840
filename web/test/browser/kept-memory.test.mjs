// What documents of earlier visits take while they are closed: a row of the list each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropMade, open, painted, row, start } from './harness.mjs';
import { text } from './proxy-page.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

const MANY = 100;
/** Of a page with one document: what a hundred rows more may take. */
const MOST = { page: 1.3, engine: 1.05 };

/** So that the engine's worker tells how large the memory of its program is. */
const tells = `for (const name of ['instantiate', 'instantiateStreaming']) {
  const made = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (...given) => {
    const result = await made(...given);
    self.memoryOfProgram = () => result.instance.exports.mem.buffer.byteLength;
    return result;
  };
}
`;

/** What page and engine take on a later visit, with one of so many documents open. */
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
