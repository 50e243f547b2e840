// Hosted models, from the page through the real proxy to a scripted provider: nothing
// leaves before Send, only the announced text leaves, and the key never comes back.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { add, contextOf, downloaded, dropMade, makeFixtures, onScreen, open, row, slide, until } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, choose, listed, opened, panel, press, send, since, testKeyStays, text, words } from './proxy-page.mjs';
import { told } from './static-host.mjs';

let site;
let arrived;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());
beforeEach(async () => {
  arrived = await since(site);
  site.seen.sockets = true;
});

test('a page that uses no hosted model says nothing to the proxy', async (t) => {
  site.seen.paths.length = 0;
  const page = await opened(t, site);
  await page.locator('#search').fill('ends');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).waitFor();
  await page.locator('#embedder').focus();
  // The engine handles calls in order, so after this answer it has begun the earlier call.
  await page.locator('#search').fill('Zyxwv');
  await page.keyboard.press('Enter');
  await onScreen(page, 'Nothing found').waitFor();
  await fetch(site.url); // through the relay, after the other requests
  assert.deepEqual(site.seen.paths.filter((path) => path.startsWith('/v1/')), []);
  assert.equal(await page.locator('.seal').innerText(), 'nothing sent · 0 requests');
  assert.match(await told(page), /until you choose a hosted model and press Send\..*to the proxy at 127\.0\.0\.1:\d+.*Requests to the proxy: none/s);
});

