// Follow-up questions, through the real proxy: the part of the thread that is sent and its
// announcement, the earlier turns, and the prompt, displayed and edited.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropMade, highlighted, makeFixtures, onScreen, open, questionsKept, restsInView, row, saved, until } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, choose, send, since, testKeyStays, words } from './proxy-page.mjs';

const BRIDGE = `A bridge of stone carries its load by pressure alone. The arch was built on a frame of timber, which was burnt in the end.

Engineers test the bridge with lorries full of gravel. They drive across at walking pace, and lasers measure how far the deck sinks. It may sink by eleven millimetres.

Rennet sets the milk within an hour. The curd is then cut into cubes and stirred, so that the whey runs off. A cheese ripens for nine weeks in the cellar.

The inspector of bridges comes every six years. She knocks on each stone with a hammer and writes down what sounds hollow.`;

let site;
let strict; // uses its own prompt only, and accepts no thread
before(async () => {
  makeFixtures();
  [site, strict] = [await proxied(), await proxied({ more: 'prompts: server\nlimits: {turns: 0}\n' })];
});
after(async () => { await site?.close(); await strict?.close(); });

/** Opens a page with our own document, cut into its paragraphs. */
async function visited(t, at, options = {}) {
  const tab = await open(at, options);
  t.after(async () => { tab.check(); await tab.close(); });
  await dropMade(tab.page, { name: 'bridge.txt', parts: [BRIDGE] });
  await row(tab.page, 'bridge.txt');
  return tab.page;
}

/** Returns the messages in the model's last request. */
async function read(arrived) {
  return (await arrived('completions')).at(-1).body.messages;
}

const said = (page) => words(page.locator('.goes'));
const turn = (page, question) => page.locator('.thread .turn', { hasText: question });

test('a short question on another subject is asked again, and searched for alone, at one click', async (t) => {
  const page = await visited(t, site);
  const arrived = await since(site);
  await site.provider.script('words=A bridge is tested with lorries [1].', 'words=I do not know.', 'words=Nine weeks [1].');
  await ask(page, 'How do engineers test a bridge?');
  await answered(page);
  const alone = page.getByRole('button', { name: 'Ask again, and search for this question alone' });
  assert.equal(await alone.isVisible(), false, 'it was searched for alone');
  await ask(page, 'And a cheese?');
  await answered(page);
  await alone.click();
  await until(async () => (await words(page.locator('#panel-ask'))).includes('looked for with “And a cheese?”'));
  const passages = (await read(arrived)).at(-1).content;
  assert.match(passages, /Passage 1[\s\S]{0,80}Rennet sets the milk|^[\s\S]{0,120}Rennet sets the milk/, passages);
  assert.equal(await alone.isVisible(), false);
});

test('a follow-up question has the thread with it, which is said before', async (t) => {
  const page = await visited(t, site);
  const arrived = await since(site);
  await site.provider.script('words=A bridge is tested with lorries [1].', 'words=By eleven millimetres [1].', 'words=Nine weeks [1].');
  await ask(page, 'How do engineers test a bridge?');
  await answered(page);
  assert.equal(await page.locator('#question').inputValue(), '', 'room for the next');
  assert.match(await said(page), /^Sent with it: the question before with its answer, about \d+ tokens\. In all about [\d,]+ tokens, (about|less than) \$0\.0/);
  assert.equal((await read(arrived)).length, 2);
  await ask(page, 'And how far?');
  await answered(page);
  const messages = await read(arrived);
  assert.deepEqual(messages.map(({ role }) => role), ['system', 'user', 'assistant', 'user']);
  assert.deepEqual(messages.slice(1, 3).map(({ content }) => content), ['Question:\nHow do engineers test a bridge?', 'A bridge is tested with lorries [1].'], 'no old passages');
  assert.match(messages[3].content, /It may sink by eleven millimetres[\s\S]*Question:\nAnd how far\?$/, 'found by the question before');
  assert.match(await words(page.locator('#panel-ask')), /Sent to chat-small through [^:]+:\d+: the question, the question before with its answer and \d passages? ·[^“]*“How do engineers test a bridge\? And how far\?”/);
  // The earlier turn is collapsed; its citations lead to its passages.
  await page.getByRole('heading', { name: 'And how far?' }).waitFor();
  assert.ok(await turn(page, 'How do engineers test').locator('.answer').isHidden());
  await turn(page, 'How do engineers test').locator('summary').click();
  await turn(page, 'How do engineers test').locator('.answer').getByText('A bridge is tested with lorries').waitFor();
  await turn(page, 'How do engineers test').locator('.cite').click();
  await restsInView(page, 'seam-passage');
  assert.match((await highlighted(page, 'seam-passage')).join(' '), /Engineers test the bridge/);
  await page.getByRole('button', { name: 'New thread' }).click();
  await turn(page, 'How do engineers test').waitFor({ state: 'detached' });
  assert.ok(await page.locator('.goes').isHidden() && await page.getByRole('heading', { name: 'And how far?' }).isHidden());
  assert.equal(await page.evaluate(() => document.activeElement.id), 'question');
  await ask(page, 'How long does a cheese ripen?');
  await answered(page);
  assert.equal((await read(arrived)).length, 2, 'alone again');
});

