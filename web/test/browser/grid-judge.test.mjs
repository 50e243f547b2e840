// The grid with judges, through the real proxy with a scripted provider: one model answers
// from the passages that settings found, another judges. Covers requests and their time, the
// scores by hand and from seam eval grid, Stop and resuming, hostile or unusable answers,
// and a missing provider.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { drop, onScreen, open, row, until, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { canary, proxied } from './proxy-host.mjs';
import { since, testKeyStays, words } from './proxy-page.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const folder = join(work, 'grid-judge');
const at = (name) => join(folder, name);
const REFUSAL = 'I do not have enough information to answer that.';

const trades = [['weaver', 'a shuttle of boxwood'], ['baker', 'a razor with a bone handle'], ['pilot', 'a lead line'], ['mason', 'a plumb bob 𝒳'], ['dyer', 'a paddle of beech'], ['cooper', 'a croze']];
const text = trades.map(([who, tool], i) => `The ${who} has a workshop in house number ${i + 3}. It was built of stone and oak. Of all its tools the ${who} likes ${tool} best. In the evening the door is shut and <b>bolted</b>.`).join('\n\n').concat('\n');
const questions = trades.map(([who, tool]) => ({ question: `Which tool does the ${who} like best?`, file: 'trades.txt', excerpts: who === 'baker' ? ['The baker has a workshop', `the ${who} likes ${tool} best.`] : [`the ${who} likes ${tool} best.`] }));
const unanswerable = ['Who is the mayor?', 'When is the fair?'];

const HOSTILE = '<img src=x onerror=document.title=String(7*7)><b>bold</b> </p> [1]';
/** Answers by question and passages, and the judges' scores for each. */
const rules = [
  [['borne out', 'Answer: A shuttle'], 'words=1.0'], [['borne out', 'Answer: A razor'], 'words=0.5'], [['borne out', 'onerror'], 'words=0'],
  [['borne out', 'Answer: A paddle'], 'words=quite <good>'], [['borne out', 'Answer: A croze'], 'words=1'], [['borne out', 'Answer: Staves'], 'words=0.0'],
  [['how far an answer answers', 'Answer: A shuttle'], 'words=1'], [['how far an answer answers', 'Answer: A razor'], 'words=1.0'], [['how far an answer answers', 'onerror'], 'words=0.5'],
  [['how far an answer answers', 'Answer: A paddle'], 'words=Score: 1'], [['how far an answer answers', 'Answer: A croze'], 'words=0.5'], [['how far an answer answers', 'Answer: Staves'], 'words=0'],
  [['does the weaver'], 'words=A shuttle [1].'], [['does the baker'], 'words=A razor [1].'], [['does the pilot'], `words=${REFUSAL}`], [['does the mason'], `words=${HOSTILE}`],
  [['does the dyer'], 'words=A paddle [1].'], [['does the cooper', 'The cooper has a workshop'], 'words=A croze [1].'], [['does the cooper'], 'words=Staves.'],
  [['mayor'], `words=${REFUSAL}`], [['fair'], 'words=On Monday.'],
];

let site;
let arrived;
before(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(at('trades.txt'), text);
  const lines = (all) => all.map((each) => `${JSON.stringify(each)}\n`).join('');
  writeFileSync(at('questions.jsonl'), lines(questions));
  writeFileSync(at('all.jsonl'), lines([...questions, ...unanswerable.map((question) => ({ question, has_answer: false }))]));
  site = await proxied({ more: '      - {id: chat-dear, kind: chat, label: Dear, price: 10, price_out: 20}\n' });
});
after(() => site?.close());
beforeEach(async () => {
  await site.provider.by(...rules);
  arrived = await since(site);
});

const dialog = (page) => page.locator('.grid-dialog');
const run = (page) => dialog(page).locator('.primary[type=submit]');
const consent = (page) => dialog(page).locator('.consent');
const state = (page) => words(dialog(page).locator('.state'));
const error = (page) => words(dialog(page).locator('form > .error'));
const rows = (page) => dialog(page).locator('tbody > tr:not(.opened)');

