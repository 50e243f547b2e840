// The Markdown of an answer, and the passages chosen before a question is sent, through the
// real proxy.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, open, restsInView, row, slide, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, choose, opened, send, since, testKeyStays, text, words } from './proxy-page.mjs';

const MARKDOWN = `In short: **it ends** [1].

## Why
1. First \`it [1]\` begins [1]
   - then *nested* **[1]**
2. It ends [77].

| Part | m² |
|:---|---:|
| Loft [1] | 120 |

\`\`\`js
if (a < b) return c[1]
\`\`\`
> Quoted
### More
![a picture](https://pictures.example/cat.png) and [a page](https://pages.example/a) and <img src=https://pictures.example/dog.png> and <b>no markup</b>
***`;

let site;
let arrived;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

/** Returns an element as a short text: tag(children). */
const shape = (page) => page.locator('.answer').evaluate((answer) => {
  const short = (node) => node instanceof Text ? node.data : `${node.className === 'cite' ? 'cite' : node.localName}(${[...node.childNodes].map(short).join('')})`;
  return [...answer.childNodes].map(short).join('\n');
});

test('the Markdown of an answer is shown as elements; nothing in it is loaded, and its numbers lead to the passages', async (t) => {
  const page = await opened(t, site);
  const requested = [];
  page.on('request', (request) => requested.push(request.url()));
  await site.provider.by([['Why does it end'], `chunk-delay=5ms; words=${MARKDOWN}`]);
  t.after(() => site.provider.by());
  await ask(page, 'Why does it end?');
  await answered(page);
  assert.equal(await shape(page), `p(In short: strong(it ends) cite(1).)
h3(Why)
ol(li(First code(it [1]) begins cite(1)ul(li(then em(nested) strong(cite(1)))))li(It ends.))
div(table(thead(tr(th(Part)th(m²)))tbody(tr(td(Loft cite(1))td(120)))))
pre(if (a < b) return c[1])
blockquote(p(Quoted))
h4(More)
p(a picture and a page (https://pages.example/a) and <img src=https://pictures.example/dog.png> and <b>no markup</b>)
hr()`);
  assert.deepEqual(requested.filter((url) => !url.startsWith('blob:') && new URL(url).host !== new URL(site.url).host), []);
  await page.locator('.under').getByText('1 number that named no passage was left out.').waitFor();
  await page.locator('.answer td .cite').click();
  await restsInView(page, 'seam-passage');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy with sources' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith(`Why does it end?\n\n${MARKDOWN.replace(' [77]', '')}\n\n[1] `), copied);
  await accessible(page, 'an answer with all of Markdown');
});

test('while an answer arrives, its elements grow and are not made again', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('hold; chunk-delay=5ms; words=A **bold claim that goes on [1] and on** ends.');
  await ask(page, 'What ends boldly?');
  await page.locator('.answer strong').getByText('goes on').waitFor();
  await page.locator('.answer strong .cite').evaluate((cite) => { cite.focus(); window.first = cite; });
  await site.provider.release();
  await answered(page);
  assert.equal(await shape(page), 'p(A strong(bold claim that goes on cite(1) and on) ends.)');
  assert.ok(await page.evaluate(() => document.querySelector('.answer .cite') === window.first && document.activeElement === window.first));
});

test('a question keeps to the documents that the search is limited to, and says so', async (t) => {
  const page = await opened(t, site);
  const other = 'Ships end in the harbour. The crew ends the day there.';
  await dropMade(page, { name: 'harbour.txt', parts: [other] });
  await row(page, 'harbour.txt');
  await page.locator('#search-in').selectOption({ label: 'harbour.txt' });
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByText('The passages come only from harbour.txt.').waitFor();
  await ask(page, 'Where does it end?');
  await answered(page);
  const [request] = await arrived('completions');
  const sent = JSON.stringify(request);
  assert.ok(sent.includes('Ships end in the harbour'));
  assert.deepEqual(await page.locator('#panel-ask .hits .card small:first-child').evaluateAll((heads) => heads.filter(({ textContent }) => !textContent.includes('harbour.txt')).length), 0);
  await page.locator('#search-in').selectOption('');
  await page.getByText('The passages come only from').waitFor({ state: 'hidden' });
});

const QUESTION = 'How is curd made, what lets a road grow, and what do engineers test on a bridge?';
const consent = (page) => page.locator('#panel-ask .consent:visible');
const taken = (page, name) => consent(page).getByRole('button', { name });
const sendIt = (page) => consent(page).getByRole('button', { name: 'Send', exact: true });

/** Opens an article in several chunks, and types a question that three of them fit. */
async function asking(t, options = {}) {
  const tab = await open(site, options);
  t.after(async () => { tab.check(); await tab.close(); });
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await slide(page, '#setting', 0.125);
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill(QUESTION);
  await page.keyboard.press('Enter');
  await consent(page).waitFor();
  return page;
}