test('the token is in the printed address alone, and holds in the next tab; without it the page says where it is', async (t) => {
  site.seen.paths.length = 0;
  const context = await contextOf(site.browser);
  t.after(() => context.close());
  const tab = async (url) => {
    const page = await context.newPage();
    await page.goto(url);
    await dropMade(page, { name: 'token.txt', parts: ['One sentence is here. Another is there. That is all.'] });
    await row(page, 'token.txt');
    await page.locator('#embedder').selectOption('connect');
    return page;
  };
  const without = await tab(site.bare);
  await onScreen(without, /open the page at the full address that seam serve printed, which ends in #token=/i).waitFor();
  await (await tab(`${site.bare}#token=WRONG234567WRONG234567WRONG`)).getByText(/which ends in #token=/).waitFor();
  const page = await tab(site.url);
  await onScreen(page, 'Connected; nothing was sent.').waitFor();
  assert.equal(page.url(), site.bare);
  for (const again of [await tab(site.bare), await page.reload().then(() => tab(site.bare)), await tab(`${site.bare}#token=WRONG234567WRONG234567WRONG`), await tab(site.bare)]) await onScreen(again, 'Connected; nothing was sent.').waitFor();
  assert.deepEqual(site.seen.paths.filter((path) => path.includes(site.token)), []);
});

test('methods are compared without sending more: what a hosted model has not had, the built-in one compares', async (t) => {
  const page = await opened(t, site, { sentences: 40 });
  await choose(page);
  await send(page);
  await until(async () => (await arrived('embeddings')).length > 0);
  await page.locator('.doc[data-state=ready]').waitFor();
  const sent = (await arrived('embeddings')).length;
  const made = async () => (await page.locator('.compared .made').nth(1).innerText()).replaceAll('\u00a0', ' ');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByLabel('Method B', { exact: true }).selectOption('percentile'); // uses the sentences already sent
  await until(async () => /^\d+ chunks? · [^b]*$/.test(await made()));
  await page.getByLabel('Method B', { exact: true }).selectOption('notebook-percentile'); // has other sentences
  await until(async () => /^\d+ chunks? · .* · by the built-in model/.test(await made()));
  assert.equal((await arrived('embeddings')).length, sent);
});

test('the sealed entry has no hosted models', async (t) => {
  site.seen.paths.length = 0;
  const context = await contextOf(site.browser);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`${site.bare}sealed/`);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await onScreen(page, 'nothing leaves it.').waitFor();
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  assert.equal(await page.locator('#embedder optgroup').count(), 0);
  assert.equal(await page.getByRole('tab', { name: 'Ask' }).count(), 0);
  assert.equal(await page.evaluate(() => fetch('../v1/session', { method: 'POST', body: '{}' }).then(() => 'sent', () => 'refused')), 'refused');
  assert.deepEqual(site.seen.paths.filter((path) => path.startsWith('/v1/')), []);
});

test('a hosted embedder: what it would cost, Send, chunks; then the line moves for nothing', async (t) => {
  const page = await opened(t, site, { sentences: 40 });
  const former = await listed(page);
  await choose(page);
  await panel(page).getByText('Nothing is sent yet').waitFor();
  assert.match(await words(panel(page)), /40 sentences of .*\.txt, about [\d,]+ tokens in 1 call, will be sent to embed-small through 127\.0\.0\.1:\d+, for (about|less than) \$0\.0\d+\./);
  assert.deepEqual(await arrived('embeddings'), []);
  assert.deepEqual(await listed(page), former);
  await send(page);
  const requests = await arrived('embeddings');
  assert.deepEqual(requests.map(({ model, texts }) => [model, texts]), [['embed-small', 40]]);
  await until(async () => !isDeepStrictEqual(await listed(page), former));
  for (const value of [0.5, 3, 2]) await slide(page, '#setting', value);
  assert.equal((await downloaded(page)).setting, 2, 'the line has come to rest');
  assert.equal((await arrived('embeddings')).length, 1, 'moving the line sends nothing');
  const hosted = await listed(page);
  await page.locator('#embedder').selectOption('lexical');
  await until(async () => !isDeepStrictEqual(await listed(page), hosted));
  await choose(page);
  await until(async () => isDeepStrictEqual(await listed(page), hosted));
  assert.ok(await panel(page).isHidden(), 'nothing is missing: nothing is asked');
  assert.equal((await arrived('embeddings')).length, 1);
  await until(async () => /^\d+\u00a0requests to the proxy/.test(await page.locator('.seal').innerText())); // the browser reports them with a delay
  assert.match(await words(page.locator('#embedder option:checked')), /^embed-small · \$0\.02 \/ 1M tokens$/);
  assert.ok(await page.locator('#embedder option', { hasText: 'Other · price unknown' }).count());
});

test('what is saved while a long text is cut again is cut by the settings that are shown', async (t) => {
  const page = await opened(t, site, { sentences: 4000 });
  await choose(page);
  await send(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#setting').evaluate(async (input) => {
    const set = (value) => {
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
    await new Promise((asked) => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, ...more) {
        postMessage.call(this, message, ...more);
        if (JSON.parse(message.json ?? '{}').method === 'chunk') asked();
      };
      set('3');
    });
    set('2');
    document.querySelector('#save-json').click();
  })]);
  assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).documents[0].setting, 2);
  assert.equal((await arrived('embeddings')).flatMap(({ texts }) => texts).reduce((sum, n) => sum + n, 0), 4000);
});

test('what was paid for is there on a later visit, until it is forgotten', async (t) => {
  const name = 'kept for later.txt';
  const page = await opened(t, site, { name, sentences: 30 });
  await choose(page);
  await send(page);
  await onScreen(page, /30.vectors of hosted models \(1.MB\) kept in this browser/).waitFor();
  const visit = async () => {
    await page.reload();
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    await dropMade(page, { name, parts: [text(name.length * 7919 + 30, 30)] });
    await row(page, name);
  };
  await visit();
  await onScreen(page, /30.vectors of hosted models/).waitFor();
  assert.ok(await panel(page).isHidden(), 'nothing is missing: nothing is asked');
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [30]);
  await page.getByRole('button', { name: 'Forget them' }).click();
  await onScreen(page, /vectors of hosted models/).waitFor({ state: 'hidden' });
  await visit();
  await panel(page).getByText('Nothing is sent yet').waitFor();
  assert.match(await words(panel(page)), /30 sentences of /);
});