/** Opens the dialog with two settings that find different passages. One of them is in use. */
async function opened(t, where = site, { locale, ...options } = {}) {
  const tab = await open(where, { ...options, ...(locale && { locale }) });
  t.after(async () => {
    tab.check();
    await tab.close();
  });
  const { page } = tab;
  await page.evaluate(() => localStorage.setItem('seam.settings.1', JSON.stringify({ method: 'recursive', maxTokens: 200, searchMode: 'keyword' })));
  await page.reload();
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await drop(page, at('trades.txt'));
  await row(page, 'trades.txt');
  await page.getByRole('tab', { name: locale ? 'Vergleich' : 'Compare' }).click();
  await page.locator('#questions-picker').setInputFiles(at('questions.jsonl'));
  await until(async () => await page.locator('.own-questions li').count() === questions.length);
  await page.getByRole('button', { name: locale ? 'Viele vergleichen …' : 'Compare many…' }).click();
  await dialog(page).waitFor();
  for (const box of await dialog(page).locator('.methods').getByRole('checkbox').all()) await box.setChecked(await box.evaluate((input) => /^Re[ck]ursi[vf]/.test(input.parentElement.textContent)));
  for (const box of await dialog(page).getByRole('group', { name: locale ? 'Suche nach' : 'Search by' }).getByRole('checkbox').all()) await box.setChecked(await box.evaluate((input) => /^(words|Wörter)$/.test(input.parentElement.textContent)));
  await page.locator('#grid-sizes').fill('14, 200');
  await page.locator('#grid-tokens').fill('60');
  await page.locator('#grid-depths').fill('1');
  return page;
}

async function judging(page, { more = true } = {}) {
  await page.locator('#grid-judged').check();
  await page.locator('#grid-model').waitFor();
  if (more) await page.locator('#grid-unanswerable').fill(unanswerable.join('\n'));
}

async function toConsent(page) {
  await run(page).click();
  await consent(page).waitFor();
}

async function sent(page) {
  await consent(page).locator('.primary').click();
  await until(async () => await dialog(page).locator('progress').first().isHidden());
}

async function saves(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), dialog(page).getByRole('button', { name }).click()]);
  return readFileSync(await download.path(), 'utf8');
}