/** Returns the passages in a request to the model. */
const passagesIn = ({ body }) => body.messages.at(-1).content.split('\n\nQuestion:')[0];

test('the passages are seen before Send; one that is taken out is not sent, and the numbers follow', async (t) => {
  const page = await asking(t);
  const rows = page.locator('.chosen li');
  assert.equal(await rows.count(), 3);
  assert.match(await words(consent(page)), /Your question and the 3 passages that fit it best, about \d+ tokens,.*Further questions are sent without asking again/);
  const tokens = async () => Number(/about ([\d,]+) tokens/.exec(await words(consent(page)))[1].replace(',', ''));
  const all = await tokens();
  const texts = await rows.locator('.full').allTextContents();
  await rows.nth(1).locator('summary').click();
  assert.ok(await rows.nth(1).locator('.full').isVisible());
  await taken(page, /^Take out passage 2: article\.pdf · p\. \d/).click();
  assert.match(await words(consent(page)), /Your question and 2 of the 3 passages that fit it best,.*You see the passages of each further question before they are sent, too\./);
  assert.ok(await tokens() < all);
  assert.deepEqual(await rows.locator('.n').allTextContents(), ['[1]', 'Not sent:', '[2]']);
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^Put back passage 2/, 'the focus stays');
  assert.deepEqual(await arrived('completions'), []);
  await site.provider.script('words=From the third [2] but not [3].');
  await sendIt(page).click();
  await answered(page);
  const [request] = await arrived('completions');
  const has = (text) => passagesIn(request).includes(text.trim().slice(0, 60));
  assert.deepEqual(texts.map(has), [true, false, true]);
  assert.doesNotMatch(JSON.stringify(request.body), new RegExp(texts[1].trim().split(/\s+/).slice(0, 6).join('\\s+')));
  assert.match(await words(page.locator('#panel-ask')), /the question and 2 passages/);
  assert.deepEqual(await page.locator('.answer .cite').allTextContents(), ['2']);
  await page.locator('.answer .cite').click();
  await restsInView(page, 'seam-passage');
  assert.ok((await page.locator('#panel-ask .hits [aria-current] small').first().textContent()).startsWith('[2] article.pdf'));
  // As one was taken out, the passages of the next question are shown, too.
  await page.locator('#question').fill('And how is curd cut?');
  await page.keyboard.press('Enter');
  await consent(page).waitFor();
  assert.equal((await arrived('completions')).length, 1);
  await consent(page).getByRole('button', { name: 'Not now' }).click();
  await page.getByLabel('Show the passages before each question is sent').uncheck();
  await page.locator('#question').press('Enter');
  await until(async () => (await arrived('completions')).length === 2);
  await answered(page);
});

test('a passage takes the text next to it in its section along, and shows all of it before Send', async (t) => {
  const tab = await open(site);
  t.after(async () => { tab.check(); await tab.close(); });
  const { page } = tab;
  const rows = ['amber', 'blue', 'cyan', 'red'].map((lamp, i) => `The ${lamp} lamp shows frost in the ${['float', 'lever', 'spring', 'wheel'][i]} of the gauge, so press key ${i + 1} twice.`);
  await dropMade(page, { name: 'gauge.md', parts: [`# Gauge\n\n## Lamps\n\n${rows.join('\n\n')}\n\n## Storage\n\nThe box with straw keeps the gauge in the winter, when nobody needs it.\n`] });
  await row(page, 'gauge.md');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#max-tokens').fill('24');
  await page.locator('#max-tokens').press('Enter');
  await until(async () => (await page.locator('.card').count()) > 4);
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.locator('#search-mode').selectOption('keyword');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('What does red mean?');
  await page.keyboard.press('Enter');
  await consent(page).waitFor();
  assert.match(await words(consent(page)), /Text of the same section next to a passage may go with it\./);
  const first = page.locator('.chosen li').first();
  assert.match(await words(first), /With text next to it/);
  const shown = await first.locator('.full').textContent();
  assert.match(shown, /cyan[^]*red/);
  assert.doesNotMatch(shown, /straw/);
  await sendIt(page).click();
  await answered(page);
  const [request] = await arrived('completions');
  assert.ok(passagesIn(request).includes(shown));
  assert.match(await page.locator('#panel-ask .hits .card small').first().textContent(), /With text next to it/);
});

