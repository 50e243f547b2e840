// The user's questions: selecting, pressing and typing; where they are kept; their files;
// and how the compared methods find the answers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { drop, dropMade, highlighted, makeFixtures, measured, onScreen, open, RAIL, restsInView, row, saveAs, saved, shownText, start, until, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const folder = join(work, 'questions');
const at = (name) => join(folder, name);

const topics = {
  weaver: ['The weaver sets up a loom by the river.', 'Her warp is tied of undyed flax.', 'A shuttle of boxwood flies from side to side.', 'In the evening the cloth is rolled upon a beam.', 'Moths are kept away with lavender.'],
  baker: ['The baker lights an oven before dawn.', 'Rye dough has rested for eleven hours.', 'Each loaf is cut with a razor “so that it can rise”.', 'Crusts crackle while they cool.', 'Mice are kept away with a cat named “Ümläut 𝄞”.'],
  pilot: ['The pilot reads a chart of the estuary.', 'Sandbanks wander after every storm.', 'A lead line tells nine fathoms of water.', 'The harbour bell rings in dense fog.', 'Gulls follow the boat for its herring.'],
  mason: ['The mason squares a block of granite.', 'Lime is slaked in a pit behind the church.', 'Wedges of ash wood split the stone in winter.', 'A plumb bob hangs still in the nave.', 'Swallows nest below the cornice.'],
};
const text = Object.values(topics).map((sentences) => sentences.join(' ')).join('\n\n').concat('\n');
const questions = [
  ['What tells how deep the water is?', topics.pilot[2]],
  ['How long does rye dough rest?', topics.baker[1]],
  ['Which plant repels insects?', topics.weaver[4]],
  ['Which wood splits stone?', topics.mason[2]],
  ['zyxwv qwrtp', topics.mason[4]],
];

let site;
before(async () => {
  makeFixtures();
  mkdirSync(folder, { recursive: true });
  writeFileSync(at('trades.txt'), text);
  site = await start();
});
after(() => site?.close());

function onPage(name, body, options) {
  test(name, async () => {
    const tab = await open(site, { ...RAIL, ...options });
    await drop(tab.page, at('trades.txt'));
    await row(tab.page, 'trades.txt');
    await body(tab.page, tab);
    tab.check();
    await tab.close();
  });
}

/** Selects the nth occurrence of some words in the text. */
function select(page, words, n = 0) {
  return page.evaluate(([wanted, nth]) => {
    const blocks = document.querySelector('.blocks');
    let from = -1;
    for (let i = 0; i <= nth; i++) from = blocks.textContent.indexOf(wanted, from + 1);
    const place = (offset) => {
      const walker = document.createTreeWalker(blocks, NodeFilter.SHOW_TEXT);
      let left = offset;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (left <= node.length) return [node, left];
        left -= node.length;
      }
      throw new Error(`no place ${offset}`);
    };
    getSelection().setBaseAndExtent(...place(from), ...place(from + wanted.length));
  }, [words, n]);
}

const rows = (page) => page.locator('.own-questions li');
const listed = (page, n) => until(async () => await rows(page).count() === n);

/** Adds by key a question that some words answer. */
async function ask(page, question, words, n = 0) {
  await select(page, words, n);
  await page.keyboard.press('q');
  await page.locator('#question').fill(question);
  await page.keyboard.press('Enter');
  await page.locator('#question').waitFor({ state: 'detached' });
}

async function askAll(page, all = questions) {
  for (const [i, [question, words]] of all.entries()) {
    await ask(page, question, words);
    await listed(page, i + 1);
  }
}

const compare = (page) => page.getByRole('tab', { name: 'Compare' }).click();

/** Saves the download of a press under `name`. */
async function saves(page, name, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  writeFileSync(at(name), readFileSync(await download.path()));
  return { suggested: download.suggestedFilename(), lines: readFileSync(at(name), 'utf8').split('\n') };
}

const exported = (page, name) => saves(page, name, () => page.getByRole('button', { name: 'Save as JSON Lines' }).click());

/** Waits until each question is judged for each of `methods`, and returns the chips by question. */
async function judged(page, methods) {
  await until(async () => await page.locator('.rank[role=img]').count() === methods * await rows(page).count());
  return page.locator('.own-questions li').evaluateAll((all) => all.map((each) => [...each.querySelectorAll('.rank')].map((chip) => chip.textContent.replaceAll('\u00a0', ' '))));
}

const found = async (page, n) => (await page.locator('.compared .found').nth(n).innerText()).replaceAll('\u00a0', ' ');

