// Boundaries changed by hand: split, merged, moved, undone, and kept.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { asksBeforeClosing, closeSheet, downloaded, drop, dropMade, makeFixtures, open, openSheet, row, slide, start, still, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Runs a test on a page with our own PDF open. */
function onArticle(name, body, options = {}) {
  test(name, async () => {
    const tab = await open(site, options);
    await drop(tab.page, join(work, 'article.pdf'));
    await row(tab.page, 'article.pdf');
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

const chunks = async (page) => (await downloaded(page)).chunks;
const cards = (page) => page.locator('#panel-chunks .cards li');
const line = (page) => page.locator('.by-hand');
/** A hint above the cards. The status line repeats some of them. */
const hint = (page, text) => page.locator('#panel-chunks .hint').getByText(text);
const starts = (list) => list.map(({ start }) => start);

/** Waits until the line shows a number of changes. */
async function changes(page, n) {
  await line(page).getByText(n === 0 ? 'No changes by hand' : new RegExp(`^${n}\\schanges? by hand`)).waitFor();
}

/** Returns a sentence inside a chunk, and its start. */
async function sentenceWithin(page, index) {
  const sentence = await page.locator('.s:not(.cut)').nth(index).elementHandle();
  const at = await sentence.evaluate((element) => {
    const before = document.createRange();
    before.setStart(document.querySelector('.blocks'), 0);
    before.setEnd(element, 0);
    return before.toString().length;
  });
  return { sentence, at, words: await sentence.textContent() };
}

onArticle('a chunk is copied from its card', async (page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { text } = (await chunks(page))[1];
  await cards(page).nth(1).hover();
  // The confirmation lasts two seconds, so the page itself checks at each frame.
  const told = page.waitForFunction(() => [...document.querySelectorAll('.tools button')].some((each) => each.textContent === 'Copied'));
  await page.getByRole('button', { name: 'Copy this chunk' }).click();
  await told;
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
});

onArticle('merge, split, move, undo, redo, clear on the cards', async (page) => {
  const first = await chunks(page);
  assert.equal(await line(page).isVisible(), false);
  await cards(page).nth(1).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await changes(page, 1);
  const merged = await chunks(page);
  assert.deepEqual(starts(merged), starts(first).toSpliced(2, 1));
  assert.equal(merged[1].end, first[2].end);

  await cards(page).nth(0).hover();
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await changes(page, 2);
  assert.equal(await cards(page).count(), first.length);
  await page.getByRole('button', { name: 'Clear' }).click();
  await changes(page, 0);
  assert.deepEqual(await chunks(page), first);

  await cards(page).nth(0).hover();
  await page.getByRole('button', { name: 'End one sentence earlier' }).click();
  await changes(page, 1);
  const once = await cards(page).nth(0).locator('small').textContent();
  await page.getByRole('button', { name: 'End one sentence earlier' }).click();
  await until(async () => await cards(page).nth(0).locator('small').textContent() !== once); // the line says the same
  await page.waitForFunction(() => /Chunk 1 now ends: /.test(document.querySelector('.said').textContent));
  const moved = await chunks(page);
  assert.ok(moved[0].end < first[0].end);
  assert.equal(moved[0].reason, 'manual');
  assert.deepEqual(moved.slice(2).map(({ id }) => id), first.slice(2).map(({ id }) => id), 'others keep their ids');
  assert.match(await cards(page).nth(0).locator('small').textContent(), /by hand$/);
  assert.equal(await page.locator(`.cut[data-reason="by hand"]`).count(), 1);
  assert.match(await line(page).textContent(), /^1\schange by hand/, 'a boundary that was moved twice is one change');

  for (let left = 4; left > 0; left--) await page.keyboard.press('Control+z');
  await page.waitForFunction((n) => document.querySelectorAll('#panel-chunks .cards li').length === n, first.length - 1);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  await page.getByRole('button', { name: 'Redo', disabled: true }).waitFor();
  await page.keyboard.press('Control+y'); // one too many
  assert.deepEqual(await chunks(page), moved, 'done again');
});

onArticle('on a sentence of the text: split here, and merge again', async (page) => {
  const first = await chunks(page);
  const { sentence, at } = await sentenceWithin(page, 3);
  await sentence.click();
  await page.getByRole('button', { name: 'Split here' }).click();
  await changes(page, 1);
  assert.ok(starts(await chunks(page)).includes(at));
  await page.locator('.s.cut[data-reason="by hand"]').click();
  await page.getByRole('button', { name: 'Merge with the chunk above' }).click();
  await changes(page, 0);
  assert.deepEqual(await chunks(page), first);

  // A selection that begins inside a sentence.
  const box = await sentence.evaluate((element) => {
    const range = document.createRange();
    range.setStart(element.firstChild, 12);
    range.setEnd(element.firstChild, 20);
    const { left, right, top, height } = range.getClientRects()[0];
    return { left, right, y: top + height / 2 };
  });
  await page.mouse.move(box.left, box.y);
  await page.mouse.down();
  await page.mouse.move(box.right, box.y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Split here' }).click();
  await changes(page, 1);
  const list = starts(await chunks(page));
  assert.ok(list.some((start) => start > at && start < at + 20 && !starts(first).includes(start)), `${list} beside ${at}`);

  await sentence.click();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.split-here').isVisible(), false);
});

onArticle('by keyboard alone', async (page) => {
  const first = await chunks(page);
  await page.locator('#panel-chunks .card').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await changes(page, 1);
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await until(async () => JSON.stringify(await chunks(page)) === JSON.stringify(first)); // back where it was
  await page.locator('#panel-chunks .card').first().focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Split');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^2 /, 'the next card');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^2 /, 'a card is one stop');
  await page.locator('#panel-chunks .card').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await changes(page, 1);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Merge', 'the focus stays');
  assert.equal((await chunks(page)).length, first.length - 1);

  // In a field, keys belong to the field.
  await page.locator('#search').fill('curd');
  await page.locator('#search').press('Control+z');
  await page.getByRole('tab', { name: 'Chunks' }).click(); // a slow machine may have shown search results meanwhile
  // The next change is the second, so the first has not been undone.
  await page.locator('#panel-chunks .card').nth(1).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await changes(page, 2);
  await page.keyboard.press('Control+z');
  await changes(page, 1);
  await page.locator('#search').fill('');

  // Down to one chunk: the focus must not get lost with the button.
  for (let left = first.length - 2; left > 0; left--) {
    await page.locator('#panel-chunks .card').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await changes(page, first.length - left);
  }
  assert.equal(await cards(page).count(), 1);
  assert.equal(await page.evaluate(() => document.activeElement.className), 'card');
  assert.equal(await page.getByRole('button', { name: 'Merge with next' }).count(), 0);
});

onArticle('what was done stays: line, method, limits, other documents, search', async (page) => {
  const { sentence, at, words } = await sentenceWithin(page, 5);
  await sentence.click();
  await page.getByRole('button', { name: 'Split here' }).click();
  await changes(page, 1);
  for (const value of [0.5, 4]) {
    await slide(page, '#setting', value);
    assert.ok(starts(await chunks(page)).includes(at), `threshold ${value}`);
  }
  for (const method of ['sections', 'recursive', 'percentile']) {
    await page.locator('#method').selectOption(method);
    const saved = await downloaded(page);
    assert.equal(saved.method, method);
    assert.ok(starts(saved.chunks).includes(at), method);
  }

  // Also while the line is held.
  const box = await page.locator('.plot').boundingBox();
  const held = await page.locator('.plot .line').boundingBox();
  await page.mouse.move(box.x + box.width / 2, held.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.6, { steps: 5 });
  await page.waitForFunction(() => document.querySelectorAll('#panel-chunks .cards li').length > 5);
  assert.ok(await page.locator('#panel-chunks .cards small', { hasText: 'by hand' }).count() > 0, 'while it moves');
  await page.mouse.up();
  await changes(page, 1);

  // A hit must be a chunk as changed by hand.
  await page.getByRole('button', { name: 'Reset settings' }).click();
  await page.locator('#search').fill(words);
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  const hits = await page.locator('.hits .preview').allTextContents();
  assert.ok(hits.some((text) => text.startsWith(words)), hits.join(' | '));

  await page.getByRole('tab', { name: 'Chunks' }).click();
  await changes(page, 1);
  await drop(page, join(work, 'notes.md'));
  await row(page, 'notes.md');
  assert.equal(await line(page).isVisible(), false, 'another document has its own');
  await page.locator('.doc .select', { hasText: 'article.pdf' }).click();
  await changes(page, 1);
});

onArticle('the maximum holds, and it is said', async (page) => {
  await cards(page).nth(0).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await changes(page, 1);
  await page.locator('#max-tokens').fill('14');
  await hint(page, /^1\sboundary stays because of the maximum/).waitFor();
  const before = await chunks(page);
  assert.ok(before.every(({ tokens }) => tokens <= 14));
  const at = before.findIndex(({ tokens }, i) => tokens + before[i + 1].tokens > 20);
  await cards(page).nth(at).scrollIntoViewIfNeeded();
  await cards(page).nth(at).hover();
  await page.locator('.tools .why').getByText('Over the maximum of 14\u00a0tokens').waitFor();
  await page.getByRole('button', { name: 'Merge with next' }).click({ force: true });
  // In the text, the offer to merge says the same.
  await page.locator('.s.cut').nth(at).click();
  await page.getByRole('button', { name: 'Merge with the chunk above · Over the maximum of 14\u00a0tokens', disabled: true }).waitFor();
  assert.deepEqual(await chunks(page), before);
});

test('a file given again in another version takes the place of the old one', async () => {
  const tab = await open(site);
  const { page } = tab;
  const sentences = Array.from({ length: 30 }, (_, i) => `The ${i + 1}. mill of the valley grinds ${(i + 1) ** 2} sacks of corn a day.`);
  const give = (list) => dropMade(page, { name: 'mills.txt', parts: [list.join(' ')] });
  await give(sentences);
  await row(page, 'mills.txt');
  for (const i of [8, 20]) {
    await page.locator('.s', { hasText: sentences[i] }).click();
    await page.getByRole('button', { name: 'Split here' }).click();
    await changes(page, i === 8 ? 1 : 2);
  }
  await give(sentences.with(20, 'A lathe turns the work.'));
  await hint(page, /^A new version.* 1 of 30\ssentences embedded again\. 1\schange by hand had no place in it\.$/).waitFor();
  await changes(page, 1);
  assert.equal(await page.locator('.doc').count(), 1);
  const list = await chunks(page);
  assert.ok(list.some(({ text }) => text.startsWith(sentences[8])));
  assert.ok(list.some(({ text }) => text.includes('A lathe')) && !list.some(({ text }) => text.includes(sentences[20])));
  await slide(page, '#setting', 4);
  await hint(page, /^A new version/).waitFor({ state: 'hidden' });

  // With nothing new, and then an unreadable file.
  await give([...sentences.slice(3), ...sentences.slice(0, 3)]);
  await hint(page, /1 of 30\ssentences embedded again/).waitFor();
  await dropMade(page, { name: 'mills.txt', parts: ['a', 2, 'b'] });
  await row(page, 'mills.txt', 'failed');
  await give(sentences);
  await row(page, 'mills.txt');
  tab.check();
  await tab.close();
});

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  onArticle(`axe finds nothing: ${name}`, async (page) => {
    const phone = options.viewport !== undefined;
    const picture = async (state) => {
      if (!process.env.SEAM_SHOTS) return;
      await still(page);
      await page.screenshot({ path: join(process.env.SEAM_SHOTS, `edit-${name.replace(' ', '-')}-${state}.png`) });
    };
    const scan = async (state) => {
      await picture(state);
      await accessible(page, state);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${state}: nothing is wider than the screen`);
    };
    await page.locator('.s:not(.cut)').nth(4).click();
    await page.getByRole('button', { name: 'Split here' }).waitFor();
    await scan('sentence');
    await page.getByRole('button', { name: 'Split here' }).click();
    await page.locator('.s.cut').nth(1).click();
    await scan('boundary');
    if (phone) await page.getByRole('tab', { name: 'Chunks' }).click();
    await page.locator('#panel-chunks .card').nth(1).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await changes(page, 2);
    await scan('card');
    await page.locator('#panel-chunks .card').nth(1).press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await changes(page, 2);
    await openSheet(page);
    await page.locator('#max-tokens').fill('14');
    await closeSheet(page);
    await hint(page, 'because of the maximum').waitFor();
    await scan('held');
  }, { ...options, reducedMotion: 'reduce' });
}

test('what is done by hand is done to the document that was shown then, though another is by now', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.locator('#method').selectOption('sentences');
  const text = 'A loom weaves. A lathe turns. A mill grinds. A press prints. A kiln burns.';
  await dropMade(page, { name: 'one.txt', parts: [text] }, { name: 'two.txt', parts: [`${text} A pump lifts.`] });
  for (const name of ['one.txt', 'two.txt']) await row(page, name);
  await cards(page).nth(4).waitFor();
  await cards(page).first().hover();
  await page.evaluate(async () => {
    const merge = [...document.querySelectorAll('.tools button')].find((each) => each.getAttribute('aria-label') === 'Merge with next');
    merge.click();
    for (let turn = 0; turn < 9; turn++) await null; // the engine has it now; the second one waits
    merge.click();
    [...document.querySelectorAll('.doc .select')].find(({ textContent }) => textContent.startsWith('two.txt')).click();
  });
  await until(async () => /^one\.txt.*\b3 chunks/s.test((await page.locator('.doc').first().innerText()).replaceAll('\u00a0', ' ')));
  await cards(page).nth(5).waitFor();
  assert.equal(await line(page).isVisible(), false);
  await page.locator('.doc .select', { hasText: 'one.txt' }).click();
  await changes(page, 2);
  tab.check();
  await tab.close();
});

test('a tab with changes by hand that are not kept asks before it goes, one without does not', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.evaluate(() => localStorage.setItem('seam.keep', 'nothing'));
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await cards(page).nth(1).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await changes(page, 1);
  await asksBeforeClosing(page);
  assert.equal((await downloaded(page)).editsByHand, 1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await changes(page, 0);
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
  tab.check();
  await tab.close();
});

/** Six paragraphs on three subjects, each near half of the default maximum. */
const paragraphs = ['loom weaver cloth thread', 'planet orbit star telescope', 'bread oven flour baker'].flatMap((words, i) =>
  [0, 1].map((k) => Array.from({ length: 24 }, (_, n) => `The ${words} of ${i}${k}${n} was there for a day, and nobody saw it again.`).join(' ')));

test('merging passes a default maximum and says so; a maximum that was set says on the button why it cannot', async () => {
  const tab = await open(site);
  const { page } = tab;
  await dropMade(page, { name: 'long.txt', parts: [paragraphs.join('\n\n')] });
  await row(page, 'long.txt');
  const most = Number(await page.locator('#max-tokens').getAttribute('placeholder'));
  const first = await chunks(page);
  assert.ok(first.length >= 5, `${first.length} chunks`);
  // A split at the end of the text, far from the merges.
  await cards(page).last().hover();
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await changes(page, 1);
  const place = starts(await chunks(page)).at(-1);
  const why = page.locator('.tools .why');
  for (let n = 1; n <= 3; n++) {
    const before = await chunks(page);
    await cards(page).first().hover();
    const merge = page.getByRole('button', { name: 'Merge with next' });
    assert.deepEqual([await merge.getAttribute('aria-disabled'), await why.isVisible()], [null, false]);
    await merge.click();
    await changes(page, n + 1);
    const after = await chunks(page);
    assert.deepEqual(starts(after), starts(before).toSpliced(1, 1));
    assert.equal(starts(after).at(-1), place, 'the split is still there');
  }
  const [long] = await chunks(page);
  assert.ok(long.tokens > most, `${long.tokens} tokens`);
  assert.deepEqual(await page.locator('.card .warning').allTextContents(), ['Longer than the default maximum, by hand.']);
  await accessible(page);

  // The same length as a maximum that was set.
  await page.locator('.by-hand').getByRole('button', { name: 'Clear' }).click();
  await changes(page, 0);
  await page.locator('#max-tokens').fill(String(most));
  await cards(page).first().hover();
  await why.getByText(`Over the maximum of ${most}\u00a0tokens`).waitFor();
  const merge = page.getByRole('button', { name: 'Merge with next' });
  assert.equal(await merge.getAttribute('aria-disabled'), 'true');
  assert.equal(await merge.evaluate((each) => document.getElementById(each.getAttribute('aria-describedby')).textContent), await why.textContent());
  await accessible(page);
  const set = await chunks(page);
  await cards(page).first().hover();
  await merge.click({ force: true });
  // The queue of changes is done when a change that is possible has arrived.
  await cards(page).last().hover();
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await changes(page, 1);
  assert.deepEqual(starts(await chunks(page)).slice(0, set.length), starts(set));
  assert.equal(await page.locator('#panel-chunks .error[role=alert]:visible').count(), 0);
  tab.check();
  await tab.close();
});