test('nothing is sent before Send; then scores, refusals and answers are those of the provider', async (t) => {
  const page = await opened(t);
  await judging(page);
  assert.match(await words(page.locator('#grid-judged-help')), /At most 40 requests: 2 settings × 6 questions × \(an answer \+ two judgements\), and an answer for each of 2 more\. What they cost is told before anything is sent\./);
  await page.locator('#grid-judge').selectOption({ label: 'Dear · $10.00 / 1M tokens' });
  await toConsent(page);
  assert.match(await words(consent(page)), /^Nothing is sent yet\s+\d+ requests will be sent through 127\.0\.0\.1:\d+: \d+ questions with their passages to chat-small, and \d+ judgements of the answers to Dear\. That is about [\d,]+ tokens, for about \$0\.\d+\./);
  assert.equal(await rows(page).count(), 2, 'what was found is shown');
  assert.deepEqual(await arrived('completions'), []);
  await consent(page).getByRole('button', { name: 'Not now' }).click();
  await consent(page).waitFor({ state: 'hidden' });
  assert.deepEqual(await arrived('completions'), []);
  await toConsent(page);
  const [, offered] = /(\d+) requests/.exec(await words(consent(page)));
  await sent(page);
  assert.equal(await state(page), '2 judgements were no scores and count as 0.'); // one per setting, because they found different passages
  const requests = await arrived('completions');
  assert.ok(requests.length <= Number(offered) && requests.length > 20, `${requests.length} of ${offered}`);
  assert.deepEqual([...new Set(requests.map(({ model }) => model))].sort(), ['chat-dear', 'chat-small']);
  assert.equal(new Set(requests.map(({ body }) => JSON.stringify(body))).size, requests.length, 'nothing is asked twice');
  // By hand: shuttle 1, 1; razor .5, 1; refusal; hostile 0, .5; paddle 0 (no score), 1; and
  // the croze 1, .5 where it was found, else 0, 0.
  const told = await rows(page).evaluateAll((all) => all.map((each) => [...each.children].map((cell) => cell.innerText.replaceAll('\u00a0', ' '))));
  const of = Object.fromEntries(told.map((cells) => [/up to (\d+)/.exec(cells[0])[1], cells]));
  console.log(JSON.stringify(of));
  assert.match(of[200][3], /^41\.7% 8\.3 to 83\.3$/); // (1 + .5 + 0 + 0 + 0 + 1) / 6
  assert.match(of[200][4], /^66\.7% /); // (1 + 1 + 0 + .5 + 1 + .5) / 6
  assert.match(of[14][3], /^25% /); // (1 + .5) / 6
  assert.match(of[14][4], /^58\.3% /); // (1 + 1 + .5 + 1) / 6
  for (const size of [14, 200]) assert.deepEqual(of[size].slice(6, 8), ['1 of 6', '1 of 2']);
  for (const size of [14, 200]) assert.match(of[size][8], /^\$0\.\d\d$/);
  assert.equal(await dialog(page).getByRole('columnheader', { name: '1,000 answers' }).count(), 1);
  assert.equal(of[200][5], 'highest');
  assert.match(await words(dialog(page).locator('.results')), /No difference can be told with \d+ questions(; about \d+ would tell it)?\. Highest quality of answers: Recursive · up to 200 tokens · in use, with 54\.2% for faithfulness and relevancy together\./);
  // A row expands to its answers with their passages.
  await rows(page).filter({ hasText: 'up to 200' }).getByRole('button', { name: /^Answers of Recursive/ }).click();
  const items = dialog(page).locator('.answers > li');
  assert.equal(await items.count(), 8);
  assert.deepEqual(await items.nth(0).locator('.chip').allInnerTexts(), ['Faithful: 1', 'Relevant: 1']);
  assert.deepEqual(await items.nth(2).locator('.chip').allInnerTexts(), ['Refused: counts as 0']);
  assert.equal(await items.nth(3).locator('.reply').innerText(), HOSTILE);
  assert.match(await words(items.nth(4)), /Faithful counts as 0, because this is not a score: “quite <good>”/);
  assert.match(await words(items.nth(6)), /Refused, rightly: the document has no answer/);
  assert.match(await words(items.nth(7)), /Answered, though the document has no answer/);
  await items.nth(0).locator('summary').click();
  assert.match(await items.nth(0).locator('details li').first().innerText(), /The weaver has a workshop.*<b>bolted<\/b>\./s);
  assert.equal(await dialog(page).locator('.answers :is(img, b, script, a)').count(), 0);
  assert.notEqual(await page.title(), '49');
  await rows(page).filter({ hasText: 'up to 200' }).getByRole('button', { name: /^Answers of Recursive/ }).click();
  assert.equal(await items.count(), 0);
  // Repeating the run sends no request, even in a reopened dialog.
  await run(page).click();
  await until(async () => await dialog(page).locator('progress').first().isHidden() && await rows(page).count() === 2);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  assert.equal((await arrived('completions')).length, requests.length);
});

test('the same run by the command line comes to the same scores, in files of its form', async (t) => {
  const page = await opened(t);
  await page.locator('#grid-depths').fill('1, 3');
  await judging(page);
  await page.getByLabel('Answers to each question').fill('2');
  assert.match(await words(page.locator('#grid-judged-help')), /At most 80 requests: .* 2 times\./);
  await toConsent(page);
  await sent(page);
  await until(async () => /^\d judgements? w/.test(await state(page)));
  const made = JSON.parse(await saves(page, 'Save as JSON'));
  const args = ['eval', 'grid', at('trades.txt'), '--questions', at('all.jsonl'), '--methods', 'recursive', '--sizes', '14,200', '--rankers', 'keyword', '--within', '60', '--depths', '1,3', '--repeat', '2', '--view', 'reading',
    '--cache', 'off', '--model', 'chat-small', '--chat-price', '0.15,0.6', '--base-url', site.provider.url];
  const command = (more) => execFileSync(seam, [...args, more], { encoding: 'utf8', env: { ...process.env, OPENAI_API_KEY: canary }, stdio: ['ignore', 'pipe', 'ignore'] });
  const printed = JSON.parse(command('--json'));
  const timeless = ({ rows: all, documents, seam: version, ...rest }) => ({ ...rest, rows: all.map(({ millis, ...each }) => each) });
  assert.deepEqual(timeless(made), timeless(printed));
  assert.equal(made.runs.length, 32);
  assert.equal(await dialog(page).getByRole('columnheader', { name: 'Spread' }).count(), 1);
  await rows(page).first().locator('.open').click();
  assert.deepEqual((await dialog(page).locator('.answers .asks').allInnerTexts()).slice(0, 2), [`${questions[0].question} (1)`, `${questions[0].question} (2)`]);
  assert.ok(made.runs.some(({ passages }) => passages.length === 3), 'several passages, in their order');
  const table = (csv) => csv.trim().split(/\r?\n/).map((line) => line.split(','));
  const [head, ...lines] = table(await saves(page, 'Save as CSV'));
  const [printedHead, ...printedLines] = table(command('--csv'));
  const without = (line) => line.filter((_, i) => printedHead[i] !== 'millis');
  assert.deepEqual([head, ...lines], [printedHead, ...printedLines].map(without));
});