onPage('a question that is brought back takes none away that was asked meanwhile', async (page) => {
  await askAll(page, questions.slice(0, 2));
  await rows(page).first().getByRole('button', { name: 'Remove' }).click();
  await listed(page, 1);
  await ask(page, ...questions[2]);
  await listed(page, 2);
  await page.locator('.asked-here').getByRole('button', { name: 'Undo' }).click();
  await listed(page, 3);
  assert.deepEqual(await page.locator('.own-questions .asks').allInnerTexts(), questions.slice(0, 3).map(([question]) => question));
});

onPage('select with the mouse, press the button, type: it is listed, and leads to its answer', async (page) => {
  const [from, to] = await page.evaluate((words) => {
    const span = [...document.querySelectorAll('.s')].find((each) => each.textContent === words);
    span.scrollIntoView({ block: 'center' });
    const boxes = [...span.getClientRects()];
    const [first, last] = [boxes[0], boxes.at(-1)];
    return [[first.left + 1, first.top + first.height / 2], [last.right - 1, last.top + last.height / 2]];
  }, topics.baker[1]);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Question…' }).click();
  assert.equal(await page.locator('.question-form blockquote').innerText(), topics.baker[1]);
  await page.locator('#question').fill('How long does it rest?');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.locator('.question', { hasText: 'How long does it rest?' }).waitFor();
  assert.equal(await page.locator('.split-here').isVisible(), false);
  assert.equal(await page.locator('.question q').innerText(), topics.baker[1]);
  await page.locator('.question').click();
  await restsInView(page, 'seam-passage');
  assert.deepEqual(await highlighted(page, 'seam-passage'), [topics.baker[1]]);
});

onPage('by keys alone: a passage that is shown is asked about; rows are walked, removed, brought back', async (page) => {
  await page.getByRole('tab', { name: 'Chunks' }).focus();
  await page.locator('#panel-chunks .card').first().focus();
  await page.keyboard.press('Enter');
  await until(async () => (await highlighted(page, 'seam-passage')).length > 0);
  await page.keyboard.press('q');
  await page.keyboard.type('Who works here?');
  await page.keyboard.press('Enter');
  await listed(page, 1);
  await askAll2(page);
  await rows(page).nth(0).locator('.question').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  await listed(page, 2);
  assert.equal(await page.evaluate(() => document.activeElement.querySelector('.asks')?.textContent), 'Third?', 'the next one has the focus');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await listed(page, 3);
  assert.deepEqual(await page.locator('.asks').allInnerTexts(), ['Who works here?', 'Second?', 'Third?']);
  assert.equal(await page.evaluate(() => document.activeElement.querySelector('.asks')?.textContent), 'Second?');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await listed(page, 2);
  await page.locator('#search').fill('q');
  assert.equal(await page.locator('#question').count(), 0, 'in a field it is a letter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Keys…' }).click();
  await page.locator('.keys dd', { hasText: 'keep a question that it answers' }).waitFor();
});

async function askAll2(page) {
  await ask(page, 'Second?', topics.mason[0]);
  await ask(page, 'Third?', topics.mason[1]);
  await listed(page, 3);
}

onPage('they outlast another method, a reload, a new version of the file, and a bundle', async (page, tab) => {
  await askAll(page, questions.slice(0, 2));
  const asked = await page.locator('.asks').allInnerTexts();
  await page.locator('#method').selectOption('sentences');
  assert.deepEqual(await page.locator('.asks').allInnerTexts(), asked);
  await saved(page, 'trades.txt');
  await page.reload();
  await row(page, 'trades.txt');
  await compare(page);
  await listed(page, 2);
  assert.deepEqual(await page.locator('.asks').allInnerTexts(), asked);
  await page.getByRole('tab', { name: 'Chunks' }).click();
  await saves(page, 'trades.seam', () => saveAs(page, 'bundle'));
  // The bundle in a browser without the document.
  const other = await open(site, RAIL);
  await drop(other.page, at('trades.seam'));
  await row(other.page, 'trades.txt');
  await compare(other.page);
  await listed(other.page, 2);
  await other.page.locator('.question').nth(0).click();
  await until(async () => (await highlighted(other.page, 'seam-passage')).join() === questions[0][1]);
  other.check();
  await other.close();
  // Another version, in which one answer has moved and another is missing.
  await compare(page);
  await dropMade(page, { name: 'trades.txt', parts: [`A new beginning.\n\n${text.replace(questions[1][1], '')}`] });
  await page.locator('.own-questions .gone').waitFor();
  assert.equal(await page.locator('.own-questions .gone').count(), 1);
  await page.locator('.question').nth(0).click();
  await until(async () => (await highlighted(page, 'seam-passage')).join() === questions[0][1]);
  await until(async () => /of 1 /.test(await found(page, 0)));
  assert.ok(tab);
});

