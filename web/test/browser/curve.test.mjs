// The curve of a long text: its line moves smoothly, and every sentence can be reached. The
// test asserts the work for each step, not its duration. The time limits only detect a page
// that hangs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { counts, downloaded, dropMade, highlighted, LONG, makeFixtures, open, restsInView, row, start, until, work } from './harness.mjs';

/** The time between two steps, shorter than a frame, as from a good mouse. */
const STEP_MS = 8;
const STEPS = 150;
/**
 * Sentences of the long text: enough to reveal every slow step of the page, or in `make
 * test` a fifth of that.
 */
const SENTENCES = LONG ? 20_500 : 4_100;
const shown = (n) => n.toLocaleString('en');
/** Cards that a step may touch: two screens of them. The list has 2,000. */
const MOST_CARDS = 60;
/** This many changes of the count show that it follows a moving line. */
const LIVE = 5;
/** After this many steps without them, the count does not follow. */
const MOST_STEPS = 40 * STEPS;
/** A page that takes longer hangs, regardless of the machine's load. */
const STILL_MS = 2000;

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onLongText(name, body, options) {
  test(name, { timeout: 600_000 }, async () => {
    const tab = await open(site, options);
    await tab.page.selectOption('#method', 'percentile');
    const text = readFileSync(join(work, 'sentences.txt'), 'utf8').split(/(?<=\.\s+)(?=\S)/).slice(0, SENTENCES).join('');
    await dropMade(tab.page, { name: 'sentences.txt', parts: [text] });
    const { sentences } = await counts(tab.page, 'sentences.txt');
    assert.equal(sentences, SENTENCES);
    assert.equal(await tab.page.locator('.curve .caption > :first-child').innerText(), 'Distance between neighbouring sentences');
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

/** Watches the effects of a moving line. The returned function stops watching and reports them. */
async function watch(page) {
  await page.evaluate(() => {
    const seen = window.watched = { frames: [], tasks: [], lags: [], counts: 0, said: 0, steps: 0, cards: [], pointer: null };
    const observers = [];
    const observe = (target, options, then) => {
      const observer = new MutationObserver(then);
      observer.observe(target, options);
      observers.push(observer);
    };
    const tasks = new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.tasks.push(duration); });
    tasks.observe({ type: 'longtask' });
    observers.push(tasks);
    observe(document.querySelector('#panel-chunks h2'), { childList: true, characterData: true, subtree: true }, () => { seen.counts++; });
    observe(document.querySelector('#threshold'), { attributeFilter: ['aria-valuetext'] }, () => { seen.said++; });
    // How many cards a task touched.
    observe(document.querySelector('.cards'), { childList: true, characterData: true, attributes: true, subtree: true }, (records) => {
      const cards = new Set(records.map(({ target }) => target.parentElement?.closest('li')).filter(Boolean));
      seen.cards.push(cards.size);
    });
    const onPointer = ({ clientY }) => { seen.pointer = clientY; };
    const onInput = () => { seen.steps++; };
    document.addEventListener('pointermove', onPointer, true);
    document.addEventListener('input', onInput, true);
    let last = performance.now();
    let frame = requestAnimationFrame(function each(now) {
      seen.frames.push(now - last);
      last = now;
      frame = requestAnimationFrame(each);
      if (seen.pointer === null) return;
      // Before this frame is painted, the line must be at the pointer.
      seen.steps++;
      seen.lags.push(Math.abs(document.querySelector('.plot .line').getBoundingClientRect().top - seen.pointer));
      seen.pointer = null;
    });
    window.endWatch = () => {
      cancelAnimationFrame(frame);
      for (const observer of observers) observer.disconnect();
      document.removeEventListener('pointermove', onPointer, true);
      document.removeEventListener('input', onInput, true);
      return seen;
    };
  });
  const end = async (label) => {
    const seen = await page.evaluate(() => window.endWatch());
    const slow = seen.frames.filter((ms) => ms > 50).length;
    const longest = Math.max(0, ...seen.tasks);
    console.log(`${label}: ${seen.steps} steps, ${seen.frames.length} frames, ${slow} of them over 50 ms, long tasks ${seen.tasks.map(Math.round).join(', ') || 'none'}; `
      + `the count changed ${seen.counts} times, the value's words ${seen.said} times, at most ${Math.max(0, ...seen.cards)} cards at once`);
    return { ...seen, longest };
  };
  return { end, live: () => page.evaluate((least) => window.watched.counts >= least, LIVE) };
}

function assertSmooth({ longest, counts: changes, cards, steps, said }) {
  assert.ok(steps > STEPS / 10, `${steps} steps arrived`);
  assert.ok(longest < STILL_MS, `a task of ${longest} ms`);
  assert.ok(Math.max(0, ...cards) <= MOST_CARDS, `${Math.max(0, ...cards)} cards were touched at once`);
  assert.ok(said >= steps / 2, `the value's words changed ${said} times in ${steps} steps`);
  assert.ok(changes >= LIVE, `the number of chunks changed ${changes} times in ${steps} steps`);
}

/** When the line is at rest, all parts of the page must agree with the engine. */
async function assertSettled(page) {
  await page.waitForFunction(() => {
    const chunks = Number(document.querySelector('#panel-chunks h2').textContent.replace(/\D/g, ''));
    const cuts = Number(/^([\d,]+)/.exec(document.querySelector('.curve .summary').textContent)[1].replace(',', ''));
    return cuts === chunks - 1 && document.querySelectorAll('.cards li').length === Math.min(2000, chunks);
  });
  const saved = await downloaded(page);
  const chunks = saved.chunks.length;
  await until(async () => (await counts(page, 'sentences.txt')).chunks === chunks); // the row follows with the next frame
  assert.ok(saved.chunks.every(({ id }) => id), 'the engine has cut it properly');
  assert.match(await page.locator('.cards li small').last().textContent(), new RegExp(`^${Math.min(2000, chunks)} `));
}

/**
 * Sends steps without waiting for the page, like a hand, and resolves when all have
 * arrived. A slow machine gets more of them until the count has followed.
 */
async function steps(count, step, live, every = STEP_MS) {
  for (let from = 0; from === 0 || from < MOST_STEPS && !await live(); from += count) {
    const sent = [];
    for (let i = from; i < from + count; i++) {
      sent.push(step(i));
      await pause(every); // the pace of a hand
    }
    await Promise.all(sent);
  }
}

onLongText('the line of thousands of sentences stays under the pointer', async (page) => {
  const plot = await page.locator('.plot').boundingBox();
  const line = await page.locator('.plot .line').boundingBox();
  const x = plot.x + plot.width / 3;
  const [top, bottom] = [plot.y + plot.height * 0.15, plot.y + plot.height * 0.85];
  await page.mouse.move(x, line.y + 4);
  await page.mouse.down();
  await page.mouse.move(x, top);
  const { end, live } = await watch(page);
  await steps(STEPS, (i) => page.mouse.move(x, top + (bottom - top) * (0.5 - 0.5 * Math.cos((i / STEPS) * 4 * Math.PI))), live);
  const seen = await end('the line');
  assertSmooth(seen);
  assert.ok(Math.max(...seen.lags) <= 2, `the line was ${Math.max(...seen.lags)} px from the pointer`);
  await page.mouse.up();
  await assertSettled(page);
});

onLongText('the slider of thousands of sentences, by pointer and by a key that is held', async (page) => {
  const box = await page.locator('#threshold').boundingBox();
  const at = (share) => [box.x + 8 + (box.width - 16) * share, box.y + box.height / 2];
  await page.mouse.move(...at(0.95));
  await page.mouse.down();
  const { end, live } = await watch(page);
  await steps(STEPS, (i) => page.mouse.move(...at(0.75 + 0.2 * Math.cos((i / STEPS) * 4 * Math.PI))), live);
  const seen = await end('the slider');
  assertSmooth({ ...seen, steps: seen.steps - seen.lags.length });
  await page.mouse.up();
  await assertSettled(page);

  await page.locator('#threshold').focus();
  const before = Number(await page.locator('#threshold').inputValue());
  const key = await watch(page);
  // A key pressed again without a release is a repeat.
  await steps(40, () => page.keyboard.down('ArrowLeft'), key.live, 33);
  const held = await key.end('a key');
  await page.keyboard.up('ArrowLeft');
  assertSmooth(held);
  const value = Number(await page.locator('#threshold').inputValue());
  assert.ok(value < before);
  await assertSettled(page);
  assert.match(await page.locator('#threshold').getAttribute('aria-valuetext'), /^[\d,]+\schunks, typically [\d,]+\stokens$/);
});

onLongText('back where it was, the line gives what it gave', async (page) => {
  const first = await downloaded(page);
  await page.locator('#threshold').focus();
  await page.keyboard.down('ArrowLeft');
  await page.keyboard.down('ArrowRight');
  await page.keyboard.up('ArrowLeft');
  await page.keyboard.up('ArrowRight');
  await assertSettled(page);
  assert.deepEqual(await downloaded(page), first);
});

test('a document that is opened again is shown as a whole', async () => {
  const { page, check, close } = await open(site);
  const parts = ['Bees live in a hive. They dance. The oven is hot. Bread rises there. Clocks tick. They run slow in summer.'];
  for (const time of ['first', 'second']) {
    await dropMade(page, { name: 'bees.txt', parts });
    await row(page, 'bees.txt');
    assert.match(await page.locator('.curve .caption > :first-child').innerText(), /^Strength of topic boundaries$/, time);
    await page.getByRole('button', { name: 'Remove bees.txt' }).click();
  }
  check();
  await close();
});

onLongText('one pixel of many sentences, and each of them nearer by', async (page) => {
  const { x, y, width, height } = await page.locator('.plot').boundingBox();
  const tip = page.locator('.tip');
  const caption = page.locator('.curve .caption > :first-child');
  const cuts = Number((await page.locator('.curve .summary').innerText()).replace(/^([\d,]+)[^]*/, '$1').replace(',', ''));

  // The red parts of the curve are boundaries, which are nearly everywhere.
  await page.mouse.move(x + width / 2, y + height - 5);
  assert.match(await tip.innerText(), /^sentence [\d,]+→[\d,]+: \d\.\d\d( · cut made)?( · one of \d+\scuts here| · highest of \d+ here)?$/);
  const quotes = await page.locator('.over .quote').allTextContents();
  const whole = (await page.locator('.blocks').textContent()).replace(/\s+/g, ' ');
  for (const quote of quotes) assert.ok(quote.length > 3 && whole.includes(quote.replaceAll('…', '')), quote);
  const told = [];
  for (let i = 0; i < 100; i++) {
    await page.mouse.move(x + (i + 0.5) * (width / 100), y + height - 5);
    told.push(await tip.innerText());
  }
  const share = told.filter((text) => /cut made|cuts here/.test(text)).length / 100;
  const chance = 1 - (1 - cuts / SENTENCES) ** (SENTENCES / width);
  assert.ok(Math.abs(share - chance) < 0.2, `${share} of the places tell of a cut, ${chance} have one`);

  // A press leads to the sentence, and the zoom centres on it.
  await page.mouse.click(x + width / 4, y + height - 5);
  const sentence = Number(/→([\d,]+)/.exec(await tip.innerText())[1].replace(',', ''));
  await page.waitForFunction(() => CSS.highlights.get('seam-passage').size > 0);
  for (let i = 0; i < (LONG ? 5 : 4); i++) await page.getByRole('button', { name: 'Zoom in on the curve' }).click();
  const [, from, to] = /sentences ([\d,]+)–([\d,]+)/.exec(await caption.innerText()).map((text) => Number(text.replace(',', '')));
  assert.ok(from < sentence && sentence < to && to - from <= 60, `${from} to ${to} for sentence ${sentence}`);
  await page.mouse.move(x + width / 2, y + height - 5);
  assert.match(await tip.innerText(), /^sentence [\d,]+→[\d,]+: \d\.\d\d( · cut made)?$/, 'a bar for each sentence');

  // Panning with the pointer.
  await page.mouse.down();
  await page.mouse.move(x + width / 4, y + height - 5, { steps: 4 });
  await page.mouse.up();
  assert.notEqual((await caption.innerText()).includes(`${from.toLocaleString('en')}–`), true);

  // By keyboard: along the curve, past the edge of the visible part, and to the text.
  const walk = page.locator('.walk');
  await walk.focus();
  await walk.press('End');
  assert.ok((await caption.innerText()).endsWith(`–${shown(SENTENCES)}`));
  assert.ok((await walk.getAttribute('aria-valuetext')).startsWith(`sentence ${shown(SENTENCES - 1)}→${shown(SENTENCES)}`));
  await walk.press('-');
  await walk.press('+');
  await walk.press('ArrowLeft');
  assert.ok((await tip.innerText()).startsWith(`sentence ${shown(SENTENCES - 2)}→${shown(SENTENCES - 1)}`));
  await walk.press('Enter');
  await restsInView(page, 'seam-passage');
  const texts = await highlighted(page, 'seam-passage');
  const saved = await downloaded(page);
  assert.ok(saved.chunks.at(-1).text.includes(texts[0]) || saved.chunks.at(-2).text.includes(texts[0]));
  const out = page.locator('button[aria-label="Zoom out of the curve"]');
  for (let i = 0; i < 8 && !await out.getAttribute('aria-disabled'); i++) await out.click();
  assert.equal(await caption.innerText(), 'Distance between neighbouring sentences');
});
