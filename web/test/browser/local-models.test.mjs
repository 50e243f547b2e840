// Models on this machine: the page asks its server to look for them, lists them by their
// abilities, and takes them without a file.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dropMade, makeFixtures, onScreen, open, row, saved, start, until, work } from './harness.mjs';
import { ask, words } from './proxy-page.mjs';

/** Starts a server on a port of its own. `seen` has its requests. */
async function serve(answer) {
  const seen = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      seen.push(`${request.method} ${request.url}`);
      answer(request, response, body);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { seen, port: server.address().port, close: () => { server.closeAllConnections(); server.close(); } };
}

/** Answers as Ollama does. */
function ollama({ url }, response, body) {
  const json = (value) => { response.setHeader('content-type', 'application/json'); response.end(JSON.stringify(value)); };
  const models = { 'llama3.2:latest': ['completion'], 'nomic-embed-text:latest': ['embedding'] };
  if (url === '/api/tags') json({ models: [...Object.keys(models).map((name) => ({ name, details: {} })), { name: 'gpt-oss:120b-cloud', remote_host: 'https://ollama.com:443' }] });
  else if (url === '/api/show') json({ capabilities: models[JSON.parse(body).model] });
  else if (url === '/v1/embeddings') json({ data: JSON.parse(body).input.map((text, index) => ({ index, embedding: [text.length % 7 + 1, text.length % 3, 1] })), usage: { prompt_tokens: 9, total_tokens: 9 } });
  else if (url === '/v1/chat/completions') {
    response.setHeader('content-type', 'text/event-stream');
    for (const content of ['The pump is covered ', '[1].']) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 99, completion_tokens: 9 } })}\n\ndata: [DONE]\n\n`);
  } else { response.statusCode = 404; response.end('404 page not found'); }
}

const nginx = (_, response) => { response.setHeader('content-type', 'text/html'); response.end('<!doctype html><title>Welcome</title>'); };

let models;
let web;
let silent;
before(async () => {
  makeFixtures();
  models = await serve(ollama);
  web = await serve(nginx);
  const gone = await serve(nginx);
  silent = gone.port;
  gone.close();
});
after(() => { models?.close(); web?.close(); });

/** Starts seam serve without a provider, with these ports in place of the usual ones. `again` starts it a second time, at the same address. */
async function site(t, ports) {
  const state = mkdtempSync(join(work, 'local-'));
  const env = { SEAM_LOCAL_PORTS: ports.join(',') };
  const made = await start({ args: ['--state', state], env });
  t.after(() => made.close());
  const again = async () => {
    await made.stop();
    const next = await start({ args: ['--state', state, '--addr', new URL(made.url).host], env });
    t.after(() => next.close());
  };
  return { ...made, url: `${made.url}#token=${made.token}`, again };
}

const warranty = 'The warranty covers the pump for two years. Nobody pays for its repair. The hose is not covered. A filter is cleaned every month. ';

async function opened(t, made, options = {}) {
  const tab = await open(made, options);
  t.after(async () => { tab.check(); await tab.close(); });
  await dropMade(tab.page, { name: 'manual.txt', parts: [warranty.repeat(4)] });
  await row(tab.page, 'manual.txt');
  return tab.page;
}

/** Loads the page again. Its document comes back, because it is kept. */
async function loadAgain(page, local) {
  await saved(page, 'manual.txt');
  await Promise.all([page.waitForNavigation(), local.getByRole('button', { name: 'Load again' }).click()]);
}

const inAsk = (page) => page.locator('#panel-ask .local');
const press = (page) => inAsk(page).getByRole('button', { name: 'Use a model on this machine…' }).click();

test('a model on this machine is found on a press, taken without a file, and answers', async (t) => {
  const made = await site(t, [models.port, web.port, silent]);
  const page = await opened(t, made);
  assert.deepEqual(models.seen, [], 'nothing before the press');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await press(page);
  const local = inAsk(page);
  await local.getByText('2 models found.').waitFor();
  const told = await words(local);
  for (const text of [`Ollama · 127.0.0.1:${models.port}`, 'Answer questions', 'llama3.2:latest', 'Embed: compare by meaning', 'nomic-embed-text:latest', 'other machines: gpt-oss:120b-cloud', `127.0.0.1:${web.port} does not list models`])
    assert.ok(told.includes(text), `${text}: ${told}`);
  assert.ok(!told.includes('Nothing listens'), told);
  assert.deepEqual(models.seen.filter((each) => each.includes('/v1/')), [], 'no model is loaded');

  // The requests are listed: of the page to its server, and of that to this machine.
  await page.locator('.seal').click();
  const ledger = await words(page.locator('#ledger'));
  for (const text of ['to find, take or load a model on this machine', `GET http://127.0.0.1:${models.port}/api/tags, from the server of this page`, `2 × POST http://127.0.0.1:${models.port}/api/show`, `GET http://127.0.0.1:${silent}/api/v0/models, from the server`, `${new URL(made.url).origin}/v1/local`]) assert.ok(ledger.includes(text), `${text}: ${ledger}`);
  assert.match(await page.locator('.seal').innerText(), /on this machine/);
  await page.keyboard.press('Escape');

  await local.getByRole('button', { name: 'Use llama3.2:latest for answers' }).click();
  await local.getByText('Until seam serve stops').waitFor();
  await local.getByRole('button', { name: 'Use nomic-embed-text:latest to embed' }).click();
  await local.getByText(`seam serve --base-url http://127.0.0.1:${models.port}/v1 --chat-model llama3.2:latest --embed-model nomic-embed-text:latest`).waitFor();
  await loadAgain(page, local);
  await row(page, 'manual.txt');
  await page.getByRole('tab', { name: 'Ask' }).waitFor();
  await ask(page, 'What does the warranty cover?');
  await page.locator('#panel-ask .answer').getByText('The pump is covered').waitFor();
  assert.ok(models.seen.includes('POST /v1/chat/completions'));
});