onPage('ugly input: nothing, too much, everything, quotes, newlines and markup', async (page) => {
  await select(page, topics.weaver[0]);
  await page.keyboard.press('q');
  for (const nothing of ['', '  \n ']) {
    await page.locator('#question').fill(nothing);
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#question').evaluate((area) => area.validationMessage), 'Type a question.');
  }
  await page.locator('#question').fill('');
  await page.locator('#question').pressSequentially('x');
  await page.evaluate(() => document.execCommand('insertText', false, 'y'.repeat(5000)));
  assert.equal((await page.locator('#question').inputValue()).length, 1000, 'no longer than that');
  await page.keyboard.press('Escape');
  await page.locator('#question').waitFor({ state: 'detached' }); // otherwise it would receive the next key
  assert.equal(await rows(page).count(), 0, 'Escape keeps nothing');
  const ugly = '<script>alert(1)</script> "two"\n\'lines\' \\ <img src=x onerror=alert(2)>';
  await select(page, topics.baker[4]);
  await page.keyboard.press('q');
  await page.locator('#question').fill(ugly);
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await listed(page, 1);
  assert.equal(await page.locator('.asks').innerText(), ugly.replace('\n', ' '));
  // Everything, including text around it.
  await page.locator('#text').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('q');
  await page.locator('#question').fill('What is all of it?');
  await page.keyboard.press('Enter');
  await listed(page, 2);
  // The same question again adds an excerpt; the same passage is added once.
  for (let i = 0; i < 2; i++) await ask(page, 'What is all of it?', topics.mason[1]);
  const { suggested, lines } = await exported(page, 'ugly.jsonl');
  assert.equal(suggested, 'trades.txt.questions.jsonl');
  assert.equal(lines.pop(), '');
  const shown = await shownText(page);
  const read = lines.map((line) => JSON.parse(line));
  assert.deepEqual(read, [
    { question: ugly.replace('\n', ' '), file: 'trades.txt', excerpts: [topics.baker[4]] },
    { question: 'What is all of it?', file: 'trades.txt', excerpts: [shown.trim(), topics.mason[1]] },
  ]);
  for (const { excerpts } of read) for (const excerpt of excerpts) assert.ok(text.includes(excerpt), 'word for word');
  await saved(page, 'trades.txt');
  await page.reload();
  await row(page, 'trades.txt');
  await compare(page);
  await listed(page, 2);
});

test('what is too long for an answer is refused in a sentence', async () => {
  const tab = await open(site, RAIL);
  await dropMade(tab.page, { name: 'long.txt', parts: [text.repeat(30)] });
  await row(tab.page, 'long.txt');
  await tab.page.locator('#text').focus();
  await tab.page.keyboard.press('Control+a');
  await tab.page.keyboard.press('q');
  await onScreen(tab.page, /[\d,]+\scharacters are too long for an answer\. Select at most 20,000\./u).waitFor();
  await tab.page.keyboard.press('Escape');
  tab.check();
  await tab.close();
});

