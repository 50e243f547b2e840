// Embedders: the built-in model, fetched once and cached; a user's own model; and the
// notice for a language unknown to the model.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { drop, dropMade, makeFixtures, onScreen, open, row, shownText, start, until, web, work } from './harness.mjs';
import { bound, keptAll, sandboxWarning, staticHost, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const setups = {
  'seam serve': () => site.url,
  'a plain host, sealed': async (t) => `${(await staticHost(t)).url}sealed/`,
};

const english = 'The doctor examined the child. The nurse wrote it down.\n\nShe planted beans. Carrots grow behind the house.\n\nThe train was late. Nobody at the station knew why.\n\n';

for (const [name, address] of Object.entries(setups)) {
  test(`the built-in model is fetched once, with the first document, and works offline: ${name}`, async (t) => {
    const { page, context, check } = await visit(t, site.browser, await address(t), { ignore: sandboxWarning });
    await bound(page);
    const fetched = [];
    context.on('request', (request) => { if (request.url().includes('.bin') && !request.serviceWorker()) fetched.push(request.url()); });
    await keptAll(page);
    assert.deepEqual(fetched, [], 'not before it is needed');
    await page.locator('#method').selectOption('percentile'); // small chunks, for a search by meaning
    await dropMade(page, { name: 'a.txt', parts: [english] });
    await row(page, 'a.txt');
    await dropMade(page, { name: 'b.txt', parts: [english.repeat(3)] });
    await row(page, 'b.txt');
    assert.match(fetched[0], /\/model-\w+\.bin$/);
    assert.equal(await page.locator('#embedder').inputValue(), 'auto');
    await page.locator('#search').fill('physician');
    await page.keyboard.press('Enter');
    await page.locator('.hits button').first().waitFor();
    check();

    await until(() => page.evaluate(async () => {
      for (const key of await caches.keys()) if ((await (await caches.open(key)).keys()).some(({ url }) => url.includes('.bin'))) return true;
      return false;
    }));
    await context.setOffline(true);
    await page.reload();
    await bound(page);
    await dropMade(page, { name: 'c.txt', parts: [`${english} Offline.`] });
    await row(page, 'c.txt');
  });
}

test('without the model the page says so, and the lexical embedder goes on', async (t) => {
  const { page, close } = await open(site);
  t.after(close);
  await page.route(/\.bin/, (route) => route.abort());
  await dropMade(page, { name: 'a.txt', parts: [english] });
  const failed = await row(page, 'a.txt', 'failed');
  assert.match(await failed.innerText(), /built-in model could not be loaded/i);
  assert.match(await page.locator('.stage').innerText(), /built-in model could not be loaded/i);
  await page.locator('#embedder').selectOption('lexical');
  await failed.getByRole('button', { name: /Try .*again/ }).click();
  await row(page, 'a.txt');
});

test('other bytes than those of the model are refused', async (t) => {
  const { page, close } = await open(site);
  t.after(close);
  await page.route(/\.bin/, (route) => route.fulfill({ status: 200, body: Buffer.alloc(4_400_000) }));
  await dropMade(page, { name: 'a.txt', parts: [english] });
  assert.match(await (await row(page, 'a.txt', 'failed')).innerText(), /could not be loaded/i);
});

test('a text in another language is compared by its own words; where the model was chosen for it, that is a press away', async (t) => {
  const tab = await open(site);
  t.after(() => tab.close());
  const { page } = tab;
  const german = 'Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag, und das Rad drehte sich langsam. ';
  await dropMade(page, { name: 'a.txt', parts: [english] }, { name: 'mühle.txt', parts: [german.repeat(12)] }, { name: 'wehr.txt', parts: [german.repeat(13)] });
  await row(page, 'a.txt');
  const notice = page.locator('.curve .unknown');
  assert.equal(await notice.isVisible(), false);
  await (await row(page, 'mühle.txt')).locator('button').first().click();
  await notice.waitFor();
  assert.match(await notice.innerText(), /seems to be in German, .* compared by its own words/);
  assert.equal(await notice.getByRole('button').isVisible(), false, 'nothing is to be done');
  assert.equal(await page.locator('#embedder').inputValue(), 'auto');
  await page.locator('#embedder').selectOption('builtin');
  await notice.getByRole('button').click();
  await notice.waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#embedder').inputValue(), 'lexical');
  assert.match(await shownText(page), /Der Müller/);
  await (await row(page, 'wehr.txt')).locator('button').first().click();
  await notice.getByRole('button').waitFor();
  assert.match(await notice.innerText(), /\d+ % of this text seems to be in German/);
  assert.equal(await page.locator('#embedder').inputValue(), 'builtin', 'the other document is as it was');
  tab.check();
});

test('a model of one’s own is chosen from a folder, and others are refused in words', async (t) => {
  const folder = join(work, 'own-model');
  rmSync(folder, { recursive: true, force: true });
  cpSync(resolve(web, '../shared/embed/static/testdata/unigram-bytes'), folder, { recursive: true });
  const tab = await open(site);
  t.after(() => tab.close());
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  const choose = async (path) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Use a model of your own…' }).click()]);
    await chooser.setFiles(path);
  };
  await choose(folder);
  await onScreen(page, 'own-model is used now').waitFor();
  assert.equal(await page.locator('#embedder').inputValue(), 'static:own-model');
  assert.match(await page.locator('#embedder option:checked').innerText(), /own-model/);
  await page.locator('#search').fill('wind');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();

  const encoder = join(work, 'own-encoder');
  rmSync(encoder, { recursive: true, force: true });
  cpSync(resolve(web, '../shared/embed/encoder/testdata/bert-f32-mean'), encoder, { recursive: true });
  await choose(encoder);
  await onScreen(page, 'own-encoder is used now').waitFor();
  assert.equal(await page.locator('#embedder').inputValue(), 'encoder:own-encoder');
  await row(page, 'article.pdf');
  await page.locator('#search').fill('mill');
  await page.keyboard.press('Enter');
  await page.locator('#panel-search .bar', { hasText: 'for “mill”' }).waitFor();
  await choose(folder);
  await onScreen(page, 'own-model is used now').waitFor();

  const wrong = join(work, 'no-model');
  mkdirSync(wrong, { recursive: true });
  writeFileSync(join(wrong, 'readme.txt'), 'nothing here');
  await choose(wrong);
  await onScreen(page, 'no-model has no model.safetensors and no tokenizer.json.').waitFor();
  writeFileSync(join(folder, 'model.safetensors'), 'short');
  await choose(folder);
  await page.locator('.settings .error', { hasText: /cannot be used/ }).waitFor();
  assert.equal(await page.locator('#embedder').inputValue(), 'static:own-model', 'the one that was there stays');
  tab.check();
});