test('a model on this machine embeds', async (t) => {
  const made = await site(t, [models.port, silent, silent]);
  const page = await opened(t, made);
  const own = page.locator('.settings .local');
  await own.getByRole('button', { name: 'Use a model on this machine…' }).click();
  await own.getByRole('button', { name: 'Use nomic-embed-text:latest to embed' }).click();
  await loadAgain(page, own);
  await row(page, 'manual.txt');
  await page.locator('#embedder').selectOption('connect');
  await page.locator('.settings .consent').getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.settings .consent').waitFor({ state: 'hidden' });
  assert.match(await page.locator('#embedder option:checked').innerText(), /nomic-embed-text:latest · free/);
  assert.ok(models.seen.includes('POST /v1/embeddings'));
});

test('a restart forgets it: the page says so before, and works after, with its service worker, too', async (t) => {
  const made = await site(t, [models.port, silent, silent]);
  const page = await opened(t, made, { serviceWorkers: 'allow' });
  const own = page.locator('.settings .local');
  await own.getByRole('button', { name: 'Use a model on this machine…' }).click();
  await own.getByRole('button', { name: 'Use nomic-embed-text:latest to embed' }).click();
  await own.getByText('Until seam serve stops').waitFor();
  await loadAgain(page, own);
  await row(page, 'manual.txt');
  await page.locator('#embedder').selectOption('connect');
  await page.locator('.settings .consent').getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.settings .consent').waitFor({ state: 'hidden' });
  await saved(page, 'manual.txt');
  await made.again();
  await page.reload();
  await row(page, 'manual.txt');
  assert.equal(await page.locator('#embedder option[value=connect]').count(), 0);
  assert.doesNotMatch(await page.locator('#embedder option:checked').innerText(), /nomic/);
  await page.getByRole('tab', { name: 'Ask' }).click();
  await press(page);
  await inAsk(page).getByText('2 models found.').waitFor();
});

test('what a reload would lose is said before', async (t) => {
  const made = await site(t, [models.port, silent, silent]);
  const tab = await open(made);
  t.after(() => tab.close());
  const { page } = tab;
  await page.evaluate(() => { IDBObjectStore.prototype.put = () => { throw new DOMException('no room', 'QuotaExceededError'); }; });
  await dropMade(page, { name: 'manual.txt', parts: [warranty] });
  await row(page, 'manual.txt');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await press(page);
  await inAsk(page).getByRole('button', { name: 'Use llama3.2:latest for answers' }).click();
  const load = inAsk(page).getByRole('button', { name: 'Load again' });
  await until(async () => {
    await load.click();
    return inAsk(page).getByText('would be lost').isVisible();
  });
  await Promise.all([page.waitForNavigation(), load.click()]);
});

test('nothing there, another program there: a sentence with the way out', async (t) => {
  const nothing = await opened(t, await site(t, [silent, silent, silent]));
  await nothing.getByRole('tab', { name: 'Ask' }).click();
  await press(nothing);
  await inAsk(nothing).getByText(/No model was found\. Nothing listens on 127\.0\.0\.1:\d+ \(Ollama\), .*“ollama serve”/).waitFor();
  const other = await opened(t, await site(t, [silent, web.port, silent]));
  await other.getByRole('tab', { name: 'Ask' }).click();
  await press(other);
  await inAsk(other).getByText(/does not list models: if llama\.cpp listens on another port/).waitFor();
});

test('without the token the page says where it is', async (t) => {
  const made = await site(t, [models.port, silent, silent]);
  const tab = await open({ ...made, url: made.url.split('#')[0] });
  t.after(() => tab.close());
  const { page } = tab;
  await dropMade(page, { name: 'manual.txt', parts: [warranty] });
  await row(page, 'manual.txt');
  await page.getByRole('tab', { name: 'Ask' }).click();
  const before = models.seen.length;
  await press(page);
  await inAsk(page).getByText('ends in #token= and the token').waitFor();
  assert.equal(models.seen.length, before);
});

test('the sealed page has no such offer', async (t) => {
  const made = await site(t, [models.port, silent, silent]);
  const tab = await open({ ...made, url: `${made.url.split('#')[0]}sealed/` });
  t.after(() => tab.close());
  await dropMade(tab.page, { name: 'manual.txt', parts: [warranty] });
  await row(tab.page, 'manual.txt');
  assert.equal(await tab.page.getByRole('tab', { name: 'Ask' }).count(), 0);
  assert.equal(await onScreen(tab.page, 'Use a model on this machine').count(), 0);
});