onPage('files: what was saved is read again; what is there, of another file, or not in the text is left out', async (page) => {
  await askAll(page, questions.slice(0, 2));
  await exported(page, 'own.jsonl');
  await rows(page).nth(0).locator('.question').focus();
  await page.keyboard.press('Delete');
  await listed(page, 1);
  await page.locator('#questions-picker').setInputFiles(at('own.jsonl'));
  await onScreen(page, /^1\squestion added\. 1\swas left out/u).waitFor();
  await listed(page, 2);
  const lines = [{ question: 'Other file?', file: 'b.txt', excerpts: [topics.mason[0]] }, { question: 'Not there?', file: 'trades.txt', excerpts: ['No such words.'] }, { question: 'Broken lines?', file: 'x/trades.txt', excerpts: [topics.mason[0].replaceAll(' ', '\n ')] }];
  await page.locator('#questions-picker').setInputFiles({ name: 'mixed.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(lines)) });
  await onScreen(page, /^1\squestion added\. 2\swere left out/u).waitFor();
  await listed(page, 3);
  assert.equal(JSON.parse((await exported(page, 'three.jsonl')).lines[2]).excerpts[0], topics.mason[0], 'as the text has it');
  await page.locator('#questions-picker').setInputFiles({ name: 'nothing.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from('no questions') });
  await onScreen(page, 'nothing.jsonl holds no questions', { exact: false }).waitFor();
  await listed(page, 3);
});

onPage('the figures are those of a search by hand, and of seam eval retrieval', async (page) => {
  await page.locator('#method').selectOption('sentences');
  await page.getByLabel('Max tokens', { exact: true }).fill('12');
  await page.keyboard.press('Tab');
  await compare(page);
  await page.getByLabel('Method B', { exact: true }).selectOption('recursive');
  await askAll(page);
  const chips = await judged(page, 2);
  // By hand: each question is searched, and its hits are followed until one has the answer.
  for (const [i, [question, answer]] of questions.entries()) {
    await page.locator('#search').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('#panel-search .hint').filter({ hasText: question }).waitFor();
    const hits = page.locator('.hits .card');
    let rank = 0;
    for (let n = 0; n < await hits.count() && !rank; n++) {
      await hits.nth(n).click();
      await until(async () => (await hits.nth(n).getAttribute('aria-current')) === 'true' && (await highlighted(page, 'seam-passage')).length === 1);
      const [chunk] = await highlighted(page, 'seam-passage');
      if (chunk.includes(answer)) rank = n + 1;
    }
    assert.equal(chips[i][0], rank === 0 ? 'A not found' : `A no. ${rank} · ${rank <= 5 ? 100 : 0} %`, question);
  }
  await compare(page);
  const [, mean] = /· (\d+) % of the answers in the first 5$/.exec(await found(page, 1)) ?? [];
  await exported(page, 'asked.jsonl');
  const out = execFileSync(seam, ['eval', 'retrieval', '--questions', at('asked.jsonl'), '--method', 'recursive', '--max-tokens', '12', '--ranker', 'hybrid', '-n', '5', '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const { rows: [all] } = JSON.parse(out);
  assert.equal(all.questions, questions.length);
  assert.equal(Math.round(100 * all.recall), Number(mean), 'the recall that the command line measures');
  // A search by words finds other chunks, and the figures follow.
  const before = await judged(page, 2);
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.locator('#search-mode').selectOption('keyword');
  await compare(page);
  await until(async () => JSON.stringify(await judged(page, 2)) !== JSON.stringify(before));
});

test('a comparison of four methods by fifty questions', async () => {
  const tab = await open(site, RAIL);
  const { page } = tab;
  const words = Object.values(topics).flat().join(' ').replace(/[^\p{L} ]/gu, '').split(' ');
  const sentence = (i) => `${['The', 'A', 'Her'][i % 3]} ${Array.from({ length: 9 }, (_, k) => words[(i * 7 + k * k * (1 + (i % 11))) % words.length].toLowerCase()).join(' ')} number ${i}.`;
  const long = Array.from({ length: 2000 }, (_, i) => sentence(i) + (i % 8 === 7 ? '\n\n' : ' ')).join('');
  await dropMade(page, { name: 'long.txt', parts: [long] });
  await row(page, 'long.txt');
  await compare(page);
  for (const [letter, method] of [['B', 'recursive'], ['C', 'percentile'], ['D', 'fixed']]) {
    if (letter !== 'B') await page.getByRole('button', { name: 'Another method' }).click();
    await page.getByLabel(`Method ${letter}`, { exact: true }).selectOption(method);
  }
  assert.equal(await page.getByRole('button', { name: 'Another method' }).isVisible(), false, 'four are the most');
  await until(async () => (await page.locator('.compared .made').allInnerTexts()).every((each) => /\d\schunk/u.test(each)));
  const lines = Array.from({ length: 50 }, (_, i) => JSON.stringify({ question: `Where is ${sentence(i * 40).slice(4, 50)}?`, file: 'long.txt', excerpts: [sentence(i * 40)] }));
  await page.locator('#questions-picker').setInputFiles({ name: 'fifty.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(lines.join('\n')) });
  await listed(page, 50);
  await measured(page, 'retrieve', 4);
  const chips = await judged(page, 4);
  assert.ok(chips.flat().some((chip) => / 100 %/.test(chip)));
  const times = await page.evaluate(() => performance.getEntriesByName('seam:retrieve').map(({ duration }) => Math.round(duration)));
  console.log(`timing 50 questions, 2,000 sentences, a method each: ${times.join(' · ')} ms, together ${times.reduce((a, b) => a + b)} ms`);
  tab.check();
  await tab.close();
});

for (const [look, options] of Object.entries({ wide: { viewport: { width: 1400, height: 860 } }, 'next to the text': {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  onPage(`axe finds nothing, and nothing is wider than the page: ${look}`, async (page) => {
    await select(page, topics.pilot[0]);
    await page.getByRole('button', { name: 'Question…' }).waitFor();
    const scan = async (state) => accessible(page, state);
    await scan('selected');
    await page.keyboard.press('q');
    await page.locator('#question').fill(`What does the pilot read, and ${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}?`);
    await scan('form');
    await page.keyboard.press('Enter');
    if (look === '360 px') {
      const kept = page.getByRole('button', { name: 'Kept. Show under Compare' });
      const { x, width } = await kept.boundingBox();
      assert.ok(x >= 0 && x + width <= 360, `from ${x}, ${width} wide`);
      await kept.click();
    }
    if (look === 'wide') await compare(page); // in the place of the text, which stays until then
    await listed(page, 1);
    await judged(page, 2);
    await rows(page).locator('.question').focus();
    await scan('listed');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.keyboard.press('Delete');
    await scan('removed');
  }, options);
}
