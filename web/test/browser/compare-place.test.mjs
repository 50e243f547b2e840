// The comparison on a wide screen, in the place of the text: the claims of its sentences, the
// texts next to each other, and the way back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, open, row, start, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const TRADES = ['miller', 'baker', 'pilot', 'tanner', 'brewer', 'cooper', 'glazier', 'saddler', 'weaver', 'potter', 'smith', 'cutler', 'dyer', 'printer', 'roper', 'mason', 'joiner', 'tiler', 'thatcher', 'hatter'];
/** One block of the text, so that all its cuts are built. */
const SHORT = 12;
const texts = TRADES.map((who, i) => `The ${who} keeps a workshop at number ${i + 3}. Nobody but the ${who} may open the ${who}'s chest. The winter of the ${who} is long and the roads are bad. In spring the market of the ${who} opens again.`);
const trades = texts.join('\n\n');
const short = { name: 'trades.txt', parts: [texts.slice(0, SHORT).join('\n\n')] };

function onPage(name, body, { file = { name: 'trades.txt', parts: [trades] }, ...options } = {}) {
  test(name, async () => {
    const tab = await open(site, { viewport: { width: 1440, height: 900 }, ...options });
    const { page } = tab;
    if (typeof file === 'string') await drop(page, join(work, file));
    else await dropMade(page, file);
    await row(page, file.name ?? file);
    await body(page);
    tab.check();
    await tab.close();
  });
}

