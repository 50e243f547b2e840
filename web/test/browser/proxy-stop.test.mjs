// Stops cuts with a hosted embedder after all text has been sent: by Stop, by choosing
// another embedder, by changing the view.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { downloaded, makeFixtures, row, until } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { choose, listed, opened, panel, press, send, since } from './proxy-page.mjs';

let site;
let arrived;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

/**
 * Opens a page with a document that has been sent. `window.hold` delays cuts, and
 * `window.held` counts them.
 */
async function sent(t) {
  const page = await opened(t, site, { sentences: 40 });
  await choose(page);
  await send(page);
  await until(async () => (await downloaded(page)).embedder.startsWith('openai:'));
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Object.assign(window, { hold: true, held: 0 });
    Worker.prototype.postMessage = function (message, ...more) {
      if (window.hold && message.json && JSON.parse(message.json).method === 'chunk') window.held++;
      else postMessage.call(this, message, ...more);
    };
  });
  return page;
}

const set = (page, id, value) => page.evaluate(([at, to]) => {
  const field = document.querySelector(at);
  field.value = to;
  field.dispatchEvent(new Event(field.matches('select') ? 'change' : 'input', { bubbles: true }));
}, [id, value]);

async function heldBack(page) {
  await page.waitForFunction(() => window.held === 1);
  await page.evaluate(() => { window.hold = false; });
}

test('a stopped cut leaves the chunks and the embedder, and nothing is asked', async (t) => {
  const page = await sent(t);
  const former = await listed(page);
  await set(page, '#setting', '3');
  await heldBack(page);
  await page.locator('.doc').getByRole('button', { name: /^Stop/ }).click();
  await row(page, '.txt');
  await page.locator('.doc').getByRole('button', { name: /^Stop/ }).waitFor({ state: 'hidden' });
  assert.deepEqual(await listed(page), former);
  await set(page, '#setting', '2');
  const { setting, embedder } = await downloaded(page);
  assert.deepEqual([setting, embedder], [2, await page.locator('#embedder').inputValue()]);
  assert.match(embedder, /^openai:/);
  assert.ok(await panel(page).isHidden());
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [40]);
});

test('another embedder and the former one, before anything was cut: nothing is asked', async (t) => {
  const page = await sent(t);
  await set(page, '#setting', '3');
  await heldBack(page);
  await page.evaluate(() => {
    const embedders = document.querySelector('#embedder');
    const { value } = embedders;
    for (const name of ['lexical', value]) {
      embedders.value = name;
      embedders.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
  const { setting, embedder } = await downloaded(page);
  assert.deepEqual([setting, embedder], [3, await page.locator('#embedder').inputValue()]);
  assert.match(embedder, /^openai:/);
  assert.ok(await panel(page).isHidden());
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [40]);
});

test('stopped when all of it had come: that is said, and it goes on without sending', async (t) => {
  const page = await sent(t);
  await set(page, '#view', 'content');
  await heldBack(page);
  await press(page, 'Stop');
  await panel(page).getByText('Stopped.').waitFor();
  await panel(page).getByText('nothing more of this document is sent').waitFor();
  assert.doesNotMatch((await downloaded(page)).embedder, /^openai:/);
  await press(page, 'Try again');
  await panel(page).waitFor({ state: 'hidden' });
  await until(async () => (await downloaded(page)).view === 'content');
  assert.match((await downloaded(page)).embedder, /^openai:/);
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [40]);
});