test('questions without an answer come from the file of questions', async (t) => {
  const page = await opened(t);
  await page.keyboard.press('Escape');
  await page.locator('#questions-picker').setInputFiles(at('all.jsonl'));
  await onScreen(page, '2 questions without an answer are for “Compare many…”, where answers are judged.').waitFor();
  await page.getByRole('button', { name: 'Compare many…' }).click();
  await judging(page, { more: false });
  assert.equal(await page.locator('#grid-unanswerable').inputValue(), unanswerable.join('\n'));
  await page.locator('#grid-unanswerable').fill(unanswerable[1]); // one is deselected, and stays so
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Compare many…' }).click();
  await page.locator('#grid-unanswerable').waitFor();
  assert.equal(await page.locator('#grid-unanswerable').inputValue(), unanswerable[1]);
});

test('Stop keeps what is paid for, and Run asks only for the rest', async (t) => {
  // Two questions are answered, the others wait.
  await site.provider.by(...rules.map(([has, script]) => [has, /weaver|baker|shuttle|razor/.test(has.join()) ? script : `header-delay=60s; ${script}`]));
  const page = await opened(t);
  await judging(page);
  await toConsent(page);
  await consent(page).locator('.primary').click();
  await until(async () => await state(page) === '2 of 14 answers');
  await run(page).click();
  await until(async () => /^Stopped/.test(await state(page)));
  assert.equal(await state(page), 'Stopped. 2 of 14 answers are here and kept. Run asks only for the rest.');
  await until(async () => (await arrived('completions')).every(({ done, gone }) => done || gone));
  const paid = (await arrived('completions')).filter(({ gone }) => !gone).map(({ body }) => JSON.stringify(body));
  assert.equal(paid.length, 6);
  await site.provider.by(...rules);
  await toConsent(page);
  assert.equal(await consent(page).locator('.primary').innerText(), 'Send the rest');
  await sent(page);
  await until(async () => /^\d judgements were/.test(await state(page)));
  const all = (await arrived('completions')).map(({ body }) => JSON.stringify(body));
  for (const body of paid) assert.equal(all.filter((each) => each === body).length, 1, 'what was answered is not asked again');
  assert.equal(new Set(all).size, (await arrived('completions')).filter(({ gone }) => !gone).length);
  assert.equal(await rows(page).getByRole('button', { name: /^Answers of/ }).count(), 2);
});