const plain = (text) => text.replaceAll('\u00a0', ' ');
const verdict = async (page) => plain(await page.locator('.verdict').innerText());
const rests = async (page) => plain(await page.locator('.rests').innerText());
const pane = (page, letter) => page.getByRole('region', { name: `Text in the chunks of ${letter}` });
const compare = async (page) => {
  await page.getByRole('tab', { name: 'Compare' }).click();
  await until(async () => await page.locator('.verdict').textContent() !== '');
};
/** Waits for the chunks of a method, different from `before`, and returns their number. */
async function chunksOf(page, n, before = NaN) {
  let count = NaN;
  await until(async () => {
    count = Number(/^([\d,]+)\schunk/u.exec(await page.locator('.compared .made').nth(n).textContent())?.[1]?.replace(',', '') ?? NaN);
    return count > 0 && count !== before;
  });
  return count;
}
/** Returns the cuts that a column shows by the letters in their reasons. */
const cutsIn = (page, letter) => pane(page, letter).locator('.cut').evaluateAll((all) => all.map((each) => each.dataset.reason));
/** Loads questions, and waits until each is judged for each method. */
async function judge(page, questions, methods = 2) {
  await page.locator('#questions-picker').setInputFiles({ name: 'q.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(questions.map((each) => JSON.stringify(each)).join('\n')) });
  await until(async () => await page.locator('.rank[role=img]').count() === methods * questions.length);
}
const use = async (page, letter, method, limit) => {
  await page.getByLabel(`Method ${letter}`, { exact: true }).selectOption(method);
  if (limit === undefined) return;
  await page.getByLabel(new RegExp(`^Method ${letter}: Up to tokens`)).fill(String(limit));
  await page.keyboard.press('Tab');
};

onPage('it takes the width, and both columns show the whole text with the chunks of their method', async (page) => {
  await compare(page);
  const counts = [await chunksOf(page, 0), await chunksOf(page, 1)];
  const { width, side } = await page.evaluate(() => ({ width: document.querySelector('#panel-compare').clientWidth, side: getComputedStyle(document.querySelector('aside')).visibility }));
  assert.ok(width > 1400, `${width} px wide`);
  assert.equal(side, 'hidden');
  const text = await page.locator('#text .blocks').evaluate((blocks) => blocks.textContent);
  for (const [i, letter] of ['A', 'B'].entries()) {
    assert.equal(await pane(page, letter).locator('.blocks').evaluate((blocks) => blocks.textContent), text);
    assert.equal((await cutsIn(page, letter)).length, counts[i] - 1, `cuts of ${letter}`);
    assert.equal(await page.locator('.strip rect').evaluateAll((all, n) => all.filter((each) => each.closest('.column') === document.querySelectorAll('.column')[n]).length, i), counts[i]);
  }
  // One block a chunk in view, numbered from the first.
  await until(async () => await pane(page, 'B').locator('.tint:not([hidden])').count() > 1);
  const tints = await pane(page, 'B').locator('.tint:not([hidden])').evaluateAll((all) => all.map(({ dataset: { number, size } }) => [number, size]));
  assert.deepEqual(tints.map(([number]) => number), tints.map((_, i) => String(i + 1)));
  assert.ok(tints.every(([, size]) => Number(size) > 0));
}, { file: short });

onPage('without questions, the first sentence counts the cuts as the columns show them', async (page) => {
  await compare(page);
  await chunksOf(page, 1);
  await use(page, 'B', 'fixed', 40);
  await until(async () => (await cutsIn(page, 'B')).length > 6); // the new method is shown
  const counted = async () => {
    const said = await verdict(page);
    const number = (pattern) => Number(pattern.exec(said)?.[1] ?? 0);
    const [a, b] = [await cutsIn(page, 'A'), await cutsIn(page, 'B')];
    const only = (cuts, letter) => cuts.filter((reason) => reason.endsWith(`in ${letter} only`)).length;
    const near = b.filter((reason) => /moved by a sentence or two$/.test(reason)).length;
    return [
      [number(/(\d+) (?:is|are) in A only/), only(a, 'A')],
      [number(/(\d+) (?:is|are) in B only/), only(b, 'B')],
      [number(/(\d+) (?:is|are) moved/), near],
      [number(/^(\d+) cuts? (?:is|are) the same/), b.length - near - only(b, 'B')],
    ];
  };
  const agree = (pairs) => pairs.every(([said, shown]) => said === shown);
  await until(async () => agree(await counted())).catch(async () => assert.fail(JSON.stringify([await verdict(page), await counted()])));
  assert.equal(await rests(page), '');
}, { file: short });

onPage('equal cuts are called so, and one method alone is not compared', async (page) => {
  await page.locator('#method').selectOption('recursive');
  await page.locator('.doc[data-state=ready]').waitFor();
  await compare(page);
  const n = await chunksOf(page, 0);
  await use(page, 'B', 'recursive');
  await until(async () => /^A and B /.test(await verdict(page)));
  assert.equal(await verdict(page), n === 1 ? 'A and B make no cut in this text.' : `A and B cut at the same ${n === 2 ? 'place' : `${n - 1} places`}.`);
  assert.equal((await cutsIn(page, 'A')).some((reason) => / only$/.test(reason)), false);
  await page.getByRole('button', { name: 'Leave out method B' }).click();
  await until(async () => await verdict(page) === 'Add a method to compare with.');
  assert.equal(await page.locator('.pane').count(), 1);
}, { file: short });

const asked = TRADES.map((who) => ({ question: `Who may open the ${who}'s chest?`, excerpts: [`Nobody but the ${who} may open the ${who}'s chest.`] }));

/** Returns how many answers each method finds first, as the list of questions shows them. */
const firsts = (page, methods) => page.locator('.own-questions li').evaluateAll((all, n) => Array.from({ length: n }, (_, i) => all.filter((each) => /no\.\s1\s/u.test(each.querySelectorAll('.rank')[i].textContent)).length), methods);

onPage('with questions, no method is named that the questions do not single out', async (page) => {
  await compare(page);
  await chunksOf(page, 1);
  await judge(page, asked.slice(0, 3));
  await until(async () => /^No difference can be told with 3 questions\.$/.test(await verdict(page)));
  const [a, b] = await firsts(page, 2);
  assert.match(await rests(page), new RegExp(`^A finds ${a} of 3 answers first, B ${b} of 3\\. `));
  assert.equal(/That can be chance/.test(await rests(page)), a !== b);
});

onPage('with questions, a method that is far ahead is named', async (page) => {
  await compare(page);
  const before = await chunksOf(page, 1);
  await use(page, 'B', 'fixed', 4000); // the text in one chunk, found first for any question
  await chunksOf(page, 1, before);
  await use(page, 'B', 'fixed', 4000);
  // A in many short chunks, of which a search finds others first for questions in other words.
  await judge(page, TRADES.map((who, i) => ({ question: i % 4 ? 'When does the market open again?' : `Where is number ${i + 3}?`, excerpts: [`The ${who} keeps a workshop at number ${i + 3}.`] })).map((each, i) => ({ ...each, question: `${each.question} (${i})` })));
  await until(async () => /answers? first more often than/.test(await verdict(page)));
  const [a, b] = await firsts(page, 2);
  assert.equal(await verdict(page), 'B finds answers first more often than A.');
  assert.ok(b > a, `${a} and ${b}`);
  assert.match(await rests(page), new RegExp(`^A finds ${a} of 20 answers first, B ${b} of 20\\. B stays ahead in at least 90 % of resamples of these questions\\. `));
  // Questions removed until the rest singles out none.
  for (let n = 20; n > 3; n--) {
    await page.locator('.own-questions .remove').first().click();
    await until(async () => await page.locator('.own-questions li').count() === n - 1);
  }
  await until(async () => /^No difference can be told with 3 questions/.test(await verdict(page)));
});

/** Reports whether the first sentence that begins in view is at the same height in all columns. */
const sameTop = (page) => page.evaluate(() => {
  const from = (span, { top }) => {
    const range = new Range();
    range.selectNodeContents(span);
    return range.getClientRects()[0].top - top;
  };
  const [first, ...others] = document.querySelectorAll('.pane');
  const box = first.getBoundingClientRect();
  const span = [...first.querySelectorAll('.s')].find((each) => from(each, box) >= 0);
  return others.every((pane) => {
    const same = [...pane.querySelectorAll('.s')].find((each) => each.textContent === span.textContent);
    return same && Math.abs(from(same, pane.getBoundingClientRect()) - from(span, box)) < 2;
  });
});
const scrolled = (page, letter) => pane(page, letter).evaluate(({ scrollTop }) => scrollTop);

onPage('scrolling one scrolls the other to the same sentence, by wheel and by keys', async (page) => {
  await compare(page);
  await chunksOf(page, 1);
  await use(page, 'B', 'fixed', 40);
  await until(async () => (await cutsIn(page, 'B')).length > 6);
  await pane(page, 'A').hover();
  await page.mouse.wheel(0, 700);
  await until(async () => await scrolled(page, 'B') > 300 && await sameTop(page));
  await pane(page, 'B').focus();
  const before = await scrolled(page, 'A');
  await page.keyboard.press('PageUp');
  await until(async () => await scrolled(page, 'A') < before - 100 && await sameTop(page));
  await page.keyboard.press('Home');
  await until(async () => await scrolled(page, 'A') < 3);
});

onPage('a difference is shown in both columns; Escape goes back to where the reader was', async (page) => {
  await page.locator('#text').evaluate((text) => { text.scrollTop = 600; });
  const place = () => page.locator('#text').evaluate(({ scrollTop }) => scrollTop);
  const before = await place();
  await page.locator('#text').evaluate((text) => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done(text.scrollTop))); }));
  await compare(page);
  await chunksOf(page, 1);
  assert.ok(await pane(page, 'A').evaluate(({ scrollTop }) => scrollTop) > 0, 'the columns begin where the reader was');
  await pane(page, 'B').focus();
  await page.keyboard.press('Escape');
  await page.locator('#panel-chunks').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-chunks');
  assert.ok(await page.locator('#text').isVisible());
  assert.equal(await place(), before);
  await compare(page);
  await page.locator('.difference').last().click();
  const words = /“(.{12})/u.exec(await page.locator('.difference').last().innerText())[1];
  await page.waitForFunction((wanted) => [...CSS.highlights.get('seam-compared') ?? []].filter((range) => range.toString().replace(/\s+/g, ' ').includes(wanted)).length === 2, words);
  await page.getByRole('button', { name: 'Close comparison' }).click();
  await page.locator('#panel-chunks').waitFor();
});

