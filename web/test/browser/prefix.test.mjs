// A model that was trained with prefixes: the page says them before Send, and each text has
// its own.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFixtures, until } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { choose, opened, panel, send, since, words } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await proxied({ more: '      - {id: nomic-embed-text, kind: embed, dimensions: 16}\n' });
});
after(() => site?.close());

test('the prefixes of a model are shown before Send, and sent with each text', async (t) => {
  const page = await opened(t, site);
  const arrived = await since(site);
  await choose(page, /^nomic/);
  await panel(page).waitFor();
  const shown = await words(panel(page));
  assert.match(shown, /“search_document:” goes before each sentence\. “search_query:” goes before each search\./);
  await send(page);
  const texts = async () => (await arrived('embeddings')).flatMap(({ body }) => body.input);
  await until(async () => (await texts()).length > 0);
  const sent = await texts();
  assert.ok(sent.every((text) => text.startsWith('search_document: The ')), String(sent));
  await page.locator('#search').fill('curd');
  await page.keyboard.press('Enter');
  await until(async () => (await texts()).length > sent.length);
  assert.deepEqual((await texts()).slice(sent.length), ['search_query: curd']);
  await choose(page, /^embed-small/);
  await panel(page).waitFor();
  assert.doesNotMatch(await words(panel(page)), /goes before/);
});

test('a call over OpenAI’s interface is passed on as it came', async () => {
  const arrived = await since(site);
  const r = await fetch(new URL('/v1/embeddings', site.bare), {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'nomic-embed-text', input: 'as it is' }),
  });
  assert.equal(r.status, 200);
  assert.deepEqual((await arrived('embeddings')).map(({ body }) => body.input), [['as it is']]);
});
