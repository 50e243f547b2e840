// Planted leaks: code in the page and its worker tries every way to send data out. Nothing
// may arrive, in any set-up.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { longTest, start } from './harness.mjs';
import { byClick, fromFrame, fromPage, fromWorker, tryAll, tryByClick } from './leaks.mjs';
import { bound, staticHost, told, visit } from './static-host.mjs';

/** The first Chromium known to enforce Connection-Allowlist by default. */
const KNOWS_ALLOWLIST = 156;

/** Ways left open by a browser that does not know that header, and the page's words about them. */
const named = [
  [/^(form|form for a new window|link|location|meta refresh|window\.open)/, /leaving this page for another address \(navigation by a script or a link, here or in a new window/],
  [/^link to save/, /to save a file/],
  [/^WebRTC/, /WebRTC/],
  [/^(iframe|link preconnect)/, /connections opened ahead of a request/],
];

/** Ways that no trap sees even without a policy, because the browser has closed or removed them. */
const closedAnyway = ['link manifest', 'link preconnect', 'link prerender', 'nested worker', 'shared worker', 'WebRTC', 'worker'];

let site;
before(async () => { site = await start({ whole: true }); }); // the headless shell fetches no icons
after(() => site?.close());

/**
 * Tries everything in an entry of the page. `ready` waits until the policy is in force;
 * `expected` names the open ways.
 */
async function leaks(t, url, ready, { expected = () => [], ...options } = {}) {
  const openPage = async () => {
    const { page } = await visit(t, site.browser, url, { ignore: /./, ...options });
    await ready(page);
    return page;
  };
  const [page, another, third] = [await openPage(), await openPage(), await openPage()];
  await another.locator('#method:enabled').waitFor({ state: 'attached' });
  const text = await told(page);
  const arrived = {
    page: await tryAll(page, fromPage, expected(fromPage)),
    click: await tryByClick(openPage, byClick, expected(byClick)),
    worker: await tryAll(another.workers()[0], fromWorker, expected(fromWorker)),
    frame: await tryAll(third, fromFrame, expected(fromFrame)),
  };
  // A dead page sends nothing, which would prove nothing.
  assert.equal(await another.workers()[0].evaluate(() => 1 + 1), 2);
  assert.equal(await page.evaluate(() => 1 + 1), 2);
  return { arrived, text, page, another };
}

test('control: without a policy the traps see them all', async (t) => {
  // The page itself prevents navigation to another address.
  const left = ['location', 'location of an empty frame', 'link to save', 'meta refresh', 'form', 'window.open of this window'];
  const expected = (ways) => Object.keys(ways).filter((name) => !closedAnyway.includes(name) && !(ways === byClick && left.includes(name)));
  const host = await staticHost(t);
  const { arrived } = await leaks(t, host.url, () => undefined, { expected, serviceWorkers: 'block' });
  for (const [ways, seen] of [[fromPage, arrived.page], [fromWorker, arrived.worker], [fromFrame, arrived.frame], [byClick, arrived.click]]) {
    assert.deepEqual(expected(ways).filter((name) => !(name in seen)), []);
  }
});

// On a plain host the service worker sets the policy, and the sealed policy lists single
// files. The strictest case is tried in each run, the others in make test-long.
const setups = {
  'a plain host, /sealed/': { run: test, url: async (t) => `${(await staticHost(t)).url}sealed/` },
  'seam serve, /': { run: longTest, url: () => site.url },
  'seam serve, /sealed/': { run: longTest, url: () => `${site.url}sealed/` },
  'a plain host, /': { run: longTest, url: async (t) => (await staticHost(t)).url },
};

for (const [name, { run, url }] of Object.entries(setups)) {
  run(`nothing gets out: ${name}`, async (t) => {
    const { arrived, text, page, another } = await leaks(t, await url(t), bound);
    for (const [from, ways] of Object.entries(arrived)) {
      console.log(`${name}, ${from}: ${Object.entries(ways).map(([way, what]) => `${way}: ${what}`).join(', ') || 'nothing arrived'}`);
      const told = Object.keys(ways).filter((way) => named.some(([which, words]) => which.test(way) && words.test(text)));
      const old = Number.parseInt(site.browser.version(), 10) < KNOWS_ALLOWLIST;
      assert.deepEqual(ways, old ? Object.fromEntries(told.map((way) => [way, ways[way]])) : {}, from);
    }
    for (const each of [page, another]) {
      await told(each);
      for (const words of [/requests? blocked by the policy, not sent:/, /fetch to http:\/\/127\.0\.0\.1:\d+\/leak-fetch/, /Requests to anything else: none/]) {
        await each.locator('#ledger').filter({ hasText: words }).waitFor();
      }
    }
  });
}
