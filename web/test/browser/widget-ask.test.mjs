// Answers in a docs site: the widget asks the real proxy with a scripted provider, under a
// strict policy.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contextOf, web } from './harness.mjs';
import { accessible } from './looks.mjs';
import { canary, proxied } from './proxy-host.mjs';
import { byExtension, staticHost } from './static-host.mjs';

const dir = mkdtempSync(join(tmpdir(), 'seam-widget-ask-'));
const ended = [];
let host;
let site;
before(async () => {
  cpSync(resolve(web, '../shared/site/testdata/site'), dir, { recursive: true });
  let policy = '';
  host = await staticHost({ after: (end) => ended.push(end) }, { dir, base: '/docs/', headers: (name) => ({ ...byExtension(name), 'content-security-policy': policy }) });
  site = await proxied({ origins: [new URL(host.url).origin], more: 'session: {tokens: required, work: 10}\n' });
  const at = new URL(site.url);
  policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${at.origin} ws://${at.host}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`;
  const page = (lang, attributes) => `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Start</title></head><body><main><seam-search index="/docs/seam/" endpoint="ws://${at.host}" token="${site.token}" ${attributes}></seam-search></main><script type="module" src="/docs/seam/widget.js"></script></body></html>`;
  writeFileSync(join(dir, 'start.html'), page('en', ''));
  writeFileSync(join(dir, 'at-once.html'), page('de', 'consent="none"'));
  writeFileSync(join(dir, 'stranger.html'), page('en', 'consent="none"').replace(site.token, 'no-token'));
  const works = Array.from({ length: 12 }, (_, i) => `<p>Miller, A. (${1800 + i}): The jacquard card and its holes, volume ${i}. Valley Press.</p>`).join('');
  writeFileSync(join(dir, 'works.html'), `<!doctype html><html lang="en"><title>Works</title><main><h1>Works</h1><h2 id="references">References</h2>${works}</main>`);
  const years = Array.from({ length: 8 }, (_, y) => `<h2>Year ${1700 + y}</h2><p>${Array.from({ length: 14 }, (_unused, m) => `In the month of flood number ${m + 1} the keeper of the weir counted ${3 * y + m} boats and wrote their names in his book. `).join('')}</p>`);
  years.forEach((year, i) => writeFileSync(join(dir, `weir-${i}.html`), `<!doctype html><html lang="en"><title>Weir ${i}</title><main>${year}</main>`));
  writeFileSync(join(dir, 'long.html'), page('en', 'consent="none"'));
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam')]);
});
after(async () => {
  for (const end of ended) await end();
  await site?.close();
  rmSync(dir, { recursive: true });
});

async function visit(t, name, query, options = {}) {
  const context = await contextOf(site.browser, options);
  t.after(() => context.close());
  const trouble = [];
  context.on('console', (m) => { if (['error', 'warning'].includes(m.type())) trouble.push(m.text()); });
  context.on('weberror', (e) => trouble.push(e.error().stack));
  const page = await context.newPage();
  await page.goto(host.url + name);
  await page.locator('seam-search button').first().click();
  await page.locator('seam-search [role=combobox]').fill(query);
  await page.locator('seam-search .offer').waitFor();
  return { page, check: () => assert.deepEqual(trouble, []) };
}

const completions = async () => site.provider.requests('/completions');
const under = (page, hasText) => page.locator('seam-search .under', { hasText });
const answer = (page) => page.locator('seam-search .answer[aria-busy=false]');

test('asked once whether to send; the answer streams, its numbers lead to sections', async (t) => {
  const { page, check } = await visit(t, 'start.html', 'what do I do when a thread breaks?');
  const before = (await completions()).length;
  await page.getByRole('button', { name: 'Answer from these pages' }).click();
  await page.getByText(`Your question and the passages that fit it best will be sent to ${new URL(site.url).host}`).waitFor();
  assert.equal((await completions()).length, before, 'nothing is sent before');
  await site.provider.script('hold; words=Stop the loom [1]. <img src=x onerror=alert(1)> Find both ends [2, 1] and rest [99].');
  await page.keyboard.press('Enter'); // Send has the focus
  await page.locator('seam-search .cite').first().waitFor();
  assert.equal(await page.locator('seam-search .answer').getAttribute('aria-busy'), 'true', 'while it comes');
  await site.provider.release();
  await answer(page).waitFor();
  assert.equal(await answer(page).innerText(), 'Stop the loom1. <img src=x onerror=alert(1)> Find both ends21 and rest.');
  assert.equal(await page.locator('seam-search .answer img').count(), 0);
  await page.getByText('Written by chat-small from the numbered passages.').waitFor();
  assert.equal(await page.locator('seam-search .cite').first().getAttribute('href'), `${host.url}guide/mending.html#broken`);
  const [request] = (await completions()).slice(before);
  const sent = JSON.stringify(request.body.messages);
  assert.match(sent, /what do I do when a thread breaks\?/);
  assert.match(request.body.messages.at(-1).content, /^--- passage 1 \w+ ---\nMending · When a thread breaks · 2026-09-14\n/);
  assert.match(sent, /bring a spool from the back through heddle and reed/);
  assert.doesNotMatch(sent, new RegExp(canary));
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await accessible(page);
  await page.locator('seam-search [role=combobox]').fill('how is a warp wound?');
  await page.locator('seam-search .offer').waitFor();
  assert.equal(await page.locator('seam-search .answer').count(), 0, 'the answer of another question is gone');
  await page.locator('seam-search .offer').click();
  await answer(page).waitFor(); // without another Send
  await page.locator('seam-search .cite, seam-search .answer').first().waitFor();
  check();
});