test('Not now sends nothing, and a second document asks for itself', async (t) => {
  const page = await opened(t, site);
  await choose(page);
  await press(page, 'Not now');
  await panel(page).waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#embedder').inputValue(), 'auto');
  assert.deepEqual(await arrived('embeddings'), []);
  await choose(page);
  await send(page);
  await dropMade(page, { name: 'second.txt', parts: [text(4711, 9)] });
  await row(page, 'second.txt');
  await panel(page).getByText('Nothing is sent yet').waitFor();
  assert.match(await words(panel(page)), /9 sentences of second\.txt/);
  await press(page, 'Not now');
  assert.equal(await page.locator('#embedder').inputValue(), 'auto', 'of this document');
  await page.locator('.doc .select').first().click();
  assert.match(await page.locator('#embedder').inputValue(), /^openai:/, 'of the first');
  await page.locator('.doc .select').last().click();
  await choose(page);
  await panel(page).getByRole('checkbox').check();
  await send(page);
  await dropMade(page, { name: 'third.txt', parts: [text(4712, 7)] });
  await row(page, 'third.txt');
  await until(async () => (await arrived('embeddings')).length >= 3);
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [12, 9, 7], 'the third without a question');
});

test('Stop on the way keeps what has come; sending again sends only the rest', async (t) => {
  const sentences = 1500;
  const page = await opened(t, site, { sentences });
  // One for each of six calls, so that none is left for the next test.
  await site.provider.script(...['', '', 'hold; ', 'hold; ', 'hold; ', 'hold; '].map((hold) => `${hold}header-delay=0s`));
  await choose(page);
  await press(page, 'Send');
  await panel(page).getByText(/[1-9]\d* of 1,500.sentences/).waitFor();
  await press(page, 'Stop');
  await panel(page).getByText('Stopped').waitFor();
  const said = await words(panel(page));
  const [, kept] = /([\d,]+) sentences came and are kept/.exec(said) ?? [];
  assert.ok(kept, said);
  const rest = sentences - Number(kept.replace(',', ''));
  assert.ok(said.includes(`${rest.toLocaleString('en')} of 1,500 sentences of`), said);
  await row(page, '.txt');
  await until(async () => (await arrived('embeddings')).every(({ done, gone }) => done || gone));
  await site.provider.release();
  const first = await arrived('embeddings');
  const answeredTexts = new Set(first.filter(({ gone }) => !gone).flatMap(({ body }) => body.input));
  await press(page, 'Send the rest');
  await panel(page).waitFor({ state: 'hidden' });
  const second = (await arrived('embeddings')).slice(first.length).flatMap(({ body }) => body.input);
  console.log(`stop: ${kept} of ${sentences} kept, ${second.length} sent after it`);
  assert.ok(second.length > 0 && second.length <= rest, `${second.length} of ${rest}`);
  assert.ok(second.every((sentence) => !answeredTexts.has(sentence)), 'nothing that had come is sent again');
});

test('while no vector comes for some seconds, that is said', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('hold; header-delay=0s');
  await choose(page);
  await press(page, 'Send');
  await panel(page).getByText(/Nothing has come from 127\.0\.0\.1:\d+ for \d+ s\./).waitFor();
  await site.provider.release();
  await panel(page).waitFor({ state: 'hidden' });
});

test('a failure keeps the chunks and says what to do; trying again goes on', async (t) => {
  const page = await opened(t, site);
  const former = await listed(page);
  await site.provider.script('status=401');
  await choose(page);
  await press(page, 'Send');
  await page.locator('.consent.failed').waitFor();
  console.log(`failure: ${await words(panel(page))}`);
  await row(page, '.txt');
  assert.deepEqual(await listed(page), former);
  await press(page, 'Try again');
  await panel(page).waitFor({ state: 'hidden' });
});

