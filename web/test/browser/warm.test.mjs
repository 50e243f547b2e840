// A model on this machine is loaded while a question is typed, once the user allows it.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onScreen, until } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { opened, since, testKeyStays, words } from './proxy-page.mjs';

let site;
let arrived;
before(async () => { site = await proxied(); });
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

const allow = (page) => page.getByLabel(/^Load the model while a question is typed: the word “Hello” is sent to it/);
const isWarm = ({ body }) => JSON.stringify(body.messages) === JSON.stringify([{ role: 'user', content: 'Hello' }]);

async function connected(t) {
  const page = await opened(t, site);
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').waitFor();
  return page;
}

test('one fixed word loads the model, after the user has allowed it, once', async (t) => {
  const page = await connected(t);
  await page.locator('#question').pressSequentially('Why does it');
  assert.deepEqual(await arrived('completions'), []);
  await site.provider.script('words=Hi.');
  await allow(page).check();
  await until(async () => (await arrived('completions')).length === 1);
  await page.locator('#question').pressSequentially(' end?');
  const [request, ...others] = await arrived('completions');
  assert.ok(isWarm(request), JSON.stringify(request.body));
  assert.equal(request.body.max_tokens ?? request.body.max_completion_tokens, 1);
  assert.deepEqual(others, []);
  await page.locator('.seal').click();
  assert.match(await words(page.locator('.ledger')), /to find, take or load a model on this machine, as you chose; nothing of your documents is in them:\s+the word “Hello” to chat-small, so that it is loaded/);
  await page.keyboard.press('Escape');
  // The choice belongs to the browser.
  await page.reload();
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await until(() => allow(page).isChecked());
  await allow(page).uncheck();
  await page.locator('#question').pressSequentially('Why?');
  assert.equal((await arrived('completions')).length, 1);
});

test('a question that waits for its model says so; after Stop the load goes on', async (t) => {
  const page = await connected(t);
  await site.provider.script('words=Hi.');
  await allow(page).check();
  await until(async () => (await arrived('completions')).length === 1);
  await site.provider.script('hold; words=Late.', 'words=Hi.');
  await page.locator('#question').fill('Why does it end?');
  await page.keyboard.press('Enter');
  await page.locator('#panel-ask').getByRole('button', { name: 'Send', exact: true }).click();
  await onScreen(page, /^chat-small is being loaded, or reads… \d+\ss$/).waitFor();
  assert.equal((await arrived('completions')).length, 2);
  await page.locator('#panel-ask').getByRole('button', { name: 'Stop', exact: true }).click();
  await until(async () => (await arrived('completions')).length === 3);
  assert.deepEqual((await arrived('completions')).map(isWarm), [true, false, true]);
  await site.provider.release();
});

testKeyStays(() => site);