test('a long thread leaves its oldest turns out, and says so', async (t) => {
  const page = await visited(t, site);
  const arrived = await since(site);
  await site.provider.script(...Array.from({ length: 4 }, (_, i) => `words=${`Answer ${i} `.repeat(260)}.`), 'words=Last.');
  for (let i = 0; i < 4; i++) {
    await ask(page, `How do engineers test bridge number ${i}?`);
    await page.getByRole('heading', { name: `number ${i}?` }).waitFor();
    await answered(page);
    await page.locator('.goes').waitFor();
  }
  assert.match(await said(page), /^Sent with it: the 2 questions before with their answers, about 1,\d00 tokens\. Left out: the 2 oldest questions,/);
  await ask(page, 'How do they test it in the end?');
  await page.locator('.answer').getByText('Last.').waitFor();
  await answered(page);
  const messages = await read(arrived);
  assert.deepEqual(messages.filter(({ role }) => role === 'user').map(({ content }) => /number (\d)\?$/.exec(content)?.[1]), ['2', '3', undefined]);
});

test('the prompt is shown as it is sent, changed, kept and reset', async (t) => {
  const page = await visited(t, site);
  const arrived = await since(site);
  const shown = (name) => page.locator('.prompt pre[aria-label="' + name + '"]');
  await ask(page, 'How do engineers test a bridge?');
  await answered(page);
  await onScreen(page, 'Prompt: what the model reads').click();
  await onScreen(page, 'As it was sent with the last question.').waitFor();
  assert.equal(await shown('The question, with its passages').textContent(), (await read(arrived)).at(-1).content);
  await page.locator('#question').fill('And the inspector of bridges?');
  await onScreen(page, /^As it will be sent: \d\spassages?\. Nothing is sent yet\.$/).waitFor();
  assert.deepEqual([await shown('Question').textContent(), await shown('The question, with its passages').textContent()]
    .map((text) => /Question:\n(.*)$/.exec(text)[1]), ['How do engineers test a bridge?', 'And the inspector of bridges?']);
  assert.equal((await arrived('completions')).length, 1, 'nothing is sent for it');
  const usual = await page.locator('#system').inputValue();
  assert.match(usual, /^You answer questions from the passages/);
  await page.locator('#system').fill('You answer as a poet.');
  await page.locator('#system').blur();
  await page.locator('.prompt summary').getByText('your own').waitFor();
  const added = await shown('Added to it').textContent();
  await until(async () => await page.locator('.prompt').getAttribute('aria-busy') === 'false');
  const user = await shown('The question, with its passages').textContent();
  await page.locator('#question').press('Enter');
  await page.getByRole('heading', { name: 'And the inspector of bridges?' }).waitFor();
  await until(async () => (await arrived('completions')).length === 2);
  await answered(page);
  const messages = await read(arrived);
  assert.deepEqual([messages[0], messages.at(-1)].map(({ content }) => content), [`You answer as a poet.\n\n${added}`, user], 'what was shown');
  await saved(page, 'bridge.txt');
  await page.reload();
  await page.locator('.doc', { hasText: 'bridge.txt' }).waitFor();
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await onScreen(page, 'Prompt: what the model reads').click();
  await until(async () => await page.locator('#system').inputValue() === 'You answer as a poet.');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  assert.equal(await page.locator('#system').inputValue(), usual);
  await ask(page, 'How long does a cheese ripen?');
  await answered(page);
  assert.ok((await read(arrived))[0].content.startsWith(usual));
});