test('what words find is there while the hosted model is asked, and Stop leaves it there', async (t) => {
  const page = await opened(t, site);
  await choose(page);
  await send(page);
  const bar = page.locator('#panel-search .bar');
  const early = bar.getByText(/by words alone; the hosted model is being asked…/);
  const hits = page.locator('#panel-search .hits button');
  const ask = async (query) => {
    await site.provider.script('hold; header-delay=0s');
    await page.locator('#search').fill(query);
    await page.keyboard.press('Enter');
    await early.waitFor();
    assert.ok(await hits.count() > 0);
    await page.locator('.said', { hasText: /1.passage/ }).waitFor({ state: 'attached' });
  };
  await ask('what ends');
  await site.provider.release();
  await early.waitFor({ state: 'hidden' });
  assert.match(await words(bar), /^1.passage for “what ends”\.$/);
  assert.deepEqual((await arrived('embeddings')).map(({ texts, done }) => [texts, done]), [[12, true], [1, true]]);
  await ask('The ends of it');
  const there = await page.locator('#panel-search .hits').innerText();
  await bar.getByRole('button', { name: 'Stop' }).click();
  await early.waitFor({ state: 'hidden' });
  await bar.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#panel-search .hits').innerText(), there);
  assert.match(await words(bar), /1.passage for “The ends of it”/);
  await site.provider.release();
  await ask('all that ends');
  await page.locator('#search').press('Escape');
  await hits.first().waitFor({ state: 'detached' });
  await site.provider.release();
  await until(async () => (await arrived('embeddings')).every(({ done, gone }) => done || gone));
  assert.equal(await hits.count(), 0, 'what was cleared came back');
  assert.match(await words(bar), /^Type a question/);
});

test('where no websocket passes, it goes by HTTP', async (t) => {
  site.seen.sockets = false;
  site.seen.paths.length = 0;
  const tab = await open(site);
  t.after(() => tab.close()); // the refused socket is in the console
  const { page } = tab;
  await dropMade(page, { name: 'http.txt', parts: [text(99, 10)] });
  await row(page, 'http.txt');
  await choose(page);
  await send(page);
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [10]);
  // The question goes to the embedder first, because the document was sent there.
  await site.provider.script('header-delay=0s', 'chunk-delay=100ms; words=By another way [1].');
  await ask(page, 'How it ends?');
  await answered(page);
  assert.deepEqual((await arrived('embeddings')).map(({ texts }) => texts), [10, 1]);
  assert.equal(await page.locator('.answer').innerText(), 'By another way 1.');
  assert.ok(site.seen.paths.includes('/v1/request'), site.seen.paths.join(' '));
  await until(async () => /http:\/\/127\.0\.0\.1:\d+\/v1\/request/.test(await told(page)));
});

test('a proxy that is gone is said to be, and the rest goes on', async (t) => {
  const tab = await open(site);
  t.after(() => tab.close()); // failed requests are in the console
  const { page } = tab;
  await dropMade(page, { name: 'alone.txt', parts: [text(5, 10)] });
  await row(page, 'alone.txt');
  const other = await open(site);
  t.after(() => other.close());
  await dropMade(other.page, { name: 'hosted.txt', parts: [text(6, 10)] });
  await row(other.page, 'hosted.txt');
  await choose(other.page);
  await send(other.page);
  await site.stop();
  await page.locator('#embedder').selectOption('connect');
  await page.locator('.consent.failed').waitFor();
  console.log(`gone: ${await words(panel(page))}`);
  assert.ok(await panel(page).getByRole('button', { name: 'Try again' }).isVisible());
  await slide(page, '#setting', 3);
  assert.equal((await downloaded(page)).setting, 3, 'it is cut anew');
  await page.locator('#search').fill('ends');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await other.page.locator('#search').fill('what ends');
  await other.page.keyboard.press('Enter');
  await other.page.locator('.hits button').first().waitFor(); // the word results come first
  await other.page.locator('#panel-search .bar', { hasText: /passages for .*What openai:embed-small has embedded was searched by words alone: .+\./ }).waitFor();
  console.log(`without the proxy: ${await words(other.page.locator('#panel-search .bar'))}`);
});

testKeyStays(() => site);
