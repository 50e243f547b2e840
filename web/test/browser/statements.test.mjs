// A model's statements about a document, through the real proxy with a scripted provider.
// Covers requests and their time, searching by statements, later visits and bundles, Stop and
// resuming, hostile or unusable replies, and another version of the file. Also questions
// split into parts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { asksBeforeClosing, drop, dropMade, onScreen, open, row, saveAs, saved, start, until, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { ask, since, testKeyStays, words } from './proxy-page.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const folder = join(work, 'statements');
const at = (name) => join(folder, name);

const lines = ['The weaver likes a shuttle of boxwood best.', 'The baker has a razor with a bone handle.', 'The mason takes a plumb bob 𝒳 along.', 'The pilot throws a lead line at night.'];
const text = lines.join(' ');
const knowledge = (...all) => `words=${JSON.stringify({ knowledge_chunks: all.map(([subject, description]) => ({ subject, description })) })}`;
const HOSTILE = '<img src=x onerror=x>';
/** The reply for each sentence; the last one is always unusable. */
const rules = [
  [['a shuttle of boxwood'], knowledge(['Loomworker', 'The weaver favours a shuttle of boxwood.'], ['Goldsmith', 'Owns 17 anvils.'])],
  [['a razor with'], knowledge(['Razor', `The baker, who scores a loaf, has a razor with a bone handle ${HOSTILE}`])],
  [['a plumb bob'], knowledge(['Bricklayer', 'The mason takes a plumb bob along.'])],
  [['a lead line'], 'words=I would rather not.'],
];

let site;
let arrived;
before(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(at('trades.txt'), text);
  site = await proxied({ more: '      - {id: chat-dear, kind: chat, label: Dear, price: 10, price_out: 20}\n' });
});
after(() => site?.close());
beforeEach(async () => {
  await site.provider.by(...rules);
  arrived = await since(site);
});

const dialog = (page) => page.locator('.statements-dialog');
const opener = (page) => page.locator('.to-statements button');
const primary = (page) => dialog(page).locator('.primary');
const said = (page) => words(dialog(page).locator('form'));
const bar = (page) => dialog(page).locator('progress');

/** Opens the document, cut into its four sentences, with the search tab. */
async function opened(t, where = site, { locale, file = at('trades.txt'), ...options } = {}) {
  const tab = await open(where, { ...options, ...(locale && { locale }) });
  t.after(async () => {
    tab.check();
    await tab.close();
  });
  const { page } = tab;
  await drop(page, file);
  await row(page, file.endsWith('.seam') ? 'trades.txt' : file.split('/').at(-1));
  if (!file.endsWith('.seam')) await sentences(page);
  return page;
}

async function sentences(page) {
  if (await page.locator('.to-sheet').isVisible()) await page.locator('.to-sheet').click();
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .card').nth(3).waitFor({ state: 'attached' });
  if (await page.locator('.to-sheet').isVisible()) await page.keyboard.press('Escape');
}

async function toDialog(page) {
  await page.locator('#tab-search').click();
  await opener(page).click();
  await dialog(page).waitFor();
}

async function offered(page) {
  await toDialog(page);
  await primary(page).waitFor();
}

async function sent(page) {
  await primary(page).click();
  await until(async () => await bar(page).isHidden() && /statement/.test(await said(page)));
}

async function bundled(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), saveAs(page, 'bundle')]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function find(page, query) {
  if (await dialog(page).count() > 0) await page.keyboard.press('Escape');
  await page.locator('#tab-search').click();
  await page.locator('#search-mode').selectOption('keyword');
  await page.locator('#search').fill(query);
  await page.locator('#search').press('Enter');
  await page.locator('#panel-search').getByText(new RegExp(`“${query}”`)).first().waitFor();
  return (await page.locator('.hits .card').allTextContents()).map((each) => each.replaceAll('\u00a0', ' '));
}