test('a refusal, and an answer that breaks off, in the language of the site', async (t) => {
  const { page, check } = await visit(t, 'at-once.html', 'Länge der Kette');
  await site.provider.script('words=I do not have enough information to answer that.');
  await page.getByRole('button', { name: 'Aus diesen Seiten beantworten' }).click();
  await answer(page).filter({ hasText: 'Diese Seiten enthalten die Antwort nicht.' }).waitFor();
  await page.evaluate(() => {
    window.marks = [];
    const { shadowRoot } = document.querySelector('seam-search');
    const seen = () => { if (/\[\[|answer/i.test(shadowRoot.querySelector('.answer')?.textContent)) window.marks.push(shadowRoot.querySelector('.answer').textContent); };
    new MutationObserver(seen).observe(shadowRoot, { childList: true, characterData: true, subtree: true });
  });
  for (const [query, words] of [['der Kette', '[[NO ANSWER]]'], ['Ketten', '“[[No answer]]” Es geht um Knoten.']]) {
    await page.locator('seam-search [role=combobox]').fill(query);
    await page.locator('seam-search .offer').waitFor();
    await site.provider.script(`chunk-delay=30ms; words=${words}`);
    await page.locator('seam-search .offer').click();
    await answer(page).filter({ hasText: 'Diese Seiten enthalten die Antwort nicht.' }).waitFor();
  }
  assert.deepEqual(await page.evaluate(() => window.marks), [], 'the mark is never shown');
  assert.match((await completions()).at(-1).body.messages[0].content, /\[\[NO ANSWER\]\]/);
  await page.locator('seam-search [role=combobox]').fill('die Kette');
  await page.locator('seam-search .offer').waitFor();
  await site.provider.script('chunk-delay=20ms; fault=cut-stream; words=Die Kette ist lang und', 'words=Sie ist lang [1].');
  await page.locator('seam-search .offer').click();
  await page.getByRole('button', { name: 'Noch einmal' }).waitFor();
  assert.match(await answer(page).innerText(), /^Die /, 'what has come is kept');
  assert.doesNotMatch(await page.locator('seam-search .under').last().innerText(), /Es kam keine Antwort/);
  await page.getByRole('button', { name: 'Noch einmal' }).click();
  await answer(page).filter({ hasText: 'Sie ist lang' }).waitFor();
  check();
});

test('an answer from a part of the passages is not shown; half of them are sent on demand', async (t) => {
  const { page, check } = await visit(t, 'long.html', 'boats at the weir');
  const before = (await completions()).length;
  const passages = async () => (await completions()).slice(before).filter(({ body }) => JSON.stringify(body.messages).includes('boats at the weir')).map(({ body }) => JSON.stringify(body.messages).match(/--- passage \d/g).length);
  await site.provider.script('read=100; words=Forty boats [1].');
  await page.getByRole('button', { name: 'Answer from these pages' }).click();
  await under(page, 'The model read only a part of these passages, so its answer is not shown.').waitFor();
  assert.equal(await page.locator('seam-search .answer').isVisible(), false);
  await site.provider.script('words=Forty boats [1].');
  await page.getByRole('button', { name: 'Try again' }).click();
  await answer(page).filter({ hasText: 'Forty boats' }).waitFor();
  const [all, fewer] = await passages();
  assert.equal(fewer, Math.ceil(all / 2), `${all} passages, then ${fewer}`);
  check();
});

test('a list of references is no passage, unless the question names it', async (t) => {
  const { page, check } = await visit(t, 'start.html', 'jacquard card holes');
  const before = (await completions()).length;
  await page.getByRole('button', { name: 'Answer from these pages' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await under(page, 'Found only in a list of references or contents: nothing was sent.').waitFor();
  assert.equal((await completions()).length, before);
  await page.locator('seam-search [role=combobox]').fill('references on the jacquard card');
  await page.locator('seam-search .offer').waitFor();
  await site.provider.script('words=Miller wrote of it [1].');
  await page.locator('seam-search .offer').click();
  await answer(page).filter({ hasText: 'Miller wrote of it' }).waitFor();
  assert.match(JSON.stringify((await completions()).at(-1).body.messages), /Valley Press/);
  check();
});

test('Stop ends it, and keeps what has come', async (t) => {
  const { page, check } = await visit(t, 'at-once.html', 'Kette');
  await site.provider.script('hold; words=Eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn.');
  await page.locator('seam-search .offer').click();
  await page.locator('seam-search .answer', { hasText: 'Eins' }).waitFor();
  await page.getByRole('button', { name: 'Anhalten' }).click();
  await under(page, 'Angehalten.').waitFor();
  const kept = await answer(page).innerText();
  assert.match(kept, /^Eins/);
  assert.doesNotMatch(kept, /vierzehn/);
  check();
});

test('a proxy that refuses says why; one that is gone costs the results nothing', async (t) => {
  const { page } = await visit(t, 'stranger.html', 'tension');
  await page.locator('seam-search .offer').click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  assert.notEqual((await page.locator('seam-search .under').innerText()).trim(), '');
  const other = await visit(t, 'at-once.html', 'Kette');
  await site.stop();
  await other.page.locator('seam-search .offer').click();
  await under(other.page, 'Es kam keine Antwort: Der Dienst ist nicht erreichbar.').waitFor();
  assert.ok(await other.page.locator('seam-search [role=option]').count() > 0);
});
