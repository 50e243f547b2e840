// The default method: topics, their strengths, the knob from finer to coarser, and limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, counts, downloaded, drop, dropMade, highlighted, longTest, makeFixtures, onScreen, open, openSheet, printTiming, row, start, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';

/** The binary logarithm of the finest coarseness. */
const LEAST = -3;
const SAMPLE = 'Sample – eight short essays.pdf';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onSample(name, body, options) {
  test(name, { timeout: 600_000 }, async () => {
    const tab = await open(site, options);
    await add(tab.page, 'Try the sample');
    await row(tab.page, 'Sample');
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

/** Returns a text of n sentences. */
const made = (n) => readFileSync(join(work, 'sentences.txt'), 'utf8').split(/(?<=\. )/).slice(0, n).join('');

const slider = (page) => page.locator('#threshold');
const says = (page) => page.locator('.knob .says').innerText();
const cards = (page) => page.locator('#panel-chunks h2').textContent().then((text) => Number(text.replace(/\D/g, '')));

/** Performs an action that cuts the text again, and waits for the cut. */
async function cutAgain(page, act) {
  const before = await page.evaluate(() => performance.getEntriesByName('seam:recut').length);
  await act();
  await page.waitForFunction((n) => performance.getEntriesByName('seam:recut').length > n, before);
}

/** Waits until the distinct settings were computed a number of times. */
const stepsKnown = (page, n = 1) => page.waitForFunction((times) => performance.getEntriesByName('seam:steps').length >= times, n);

/** Returns the expected text of the knob for these chunks. */
function told(chunks, unit = 'tokens') {
  const sizes = chunks.map(({ tokens }) => tokens).sort((a, b) => a - b);
  const middle = sizes.length >> 1;
  const typical = sizes.length % 2 ? sizes[middle] : Math.round((sizes[middle - 1] + sizes[middle]) / 2);
  return `${chunks.length}\u00a0chunks, typically ${typical}\u00a0${unit}`;
}

/** Returns the keyboard's description of each gap of the curve. */
async function walked(page) {
  const walk = page.locator('.walk');
  await walk.focus();
  await walk.press('Home');
  const told = [];
  const last = Number(await walk.getAttribute('max'));
  for (let gap = 0; gap <= last; gap++) {
    if (gap > 0) await walk.press('ArrowRight');
    told.push(await walk.getAttribute('aria-valuetext'));
    assert.equal(await page.locator('.tip').innerText(), told[gap]);
  }
  return told;
}

/**
 * Returns the cuts by the threshold and by the maximum, and the boundaries removed by a
 * minimum.
 */
async function statesOf(page) {
  const told = await walked(page);
  const gaps = (pattern) => told.flatMap((text, gap) => (pattern.test(text) ? [gap] : []));
  return { told, cut: gaps(/ · cut made$/), divided: gaps(/ · cut (forced by|at an inner boundary, for) the maximum$/), joined: gaps(/ · joined: a chunk would be shorter than the minimum$/) };
}

/** Reports whether the maximum alone needed a cut. A heading is a cut of the line in the sample. */
const isNeeded = ({ reason }) => /^(max tokens|paragraph|.*, needed for the maximum)$/.test(reason);
const isLine = ({ reason }) => !isNeeded({ reason }) && reason !== 'end';

onSample('the default: topics, coarseness 1, strengths', async (page) => {
  assert.equal(await page.locator('#method').inputValue(), 'semantic');
  assert.equal(await page.getByRole('spinbutton', { name: 'Coarseness' }).inputValue(), '1');
  assert.equal(await page.getByRole('slider', { name: 'Finer or coarser' }).getAttribute('aria-valuetext'), await says(page));
  assert.deepEqual([await page.locator('#min-tokens').getAttribute('placeholder'), await page.locator('#max-tokens').getAttribute('placeholder')], ['32', '512']);
  assert.equal(await page.locator('.curve .caption > :first-child').innerText(), 'Strength of topic boundaries');

  const saved = await downloaded(page);
  assert.equal(await says(page), told(saved.chunks));
  const { sentences, chunks } = await counts(page, 'Sample');
  assert.equal(saved.method, 'semantic');
  assert.deepEqual([saved.setting, saved.threshold, saved.curve.values.length, saved.chunks.length], [1, 0, sentences - 1, chunks]);
  assert.ok(chunks >= 8, `${chunks} chunks of eight essays`);
  for (const { reason, topic } of saved.chunks) {
    assert.match(reason, /^(topic \d+(\.\d+)?(, needed for the maximum)?|heading|paragraph|max tokens|end)$/);
    assert.ok(topic >= 1);
  }
  assert.deepEqual(await page.locator('.cut').evaluateAll((cuts) => cuts.map((cut) => cut.dataset.reason)), saved.chunks.slice(0, -1).map(({ reason }) => reason.replace('max tokens', 'maximum')));

  // The description of every gap has its strength, and the threshold is at 1.
  const { told: words, cut, divided, joined } = await statesOf(page);
  words.forEach((text, gap) => assert.ok(text.startsWith(`sentence ${gap + 1}→${gap + 2}: ${(2 ** saved.curve.values[gap]).toFixed(2)}`), text));
  assert.deepEqual([...cut, ...joined].sort((a, b) => a - b), saved.curve.values.flatMap((v, gap) => (v >= 0 ? [gap] : [])));
  assert.deepEqual([cut.length, divided.length], [saved.chunks.filter(isLine).length, saved.chunks.filter(isNeeded).length]);
  assert.match(await page.locator('.plot canvas').getAttribute('aria-label'), new RegExp(`^Strength of topic boundaries: ${sentences - 1}\\sgaps, ${chunks - 1}\\scuts, line at 1\\.00$`));
});

test('coarser never adds a chunk, finer never removes one, and each step does something', { timeout: 600_000 }, async () => {
  const tab = await open(site);
  const { page } = tab;
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  await stepsKnown(page);
  await dropMade(page, { name: 'made.txt', parts: [made(400)] });
  await row(page, 'made.txt');
  await stepsKnown(page, 2);
  for (const name of [SAMPLE, 'made.txt']) {
    await page.locator('.doc .select', { hasText: name }).click();
    await page.waitForFunction(() => document.querySelector('#setting').value === '1');
    const most = Number(await slider(page).getAttribute('max'));
    assert.ok(most >= 3, `${most} steps`);
    await cutAgain(page, () => slider(page).press('Home'));
    const up = [await cards(page)];
    const seen = new Set([JSON.stringify((await downloaded(page)).chunks)]);
    for (let at = 1; at <= most; at++) {
      await cutAgain(page, () => slider(page).press('ArrowRight'));
      assert.equal(Number(await slider(page).inputValue()), at);
      const { chunks } = await downloaded(page);
      assert.equal(await says(page), told(chunks), 'what a step is said to make it makes');
      assert.equal(await slider(page).getAttribute('aria-valuetext'), await says(page));
      seen.add(JSON.stringify(chunks));
      up.push(chunks.length);
    }
    assert.equal(seen.size, most + 1, 'each step makes something else');
    assert.ok(up.every((n, i) => i === 0 || n <= up[i - 1]) && up[0] > up[most], up.join(' '));
    const down = [];
    for (let at = most - 1; at >= 0; at--) {
      await cutAgain(page, () => slider(page).press('ArrowLeft'));
      down.push(await cards(page));
    }
    assert.deepEqual(down.reverse(), up.slice(0, -1), 'back as it came');
    console.log(`${name}: ${up.join(' ')}`);
    await cutAgain(page, () => page.getByRole('button', { name: 'Reset settings' }).click());
  }
  tab.check();
  await tab.close();
});

onSample('a number in the field, and the line that is dragged: the knob follows', async (page) => {
  await stepsKnown(page);
  await page.locator('#method').selectOption('percentile');
  await stepsKnown(page, 2);
  const field = page.getByRole('spinbutton', { name: 'Percentile of distances' });
  assert.equal(await field.inputValue(), '95');
  const before = await cards(page);
  await cutAgain(page, () => field.fill('70'));
  const saved = await downloaded(page);
  assert.equal(saved.setting, 70);
  assert.ok(saved.chunks.length > before);
  assert.equal(await says(page), told(saved.chunks));
  assert.match(await page.locator('#knob-where').innerText(), /^Cut where the distance is above \d\.\d\d\.$/);
  const place = Number(await slider(page).inputValue());
  await cutAgain(page, () => slider(page).press('ArrowLeft'));
  assert.equal(Number(await slider(page).inputValue()), place - 1);
  assert.ok(await cards(page) > saved.chunks.length, 'left is finer');
  // A greater number makes finer chunks here, and left still means finer.
  await page.locator('#method').selectOption('notebook-percentile');
  await stepsKnown(page, 3);
  const coarse = await cards(page);
  await cutAgain(page, () => slider(page).press('ArrowLeft'));
  assert.ok(await cards(page) > coarse);
});

onSample('lengths are told in the unit that was chosen', async (page) => {
  await cutAgain(page, () => page.locator('#unit').selectOption('chars'));
  const { chunks } = await downloaded(page);
  assert.equal(await says(page), told(chunks, 'characters'));
  assert.match(await page.locator('.card small').first().textContent(), /^1 · p\. 1 · [\d,]+\scharacters · /);
  assert.match(await page.locator('.curve .summary').innerText(), /typically [\d,]+\scharacters/);
  assert.match(await page.locator('[aria-label^="Chunk sizes"]').getAttribute('aria-label') ?? '', /characters/);
  assert.ok(await page.getByLabel('Max characters').isVisible());
});

test('in Arabic, lengths are estimates that say so and fit the tokens of a model', async () => {
  const tab = await open(site);
  const { page } = tab;
  const text = readFileSync(join(web, '../shared/token/testdata/scripts/ar.txt'), 'utf8');
  await dropMade(page, { name: 'ar.txt', parts: [text] });
  await row(page, 'ar.txt');
  const estimated = await downloaded(page);
  const sum = ({ chunks }) => chunks.reduce((all, { tokens }) => all + tokens, 0);
  assert.match(await page.locator('.card small').first().textContent(), /^1 · [\d,]+\sestimated tokens · /);
  assert.match(await page.locator('.curve .summary').innerText(), /typically [\d,]+\sestimated tokens/);
  assert.match(await page.locator('[aria-label^="Chunk sizes"]').getAttribute('aria-label') ?? '', /estimated tokens/);
  assert.equal(await says(page), told(estimated.chunks, 'estimated tokens'));
  // The method's own limits hold as much text as in English, and the fields show them.
  const [least, most] = [await page.locator('#min-tokens').getAttribute('placeholder'), await page.locator('#max-tokens').getAttribute('placeholder')].map(Number);
  assert.ok(most > 3 * 512 && most < 6 * 512 && least > 3 * 32 && least < 6 * 32, `${least} to ${most}`);
  assert.ok(estimated.chunks.every(({ tokens }) => tokens <= most));
  await cutAgain(page, () => page.locator('#unit').selectOption('cl100k'));
  const exact = await downloaded(page);
  assert.match(await page.locator('.card small').first().textContent(), /^1 · [\d,]+\stokens · /);
  assert.ok(Math.abs(sum(estimated) / sum(exact) - 1) < 0.25, `${sum(estimated)} estimated tokens, ${sum(exact)} of cl100k`);
  await cutAgain(page, () => page.locator('#max-tokens').fill('100'));
  const short = await downloaded(page);
  assert.ok(short.chunks.length > 8 && short.chunks.every(({ tokens }) => tokens <= 100));
  tab.check();
  await tab.close();
});

onSample('limits: what was cut for the maximum alone, and what was left out for the minimum', async (page) => {
  await cutAgain(page, () => page.locator('#max-tokens').fill('60'));
  const short = await downloaded(page);
  assert.ok(short.chunks.every(({ tokens }) => tokens <= 60));
  const seen = await statesOf(page);
  const inner = seen.told.filter((text) => /at an inner boundary, for the maximum$/.test(text)).length;
  assert.ok(inner > 0 && inner < seen.divided.length, `${inner} of ${seen.divided.length} cuts for the maximum have a name`);
  assert.equal(await page.locator('.curve .inner').innerText(), `${inner}\u00a0inner boundaries`);
  assert.equal(seen.divided.length - inner, short.chunks.filter(({ reason }) => reason === 'max tokens').length);
  assert.equal(await page.locator('.card small', { hasText: /· topic [\d.]+, needed for the maximum/ }).count(), short.chunks.filter(({ reason }) => /needed/.test(reason)).length);
  assert.ok([...seen.cut, ...seen.joined].every((gap) => short.curve.values[gap] >= 0) && seen.divided.every((gap) => short.curve.values[gap] < 0));
  const cuts = [...seen.cut, ...seen.divided].sort((a, b) => a - b);
  assert.equal(cuts.length, short.chunks.length - 1, 'each at a gap between two sentences, as none of the sample has 60 tokens');
  // It is in the right place: the next sentence begins the next chunk.
  const [gap] = seen.divided;
  const walk = page.locator('.walk');
  await walk.press('Home');
  for (let at = 0; at < gap; at++) await walk.press('ArrowRight');
  assert.match(await page.locator('.tip').innerText(), /cut (forced by|at an inner boundary, for) the maximum$/);
  await walk.press('Enter');
  await page.waitForFunction(() => CSS.highlights.get('seam-passage').size > 0);
  const [sentence] = await highlighted(page, 'seam-passage');
  assert.ok(short.chunks[cuts.indexOf(gap) + 1].text.startsWith(sentence), sentence);

  await cutAgain(page, () => page.locator('#max-tokens').fill(''));
  await cutAgain(page, () => page.locator('#min-tokens').fill('200'));
  const long = await downloaded(page);
  const { cut, joined } = await statesOf(page);
  assert.equal(cut.length, long.chunks.filter(isLine).length);
  assert.ok(joined.length > 0);
  assert.deepEqual([...cut, ...joined].sort((a, b) => a - b), long.curve.values.flatMap((v, at) => (v >= 0 ? [at] : [])), 'no boundary of the line is unaccounted for');

  // The count is the same while the knob is held and at rest.
  await slider(page).focus();
  const moves = await page.evaluate(() => performance.getEntriesByName('seam:move').length);
  await page.keyboard.down('ArrowRight');
  await page.waitForFunction((n) => performance.getEntriesByName('seam:move').length > n, moves);
  const held = await page.locator('.summary .joined').innerText();
  await cutAgain(page, () => page.keyboard.up('ArrowRight'));
  assert.match(held, /\d/);
  assert.equal(await page.locator('.summary .joined').innerText(), held);
});

onSample('two documents: a line set by hand is of one of them', async (page) => {
  const sample = await cards(page);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.waitForFunction((n) => !document.querySelector('#panel-chunks h2').textContent.startsWith(`${n}\u00a0`), sample);
  const article = await downloaded(page);
  assert.equal(article.method, 'semantic');
  assert.equal(article.chunks.length, (await counts(page, 'article.pdf')).chunks);

  await page.locator('.doc .select', { hasText: 'Sample' }).click();
  await page.waitForFunction((n) => document.querySelector('#panel-chunks h2').textContent.startsWith(`${n}\u00a0`), sample);
  const before = await downloaded(page);
  const plot = await page.locator('.plot').boundingBox();
  const x = plot.x + plot.width / 2;
  await page.mouse.move(x, (await page.locator('.plot .line').boundingBox()).y + 5);
  await page.mouse.down();
  await page.mouse.move(x, plot.y + plot.height - 1, { steps: 12 });
  await page.waitForFunction((n) => document.querySelectorAll('.cards li').length > n && document.querySelector('.plot canvas').getAttribute('aria-label').endsWith('line at 0.13'), sample); // it has followed to the end
  // Held, it shows the same as the engine at rest; and it stops at the slider's least
  // value.
  const headings = (list) => list.filter((text) => text.endsWith('· heading')).length;
  const told = () => page.locator('.card small').allTextContents();
  const held = await told();
  assert.ok(headings(held) > 0);
  assert.match(await page.locator('#knob-where').innerText(), /^Line set by hand\.$/);
  assert.equal(await page.locator('#setting').inputValue(), '0.13');
  await cutAgain(page, () => page.mouse.up());
  assert.deepEqual(await told(), held);
  const fine = await downloaded(page);
  assert.equal(fine.threshold, LEAST);
  assert.equal(fine.chunks.filter(isLine).length + 1, fine.chunks.length);
  assert.ok(before.chunks.every(({ end }) => fine.chunks.some((chunk) => chunk.end === end)), 'a finer one keeps every cut');

  await page.locator('.doc .select', { hasText: 'article.pdf' }).click();
  await page.waitForFunction(() => document.querySelector('#setting').value === '1');
  assert.deepEqual(await downloaded(page), article);
});

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  onSample(`axe finds nothing: ${name}`, async (page) => {
    await page.locator('.walk').focus();
    await page.locator('.walk').press('ArrowRight');
    assert.ok(await page.locator('.tip').isVisible());
    if (name === '360 px') {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the page');
      await openSheet(page);
    }
    assert.ok(await slider(page).isVisible());
    await accessible(page, name, ':root', { others: ['dark'] }); // axe reads -webkit-text-fill-color, which forced colours do not change, and the tip is light on dark
  }, { reducedMotion: 'reduce', ...options });
}

for (const n of [2000, 20_000]) {
  longTest(`timing of ${n} sentences, for people`, { timeout: 600_000 }, async () => {
    const tab = await open(site);
    const { page } = tab;
    for (const name of ['the first', 'the second']) { // because the engine is being compiled during the first
      await page.evaluate(() => performance.clearMeasures());
      await dropMade(page, { name: `${name}.txt`, parts: [`About ${name}. ${made(n)}`] });
      const { sentences } = await counts(page, `${name}.txt`);
      assert.ok(Math.abs(sentences - n) <= n / 100, `${sentences} sentences`);
      await page.waitForFunction(() => performance.getEntriesByName('seam:total').length > 0);
      await printTiming(page, `${sentences} sentences, ${name} text, cut for the first time`);
    }
    await slider(page).focus();
    for (const key of ['ArrowLeft', 'PageDown', 'End', 'Home']) {
      await cutAgain(page, () => page.keyboard.press(key));
      await printTiming(page, `${n} sentences, ${await says(page)}`);
    }
    tab.check();
    await tab.close();
  });
}

test('an overlap: the cut is where the new text begins, and what is in two chunks is underlined', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await cutAgain(page, () => page.locator('#max-tokens').fill('60'));
  const before = await page.locator('.cut').evaluateAll((cuts) => cuts.map((cut) => [cut.dataset.reason, cut.nextSibling?.textContent.slice(0, 40)]));
  assert.ok(await page.locator('.legend').isHidden());
  await cutAgain(page, () => page.locator('#overlap').fill('25'));
  const saved = await downloaded(page);
  const shared = saved.chunks.filter(({ start }, i) => i > 0 && start < saved.chunks[i - 1].end).length;
  assert.ok(shared > 0);
  assert.match(await page.locator('.legend').innerText(), new RegExp(`^Underlined: ${shared}\\spassages? in two chunks each, as they overlap\\.$`));
  assert.deepEqual(await page.locator('.cut').evaluateAll((cuts) => cuts.map((cut) => [cut.dataset.reason, cut.nextSibling?.textContent.slice(0, 40)])), before, 'no cut moves');
  const marked = await page.evaluate(() => [...CSS.highlights.get('seam-shared')].map(({ startContainer, startOffset, endContainer, endOffset }) => {
    const range = new Range();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return String(range);
  }));
  assert.ok(marked.length > 0);
  for (const text of marked) assert.ok(saved.chunks.filter((chunk) => chunk.text.includes(text)).length >= 2, `“${text}” is in two chunks`);
  tab.check();
  await tab.close();
});

test('a method whose own number leaves a long document whole takes the nearest that cuts, says so, and is told otherwise', async () => {
  const tab = await open(site);
  const { page } = tab;
  // Two subjects with sentences as far apart as the subjects.
  const words = 'amber basalt cedar delta ember fjord garnet heron iris jasper kelp lichen maple nettle ochre poplar quartz raven sedge thistle umber violet willow yarrow zinc'.split(' ');
  const sentences = Array.from({ length: 60 }, (_, i) => `The ${words[i % 25]} and the ${words[(i * 7 + 3) % 25]} were seen by ${words[(i * 11 + 5) % 25]} in week ${i + 1}.`);
  await dropMade(page, { name: 'alike.txt', parts: [sentences.join(' ')] });
  await row(page, 'alike.txt');
  await cutAgain(page, () => page.locator('#method').selectOption('stddev'));
  await page.locator('#knob-remedy').getByText(/^No distance is 3 standard deviations above the mean\. So [\d.]+ is used\.$/).waitFor();
  const eased = Number(await page.locator('#setting').inputValue());
  assert.ok(eased < 3, `${eased}`);
  assert.ok(await cards(page) > 1);
  await cutAgain(page, () => page.getByRole('button', { name: 'Use 3 all the same' }).click());
  assert.equal(await cards(page), 1, 'who asks for the number gets it');
  assert.equal(await page.locator('#setting').inputValue(), '3');
  await page.locator('.remedy').getByRole('button', { name: new RegExp(`^Use ${eased}: `) }).waitFor();

  // A rule without a number.
  await cutAgain(page, () => page.locator('#method').selectOption('notebook-iqr'));
  await page.locator('#knob-remedy').getByText(/^No similarity is 1\.5 interquartile ranges below the first quartile\. So the deepest places are cut: 3\schunks\.$/).waitFor();
  assert.equal(await cards(page), 3);
  await cutAgain(page, () => page.getByRole('button', { name: 'Use the rule as it is all the same' }).click());
  assert.equal(await cards(page), 1);
  await page.locator('#knob-remedy').getByText(/^No similarity .* first quartile\.$/).waitFor();

  await dropMade(page, { name: 'short.txt', parts: [sentences.slice(0, 12).join(' ')] });
  await row(page, 'short.txt');
  await page.locator('.doc .select', { hasText: 'short.txt' }).click();
  await page.locator('#text').getByText(sentences[11]).waitFor();
  assert.equal(await cards(page), 1, 'a short text may be one chunk');
  tab.check();
  await tab.close();
});

test('what cuts nothing says why and what to change; a limit that is none is refused where it is typed', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await cutAgain(page, () => page.locator('#method').selectOption('stddev'));
  await cutAgain(page, () => page.getByRole('spinbutton', { name: 'Standard deviations above the mean' }).fill('6'));
  assert.equal(await cards(page), 1);
  await onScreen(page, 'No distance is 6 standard deviations above the mean.').waitFor();
  const offer = page.locator('.remedy').getByRole('button', { name: /^Use [\d.]+: / });
  const [, setting, chunks] = /^Use ([\d.]+): (\d+)\schunks$/.exec(await offer.innerText());
  await cutAgain(page, () => offer.click());
  assert.equal(await cards(page), Number(chunks));
  assert.equal(await page.locator('#setting').inputValue(), setting);
  assert.ok(await offer.isHidden());

  const { length } = (await downloaded(page)).chunks;
  await page.getByLabel('Min tokens').fill('-5');
  await page.getByRole('alert').getByText('-5 is not a length: enter a whole number, 0 or more. Nothing was changed.').waitFor();
  assert.equal(await page.getByLabel('Min tokens').getAttribute('aria-invalid'), 'true');
  assert.equal((await downloaded(page)).chunks.length, length);
  await cutAgain(page, () => page.getByLabel('Min tokens').fill('300'));
  assert.ok(await page.getByRole('alert').getByText('is not a length').isHidden());
  await page.getByLabel('Max tokens').fill('100');
  await page.getByRole('alert').getByText(/the minimum of 300 tokens is above the maximum of 100/i).waitFor();
  assert.equal(await page.getByLabel('Max tokens').getAttribute('aria-invalid'), 'true');
  tab.check();
  await tab.close();
});