test('nothing is sent before Send; then a search finds by what was written, now and on the next visit', async (t) => {
  const page = await opened(t);
  await offered(page);
  assert.match(await said(page), /Nothing is written yet\./);
  await page.locator('#statements-model').selectOption({ label: 'Dear · $10.00 / 1M tokens' });
  await until(async () => /to Dear through/.test(await said(page)));
  assert.match(await said(page), /4 chunks will be sent to Dear through 127\.0\.0\.1:\d+: about [\d,]+ tokens, for about \$0\.\d+\. Nothing is sent before\./);
  assert.deepEqual(await arrived('completions'), []);
  assert.deepEqual((await find(page, 'loomworker')).length, 0);
  await offered(page);
  await sent(page);
  const requests = await arrived('completions');
  assert.deepEqual(requests.map(({ model }) => model), Array(5).fill('chat-dear'), 'the model that was chosen, and once more where its answer is no use');
  assert.ok(requests.every(({ body }) => body.response_format?.type === 'json_object'));
  const told = await said(page);
  assert.match(told, /4 statements of 3 parts of the text\. 1 statement is not borne out by the text, and is not searched\./);
  assert.match(await words(dialog(page)), /For 1 chunk, the model’s answer was unusable twice:\s+“The pilot throws a lead line at night\.”: it has no JSON object/);
  assert.match(await words(dialog(page).locator('.stated section').first()), /“The weaver likes a shuttle of boxwood best\.”\s+Loomworker: The weaver favours a shuttle of boxwood\.\s+Goldsmith: Owns 17 anvils\. not borne out by the text/);
  assert.equal(await dialog(page).locator('img').count(), 0);
  const hits = await find(page, 'loomworker');
  assert.equal(hits.length, 1);
  assert.match(hits[0], /The weaver likes a shuttle of boxwood best\.\s*Found by: “Loomworker: The weaver favours a shuttle of boxwood\.”/);
  assert.deepEqual(await find(page, 'anvils'), []);
  assert.match((await find(page, 'loaf'))[0], /The baker has a razor.*Found by: “Razor: The baker, who scores a loaf.*<img src=x/s);
  // The next visit has them, and the search tab says so.
  await saved(page, 'trades.txt');
  await page.reload();
  await row(page, 'trades.txt');
  await page.locator('#tab-search').click();
  await page.getByRole('button', { name: '4 written by a model…' }).waitFor();
  assert.equal((await find(page, 'bricklayer')).length, 1);
  assert.equal((await arrived('completions')).length, 5, 'nothing is asked again');
});

test('titles are written, too, and count half; each kind is asked for once', async (t) => {
  await site.provider.by([['title for the passage', 'a shuttle of boxwood'], 'words=**Loomwork**'], [['title for the passage'], `words="Of ${HOSTILE}"`], ...rules);
  const page = await opened(t);
  await offered(page);
  await page.getByLabel('Write').selectOption({ label: 'a title for each chunk' });
  await until(async () => /4 chunks will be sent/.test(await said(page)));
  await sent(page);
  assert.match(await said(page), /4 titles of 4 parts of the text\..*Each chunk has its title\./s);
  assert.equal((await arrived('completions')).length, 4);
  assert.deepEqual(await dialog(page).locator('.stated .title').allInnerTexts(), ['Loomwork', ...Array(3).fill(`Of ${HOSTILE}`)]);
  await page.getByLabel('Write').selectOption({ label: 'statements of each chunk' });
  await until(async () => /4 chunks will be sent/.test(await said(page)));
  await sent(page);
  assert.match(await said(page), /4 statements and 4 titles of 4 parts of the text\./);
  assert.match((await find(page, 'loomwork'))[0], /The weaver likes a shuttle of boxwood best\.\s*Found by: “Loomwork”/);
});