onPage('a question is asked of the text in a column', async (page) => {
  await compare(page);
  await chunksOf(page, 1);
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.locator('dialog').getByText('Select the passage that answers').waitFor();
  await page.keyboard.press('Escape');
  await pane(page, 'B').evaluate((element) => {
    getSelection().selectAllChildren([...element.querySelectorAll('.s')].find((each) => /Nobody but the pilot/.test(each.textContent)));
  });
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.locator('#question').fill('Who opens the chest of the pilot?');
  await page.keyboard.press('Enter');
  await until(async () => await page.locator('.own-questions li').count() === 1);
  assert.match(await page.locator('.own-questions q').innerText(), /Nobody but the pilot may open/);
});

onPage('a third column where there is room; otherwise a choice of the second', async (page) => {
  await compare(page);
  await page.getByRole('button', { name: 'Another method' }).click();
  await chunksOf(page, 2);
  await until(async () => await page.locator('.pane').count() === 3);
  assert.ok((await page.locator('.pane').evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))).every((width) => width >= 415));
  await page.setViewportSize({ width: 1200, height: 800 });
  await until(async () => await page.locator('.pane').count() === 2);
  await pane(page, 'C').waitFor(); // the one added last
  await page.getByRole('radio', { name: 'B' }).check();
  await pane(page, 'B').waitFor();
  assert.equal((await cutsIn(page, 'B')).length, await chunksOf(page, 1) - 1);
  await page.setViewportSize({ width: 1050, height: 800 });
  await until(async () => await page.locator('aside').isVisible());
  assert.equal(await page.locator('.pane').first().isVisible(), false);
  await page.locator('.ribbons').waitFor();
}, { file: short });

onPage('a long document is scrolled without a pause, and only some of it is built', async (page) => {
  await compare(page);
  await chunksOf(page, 1);
  await pane(page, 'A').focus();
  await page.keyboard.press('End');
  await until(async () => (await Promise.all(['A', 'B'].map((letter) => pane(page, letter).evaluate((element) => element.scrollTop + element.clientHeight > element.scrollHeight - 60)))).every(Boolean));
  const built = await page.locator('.pane .s').count();
  assert.ok(built > 0 && built < 6000, `${built} sentences are built`);
}, { file: { name: 'long.txt', parts: [Array.from({ length: 6500 }, (_, i) => `Sentence ${i} is about the ${TRADES[Math.floor(i / 9) % TRADES.length]} and the ${(i * 37) % 101} things of the workshop.${i % 9 === 8 ? '\n\n' : ''}`).join(' ')] } });

for (const [look, options] of Object.entries({ wide: {}, German: { locale: 'de-DE' } })) {
  onPage(`axe finds nothing: ${look}`, async (page) => {
    await page.getByRole('tab', { name: /Compare|Vergleich/ }).click();
    await chunksOfAny(page);
    await accessible(page, 'compared');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }, { file: 'article.pdf', ...options });
}

const chunksOfAny = (page) => until(async () => (await page.locator('.compared .lengths i').count()) > 20 && (await page.locator('.verdict').textContent()) !== '');