test('a key that is refused is told in a sentence; what was found stays, and Run goes on', async (t) => {
  const page = await opened(t);
  await judging(page);
  await toConsent(page);
  await site.provider.by([[], 'status=401']);
  await sent(page);
  assert.match(await error(page), /^The provider does not accept the proxy's key/);
  assert.equal(await state(page), '0 of 14 answers are here and kept. Run asks only for the rest.');
  assert.equal(await rows(page).count(), 2);
  await site.provider.by(...rules);
  await toConsent(page);
  await sent(page);
  await until(async () => /^\d judgements were/.test(await state(page)));
});

/**
 * Has the questions answered so that all answers to the first are unusable in both
 * settings, and only those.
 */
async function firstIsNoUse(page) {
  await judging(page, { more: false });
  await toConsent(page);
  await sent(page);
  await until(async () => /^\d/.test(await state(page)));
  assert.match(await state(page), /2 answers were cut off or could not be used\.$/);
  await rows(page).first().locator('.open').click();
  const answers = dialog(page).locator('.answers > li');
  assert.match(await words(answers.first()), /Faithful: 0\s+Relevant: 0\s+No answer came\./);
  assert.doesNotMatch(await words(answers.nth(1)), /No answer came/);
}

test('a question that the provider refuses costs itself alone, and is told', async (t) => {
  await site.provider.by([['does the weaver'], 'status=400'], ...rules);
  const page = await opened(t);
  await firstIsNoUse(page);
});

test('a limit of the provider is told with the time to wait', async (t) => {
  const other = await proxied(); // without requests for so long
  t.after(() => other.close());
  const page = await opened(t, other);
  await judging(page);
  await toConsent(page);
  await other.provider.by([[], 'status=429; retry-after=600']);
  await sent(page);
  assert.match(await error(page), /rate limit is reached.* Try again in 600 seconds\.$/);
});

test('an answer that breaks off counts, is told, and is not paid for twice', async (t) => {
  await site.provider.by([['does the weaver'], 'fault=cut-stream; words=A shut'], ...rules);
  const page = await opened(t);
  await firstIsNoUse(page);
  const before = (await arrived('completions')).length;
  await run(page).click();
  await until(async () => await dialog(page).locator('progress').first().isHidden() && /cut off/.test(await state(page)));
  assert.equal((await arrived('completions')).length, before);
});

test('a provider that is gone is told within seconds, a proxy that is gone once it has not come back', async (t) => {
  const other = await proxied();
  t.after(() => other.close());
  const page = await opened(t, other);
  await judging(page);
  await toConsent(page);
  await other.provider.stop();
  let begun = Date.now();
  await sent(page);
  console.log(`no provider after ${Date.now() - begun} ms: ${await error(page)}`);
  assert.ok(Date.now() - begun < 10_000);
  assert.match(await error(page), /provider/);
  await toConsent(page);
  await other.stop();
  begun = Date.now();
  await sent(page);
  console.log(`no proxy after ${Date.now() - begun} ms: ${await error(page)}`);
  assert.match(await error(page), /proxy/);
});

test('a proxy that answers with its own prompt only cannot be used for it, and says so', async (t) => {
  const other = await proxied({ more: 'prompts: server\n' });
  t.after(() => other.close());
  const page = await opened(t, other);
  await page.locator('#grid-judged').click();
  await dialog(page).getByText(/answers with its own prompt only, so that answers cannot be judged here/).waitFor();
  assert.equal(await page.locator('#grid-judged').isChecked(), false);
  assert.ok(await run(page).isEnabled());
});

for (const [name, options] of [['wide', {}], ['a phone', { viewport: { width: 360, height: 740 } }], ['German on a phone', { viewport: { width: 360, height: 740 }, locale: 'de-DE' }]]) {
  test(`no violation, and it fits: ${name}`, async (t) => {
    const page = await opened(t, site, { reducedMotion: 'reduce', ...options });
    let n = 0;
    const scan = async (what) => {
      await accessible(page, what);
      const wide = await page.evaluate(() => [...document.querySelectorAll('.grid-dialog, .grid-dialog > *, .grid-dialog .judged *, .grid-dialog .bar *, .grid-dialog .consent, .grid-dialog .consent *, .grid-dialog .answers *')]
        .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !['INPUT', 'TEXTAREA', 'SELECT'].includes(each.tagName)).map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`));
      assert.deepEqual(wide, [], what);
      if (process.env.SEAM_SHOTS) await page.screenshot({ path: join(process.env.SEAM_SHOTS, `judge-${name.replaceAll(' ', '-')}-${++n}-${what}.png`) });
    };
    await judging(page);
    await page.locator('#grid-judged').scrollIntoViewIfNeeded();
    await scan('form');
    await toConsent(page);
    await scan('consent');
    await sent(page);
    await until(async () => /^\d/.test(await state(page)));
    await scan('table');
    await rows(page).nth(0).locator('.open').click();
    await dialog(page).locator('.answers summary').first().click();
    await dialog(page).locator('.scrolled').evaluate((each) => { each.scrollLeft = 200; });
    await dialog(page).locator('.answers').evaluate((each) => each.scrollIntoView({ block: 'start' }));
    await scan('answers');
  });
}

testKeyStays(() => site);