test('the dialog leads to the part; all can be removed, and had back', async (t) => {
  const page = await opened(t);
  await offered(page);
  await sent(page);
  await dialog(page).getByRole('button', { name: /^Show in the text: The mason/ }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await until(() => page.evaluate(() => [...CSS.highlights].some(([name, ranges]) => /passage|found/.test(name) && [...ranges].some((range) => String(range).includes('plumb bob')))));
  await toDialog(page);
  await dialog(page).getByRole('button', { name: 'Remove all' }).click();
  assert.match(await said(page), /4 statements and titles removed\./);
  assert.deepEqual(await find(page, 'loomworker'), []);
  const n = (await arrived('completions')).length;
  // Replies paid for in this visit are available without a request.
  await offered(page);
  assert.match(await said(page), /Nothing is written yet\..*What the model has written in this visit is still here: nothing is sent\./s);
  await dialog(page).getByRole('button', { name: 'Take it back' }).click();
  await until(async () => /4 statements of 3 parts/.test(await said(page)));
  await dialog(page).getByRole('button', { name: 'Remove all' }).click();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await until(async () => /4 statements of 3 parts/.test(await said(page)));
  assert.equal((await find(page, 'loomworker')).length, 1);
  assert.equal((await arrived('completions')).length, n);
});

test('a bundle keeps them, for the command line and for a page without a proxy', async (t) => {
  const page = await opened(t);
  await offered(page);
  await sent(page);
  await page.keyboard.press('Escape');
  await page.locator('#tab-chunks').click();
  const { name, bytes } = await bundled(page);
  writeFileSync(at(name), bytes);
  const found = JSON.parse(execFileSync(seam, ['search', '--json', '--mode', 'keyword', '--cache', 'off', 'bricklayer', at(name)], { encoding: 'utf8' }));
  assert.deepEqual(found.hits.map(({ text: of, written }) => [of.trim(), written]), [[lines[2], 'Bricklayer: The mason takes a plumb bob along.']]);
  const alone = await start();
  t.after(() => alone.close());
  const other = await opened(t, alone, { file: at(name) });
  assert.match((await find(other, 'bricklayer'))[0], /Found by: “Bricklayer/);
  await toDialog(other);
  assert.match(await said(other), /4 statements of 3 parts of the text\..*To have a model write, open this page at a proxy/s);
  assert.equal(await primary(other).isHidden(), true);
});

test('another tab has them at once, and leaves the writing to the first', async (t) => {
  const page = await opened(t);
  await saved(page, 'trades.txt');
  const other = await page.context().newPage();
  await other.goto(site.url);
  await row(other, 'trades.txt');
  await other.locator('.following').waitFor();
  await offered(page);
  await sent(page);
  await saved(page, 'trades.txt');
  await other.locator('#tab-search').click();
  await other.getByRole('button', { name: '4 written by a model…' }).waitFor();
  assert.match((await find(other, 'loomworker'))[0], /Found by: “Loomworker/);
  await toDialog(other);
  assert.match(await said(other), /4 statements of 3 parts of the text\..*Another tab has this document open and makes its changes/s);
  assert.equal(await primary(other).isHidden(), true);
  assert.equal(await dialog(other).getByRole('button', { name: 'Remove all' }).isHidden(), true);
});

test('Stop keeps what has come, and Send asks only for the rest', async (t) => {
  await site.provider.by(...rules.map(([has, script], i) => [has, i === 0 ? script : `header-delay=60s; ${script}`]));
  const page = await opened(t);
  await offered(page);
  await primary(page).click();
  await until(async () => /1 of 4 chunks/.test(await said(page)));
  await primary(page).click();
  await until(async () => /^Send the rest$/.test(await primary(page).innerText()));
  assert.match(await said(page), /2 statements of 1 part of the text\..*Stopped\. What has come is kept; 3 chunks are left\. 3 chunks will be sent/s);
  assert.equal((await find(page, 'loomworker')).length, 1);
  await site.provider.by(...rules);
  await offered(page);
  const before = (await arrived('completions')).length;
  await sent(page);
  assert.match(await said(page), /4 statements of 3 parts/);
  const rest = (await arrived('completions')).slice(before);
  assert.equal(rest.length, 4);
  assert.ok(rest.every(({ body }) => !JSON.stringify(body).includes('a shuttle of boxwood')));
});

test('a key that is refused is told in a sentence, a proxy with a prompt of its own says so', async (t) => {
  const page = await opened(t);
  await offered(page);
  await site.provider.by([[], 'status=401']);
  await primary(page).click();
  await until(async () => /The provider does not accept the proxy's key/.test(await said(page)));
  await site.provider.by(...rules);
  await primary(page).waitFor();
  await sent(page);
  assert.match(await said(page), /4 statements of 3 parts/);
  const other = await proxied({ more: 'prompts: server\n' });
  t.after(() => other.close());
  const closed = await opened(t, other);
  await toDialog(closed);
  await dialog(closed).getByText(/answers with its own prompt only, so that nothing can be written here/).waitFor();
  assert.equal(await primary(closed).isHidden(), true);
});

test('a part that the provider refuses, be it the first, costs itself alone, and is told', async (t) => {
  await site.provider.by([['a shuttle of boxwood'], 'status=400'], ...rules.slice(1, 3), [['a lead line'], knowledge(['Sounding', 'The pilot throws a lead line at night.'])]);
  const page = await opened(t);
  await offered(page);
  await sent(page);
  assert.match(await said(page), /3 statements of 3 parts/);
  assert.match(await words(dialog(page)), /For 1 chunk, the model’s answer was unusable twice:\s+“The weaver likes a shuttle of boxwood best\.”: The provider rejected this request/);
  assert.equal((await arrived('completions')).length, 5, 'once more, as with any answer that is no use');
});

test('they go with the text into its next version, and those of what is not there any more go', async (t) => {
  const page = await opened(t);
  await offered(page);
  await sent(page);
  await page.keyboard.press('Escape');
  await dropMade(page, { name: 'trades.txt', parts: [`A new beginning. ${lines[2]} The baker went home. ${lines[0]}`] });
  await page.getByRole('button', { name: '3 written by a model…' }).waitFor();
  await onScreen(page, '1 statement or title of a model went with the text that it was of.').waitFor();
  assert.match((await find(page, 'bricklayer'))[0], /The mason takes a plumb bob/);
  assert.deepEqual(await find(page, 'loaf'), []);
});

test('a compound question is taken apart, and each part brings its passages', async (t) => {
  await site.provider.by([['sub_questions'], `words=${JSON.stringify({ sub_questions: ['What does the weaver like?', 'What does the pilot throw?'] })}`], [[], 'words=A shuttle [1], and a line [2].']);
  const page = await opened(t);
  await page.locator('#tab-ask').click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.getByLabel('Find passages for each part of a question').check();
  await page.locator('#question').fill('What do the weaver and the pilot have?');
  await page.keyboard.press('Enter');
  await page.locator('#panel-ask .consent').getByText(/Before that the question goes alone, to be taken apart\./).waitFor();
  assert.deepEqual(await arrived('completions'), []);
  await page.locator('#panel-ask .consent').getByRole('button', { name: 'Send', exact: true }).click();
  await onScreen(page, /Passages were looked for with “What does the weaver like\?”, “What does the pilot throw\?”\./).waitFor();
  const [apart, whole, ...more] = await arrived('completions');
  assert.deepEqual(more, []);
  assert.match(JSON.stringify(apart.body), /What do the weaver and the pilot have\?/);
  assert.ok(!JSON.stringify(apart.body).includes('boxwood'), 'the question goes alone');
  const read = JSON.stringify(whole.body);
  assert.ok(read.indexOf('boxwood') > 0 && read.indexOf('boxwood') < read.indexOf('lead line'), 'the best passage of each part, in their order');
  // If the model returns no parts, the question stays whole.
  await site.provider.by([['sub_questions'], 'words=Certainly!'], [[], 'words=Nothing [1].']);
  await ask(page, 'And what of the mason and the baker?');
  await page.locator('#panel-ask .answer').getByText('Nothing').waitFor();
  await saved(page, 'trades.txt');
  await page.reload();
  await row(page, 'trades.txt');
  await page.locator('#tab-ask').click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.getByLabel('Find passages for each part of a question').waitFor();
  assert.ok(await page.getByLabel('Find passages for each part of a question').isChecked(), 'it is remembered');
});

for (const [name, options] of [['wide', {}], ['a phone', { viewport: { width: 360, height: 740 } }], ['German on a phone', { viewport: { width: 360, height: 740 }, locale: 'de-DE' }]]) {
  test(`no violation, and it fits: ${name}`, async (t) => {
    const page = await opened(t, site, { reducedMotion: 'reduce', ...options });
    let n = 0;
    const scan = async (what) => {
      if (process.env.SEAM_SHOTS) await page.screenshot({ path: join(process.env.SEAM_SHOTS, `statements-${name.replaceAll(' ', '-')}-${++n}-${what}.png`) });
      await accessible(page, what);
      const wide = await page.evaluate(() => [...document.querySelectorAll('.statements-dialog, .statements-dialog *, #panel-search, #panel-search .to-statements, #panel-search .card *')]
        .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !['INPUT', 'SELECT', 'PROGRESS'].includes(each.tagName) && getComputedStyle(each).display !== 'inline').map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`));
      assert.deepEqual(wide, [], what);
    };
    await offered(page);
    await scan('offer');
    await primary(page).click();
    await until(async () => await bar(page).isHidden() && await dialog(page).locator('.stated section').count() === 3);
    await scan('written');
    await page.keyboard.press('Escape');
    await page.locator('#search-mode').selectOption('keyword');
    await page.locator('#search').fill('loomworker');
    await page.locator('#search').press('Enter');
    await page.locator('.hits .by').waitFor();
    await scan('found');
  });
}

testKeyStays(() => site);

test('a tab with statements that are not kept asks before it goes', async (t) => {
  const page = await opened(t);
  await saved(page, 'trades.txt');
  await page.evaluate(() => localStorage.setItem('seam.keep', 'nothing'));
  await offered(page);
  await sent(page);
  await page.locator('.doc .kept[data-state=failed]').waitFor();
  await page.keyboard.press('Escape');
  await asksBeforeClosing(page);
});