test('a passage that is too long for the proxy is shown as it is sent, also after the prompt has grown', async (t) => {
  const narrow = await proxied({ more: 'prompts: client\nlimits: {context: 2500, history: 0}\n' });
  t.after(() => narrow.close());
  const received = await since(narrow);
  const { page, check, close } = await open(narrow);
  t.after(close);
  const long = text(4242, 60);
  await dropMade(page, { name: 'long.md', parts: [long] });
  await row(page, 'long.md');
  await page.locator('#max-tokens').fill('3000');
  await page.locator('#max-tokens').press('Enter');
  await page.locator('#method').selectOption('recursive');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill(long.split(' ').slice(0, 6).join(' '));
  await page.keyboard.press('Enter');
  await consent(page).waitFor();
  const shown = page.locator('.chosen .full');
  const part = async () => Number(/^Only its first ([\d,]+) of [\d,]+ characters are sent/.exec(await words(page.locator('.chosen .part')))[1].replace(',', ''));
  assert.match(await words(consent(page)), /and the 1 passage that fit/);
  const first = await shown.textContent();
  assert.ok(first.length < 2500 && long.includes(first));
  assert.equal(await part(), first.length);
  await accessible(page, 'a shortened passage');
  // Less of it fits with a longer prompt: nothing is sent before that has been shown, too.
  await page.locator('.prompt summary').click();
  await page.locator('#system').fill(`Answer. ${'Be brief. '.repeat(60)}`);
  await page.locator('#system').blur();
  await sendIt(page).click();
  await until(async () => await shown.textContent() !== first);
  const second = await shown.textContent();
  assert.ok(second.length < first.length && first.startsWith(second));
  assert.equal(await part(), second.length);
  assert.deepEqual(await received('completions'), []);
  await sendIt(page).click();
  await answered(page);
  const [request, ...others] = await received('completions');
  assert.deepEqual(others, []);
  const [, sent] = /--- passage 1 \w+ ---\n([^]*)\n--- end of passage 1/.exec(passagesIn(request));
  assert.equal(sent.replace(/^long\.md · saved [\d-]+\n/, ''), second);
  check();
});

test('without a passage nothing is sent; one can be put back', async (t) => {
  const page = await asking(t);
  for (const n of [1, 2, 3]) await taken(page, new RegExp(`^Take out passage ${n}`)).click();
  assert.match(await words(consent(page)), /All passages are taken out, so nothing can be sent\./);
  assert.equal(await sendIt(page).getAttribute('aria-disabled'), 'true');
  await sendIt(page).press('Enter');
  await accessible(page, 'all passages taken out');
  assert.deepEqual(await arrived('completions'), []);
  await taken(page, /^Put back passage 3/).click();
  await sendIt(page).click();
  await answered(page);
  assert.match(passagesIn((await arrived('completions'))[0]), /--- passage 1[^]*--- end of passage 1 \w+ ---$/);
});

test('after a failure the same passages are sent again, by the one button that offers it', async (t) => {
  const page = await asking(t);
  await taken(page, /^Take out passage 1/).click();
  await site.provider.script('chunk-delay=5ms; fault=cut-stream; words=It begins well and', 'words=All of it [1].');
  await sendIt(page).click();
  const failed = page.locator('#panel-ask .consent.failed');
  await failed.waitFor();
  assert.equal((await words(page.locator('#panel-ask'))).match(/try again/gi).length, 1);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await answered(page);
  const [first, second] = await arrived('completions');
  assert.equal(passagesIn(second).replace(/ \w{8} ---/g, ''), passagesIn(first).replace(/ \w{8} ---/g, ''));
});

test('where the question must be sent to find its passages, that is said, and they can be seen on wish', async (t) => {
  const page = await opened(t, site);
  await choose(page);
  await send(page);
  const embedded = (await arrived('embeddings')).length;
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByLabel('Show the passages before each question is sent').check();
  await page.locator('#question').fill('What ends?');
  await page.keyboard.press('Enter');
  await consent(page).getByText('You cannot see the passages before: to find them, the question itself is sent.').waitFor();
  assert.equal((await arrived('embeddings')).length, embedded);
  await sendIt(page).click();
  await page.locator('.chosen li').first().waitFor();
  assert.deepEqual(await arrived('completions'), []);
  await sendIt(page).click();
  await answered(page);
});

test('a refusal shows no list of passages as if they held the answer', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('words=I do not have enough information to answer that.');
  await ask(page, 'Who won when it ends?');
  await page.locator('.refusal').waitFor();
  await page.getByRole('heading', { name: /^Passages without an answer \(\d\)$/ }).waitFor();
  assert.ok(await page.locator('#panel-ask .hits').isHidden());
  // It looks like one among the earlier turns, too.
  await ask(page, 'What ends?');
  await answered(page);
  const turn = page.locator('.thread .turn', { hasText: 'Who won' });
  await turn.locator('summary').click();
  await turn.locator('.refusal').getByText('Not in these passages').waitFor();
  assert.equal(await turn.locator('.answer').count(), 0);
});

testKeyStays(() => site);