test('where the question would have to be sent to find its passages, the prompt shows those of its words', async (t) => {
  const page = await visited(t, site);
  const arrived = await since(site);
  await choose(page);
  await send(page);
  await ask(page, 'How do engineers test a bridge?');
  await answered(page);
  const embedded = (await arrived('embeddings')).length;
  await page.locator('#question').fill('How long does a cheese ripen?');
  await onScreen(page, 'Prompt: what the model reads').click();
  await onScreen(page, /these \d were found by words alone, because the question itself would have to be sent/).waitFor();
  assert.match(await page.locator('.prompt pre').last().textContent(), /A cheese ripens for nine weeks/);
  assert.equal((await arrived('embeddings')).length, embedded, 'nothing is sent for it');
  assert.equal((await arrived('completions')).length, 1);
});

test('a thread goes on after a reload, with its passages, unless a new one was begun', async (t) => {
  const page = await visited(t, site);
  const arrived = await since(site);
  await site.provider.script('words=With lorries [1].', 'words=By eleven millimetres [1].');
  for (const question of ['How do engineers test a bridge?', 'And how far?']) {
    await ask(page, question);
    await page.getByRole('heading', { name: question }).waitFor();
    await answered(page);
  }
  await page.locator('.doc .kept[data-state=saved]').waitFor();
  await questionsKept(page, 2);
  await page.reload();
  await row(page, 'bridge.txt');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await turn(page, 'And how far?').locator('summary').click();
  await turn(page, 'And how far?').locator('.cite').click();
  await restsInView(page, 'seam-passage');
  assert.match((await highlighted(page, 'seam-passage')).join(' '), /eleven millimetres/);
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('And why?');
  await page.keyboard.press('Enter');
  assert.match(await words(page.locator('#panel-ask .consent:visible')), /^Nothing is sent yet\s+Your question, the 2 questions before with their answers and the \d passages? that fit it best/);
  assert.equal((await arrived('completions')).length, 2);
  await page.keyboard.press('Enter'); // Send has the focus
  await answered(page);
  assert.deepEqual((await read(arrived)).map(({ role }) => role), ['system', 'user', 'assistant', 'user', 'assistant', 'user']);
  await questionsKept(page, 3);
  await page.getByRole('button', { name: 'New thread' }).click();
  await page.reload();
  await row(page, 'bridge.txt');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: 'Manage…' }).click(); // kept data is loaded by then
  await onScreen(page, 'Questions asked').click();
  await page.locator('.asked summary', { hasText: 'And why?' }).waitFor();
  assert.equal(await page.locator('.thread .turn').count(), 0);
});

test('a proxy with its own prompts shows them; one that takes no thread is asked without it', async (t) => {
  const page = await visited(t, strict);
  const arrived = await since(strict);
  await ask(page, 'How do engineers test a bridge?');
  await answered(page);
  assert.match(await said(page), /takes no thread: the next question is sent alone\.$/);
  await onScreen(page, 'Prompt: what the model reads').click();
  assert.equal(await page.locator('#system').getAttribute('readonly'), '');
  assert.match(await page.locator('#system').inputValue(), /^You answer questions from the passages/);
  assert.match(await words(page.locator('.prompt')), /answers with its own prompt only, so that nobody uses its account for something else\./);
  assert.ok(await page.getByRole('button', { name: 'Reset', exact: true }).isHidden());
  await ask(page, 'And how far?');
  await page.getByRole('heading', { name: 'And how far?' }).waitFor();
  await until(async () => (await arrived('completions')).length === 2);
  await answered(page);
  assert.deepEqual((await read(arrived)).map(({ role }) => role), ['system', 'user']);
});

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing in a thread: ${name}`, async (t) => {
    const page = await visited(t, site, { reducedMotion: 'reduce', ...options });
    await site.provider.script('words=With lorries full of gravel [1]. Lasers measure how far the deck sinks [1].', 'words=By eleven millimetres [1].', 'words=She knocks on each stone with a hammer, every six years [1].');
    for (const question of ['How do engineers test a bridge?', 'And how far?', 'What does the inspector do?']) {
      await ask(page, question);
      await page.getByRole('heading', { name: question }).waitFor();
      await answered(page);
    }
    await turn(page, 'How do engineers test').locator('summary').click();
    await page.locator('#question').fill('And how often?');
    const scan = async (state) => {
      await accessible(page, state);
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= screen, `${state}: ${wide} of ${screen} px`);
    };
    await scan('thread');
    await onScreen(page, 'Prompt: what the model reads').click();
    await onScreen(page, /^As it will be sent/).waitFor();
    await page.locator('.prompt').evaluate((element) => element.scrollIntoView());
    await scan('prompt');
  });
}

testKeyStays(() => site);
