// The page of a new user: the first sight, reading without settings, the outline.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contextOf, counts, dropMade, open, painted, row, start, until } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

/** The most controls on the screen during reading, without the edges of the columns. */
const MOST = 35;

/** Opens the page of a user without any stored choice. */
async function newcomer(t, options = {}) {
  const context = await contextOf(site.browser, options);
  t.after(() => context.close());
  await context.addInitScript(() => { if (!sessionStorage.getItem('come')) localStorage.removeItem('seam.all-settings'); });
  await context.addInitScript(() => sessionStorage.setItem('come', '1'));
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await page.locator('.line-example').waitFor();
  return page;
}

const sections = ['# Bees', 'Bees live in a hive. They dance to tell where flowers are.', '## The dance', 'The angle shows the direction. Its length shows how far it is.',
  '# Bread', 'Dough rises by yeast. The oven sets the crumb and browns the crust.'].join('\n\n');

const long = sections.replaceAll('.', `.${' The hive and the dough and the oven and the flowers are near.'.repeat(30)}`);

const controls = (page) => page.evaluate(() => [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]:not([role=separator])')].filter((each) => {
  const { width, top, bottom } = each.getBoundingClientRect();
  return !each.disabled && each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && bottom > 0 && top < innerHeight;
}).map((each) => each.getAttribute('aria-label') ?? each.textContent));

for (const [name, viewport] of Object.entries({ wide: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } })) {
  test(`before the first file: no settings, no search, a line to move: ${name}`, async (t) => {
    const page = await newcomer(t, { viewport });
    for (const hidden of ['#method', '#search', 'aside']) assert.ok(!await page.locator(hidden).isVisible(), hidden);
    assert.equal(await page.locator('.primary:visible').textContent(), 'Choose files');
    const knob = page.getByRole('slider', { name: 'The line' });
    const pieces = () => page.locator('.pieces span').allTextContents();
    const whole = (await pieces()).join(' ');
    assert.equal((await pieces()).length, 4);
    assert.match(await knob.getAttribute('aria-valuetext'), /^4\schunks$/);
    await knob.focus();
    await page.keyboard.press('Home');
    assert.equal((await pieces()).length, 12, 'each sentence is a chunk');
    await page.keyboard.press('End');
    assert.deepEqual(await pieces(), [whole]);
    assert.match(await knob.textContent(), /^1\schunk$/);
    await page.locator('.plot-example .area').scrollIntoViewIfNeeded();
    const area = await page.locator('.plot-example .area').boundingBox();
    await page.mouse.move(area.x + 20, area.y + 4);
    await page.mouse.down();
    await page.mouse.move(area.x + 20, area.y + area.height * 0.3, { steps: 4 });
    await page.mouse.up();
    assert.match(await knob.textContent(), /^4\schunks$/);
    assert.equal((await pieces()).join(' '), whole, 'no word is lost');
    await accessible(page);
  });
}

test('reading takes few controls; all settings are behind one word, which is remembered', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await row(page, 'Sample');
  await page.locator('#preset').waitFor();
  await page.locator('.doc .kept[data-state=saved]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'No thanks' }).click();
  await page.getByRole('button', { name: 'Only the text' }).click();
  await painted(page);
  const simple = await controls(page);
  assert.ok(simple.length <= MOST, `${simple.length}: ${simple.join(', ')}`);
  await accessible(page);
  const more = page.getByRole('button', { name: 'More settings' });
  assert.equal(await more.getAttribute('aria-expanded'), 'false');
  await more.focus();
  await page.keyboard.press('Enter');
  for (const seen of ['#method', '#threshold', '#max-tokens', '#unit', '#embedder', '.histogram']) assert.ok(await page.locator(seen).isVisible(), seen);
  const fewer = page.getByRole('button', { name: 'Fewer settings' });
  assert.equal(await fewer.evaluate((button) => button === document.activeElement), true);
  await page.reload();
  await row(page, 'Sample');
  assert.ok(await page.locator('#method').isVisible(), 'they stay open');
  await fewer.click();
  assert.ok(!await page.locator('#method').isVisible());
});

test('before the first file the settings can be opened, too', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('#method').selectOption('sentences');
  await page.getByRole('button', { name: 'Fewer settings' }).click();
  await dropMade(page, { name: 'bees.md', parts: [sections] });
  await row(page, 'bees.md');
  assert.equal((await counts(page, 'bees.md')).chunks, 9);
});

test('chunks that are filtered say so without the settings, too', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await row(page, 'Sample');
  assert.ok(!await page.locator('#chunk-kind').isVisible());
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('#chunk-order').selectOption('long');
  await page.getByRole('button', { name: 'Fewer settings' }).click();
  await page.locator('#chunk-order').selectOption('text');
  await page.locator('#chunk-order').waitFor({ state: 'hidden' });
});

test('the outline: headings with their chunks, one tab stop, leads to the text', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await dropMade(page, { name: 'plain.txt', parts: ['Bees live in a hive. Bread rises by yeast.'] });
  await row(page, 'plain.txt');
  assert.ok(!await page.locator('.outline').isVisible(), 'a text without headings has none');
  await page.getByRole('button', { name: 'Remove plain.txt' }).click();
  await dropMade(page, { name: 'bees.md', parts: [long] });
  await row(page, 'bees.md');
  const entries = page.locator('.outline button');
  await until(async () => (await page.locator('.outline .name').allTextContents()).join() === 'Bees,The dance,Bread');
  assert.equal(await page.locator('.outline [tabindex="0"]').count(), 1);
  const count = async () => (await page.locator('.outline .count').allTextContents()).map(Number);
  const before = await count();
  assert.ok(before.every((n) => n >= 1));
  await entries.first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.locator('.outline [aria-current]', { hasText: 'Bread' }).waitFor();
  assert.ok(await page.getByRole('heading', { name: 'Bread' }).isVisible());
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('#method').selectOption('sentences');
  await page.getByRole('button', { name: 'Fewer settings' }).click();
  await until(async () => (await count()).every((n, i) => n > before[i]));
  await accessible(page);
});

/** The blocks behind the text with their numbers, and the places of their chunks' words. */
const tints = (page) => page.evaluate(() => {
  const boxes = [...document.querySelectorAll('.tint')].filter((tint) => tint.checkVisibility())
    .map((tint) => ({ ...tint.getBoundingClientRect().toJSON(), number: Number(tint.dataset.number), colour: tint.dataset.colour, size: tint.dataset.size }));
  const words = [0, 1, 2, 3, 4].flatMap((colour) => [...CSS.highlights.get(`seam-${colour}`)].flatMap(({ startContainer, startOffset, endContainer, endOffset }) => {
    const range = new Range();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return [...range.getClientRects()].filter(({ width, top, bottom }) => width > 0 && top > 260 && bottom < innerHeight).map((rect) => ({ ...rect.toJSON(), colour: String(colour) }));
  }));
  return { boxes, words };
});

for (const [name, made, dir] of [['headings', sections, 'ltr'], ['a table', `${sections}\n\n| Bee | Task |\n|---|---|\n${'| scout | looks for a tree |\n'.repeat(9)}`, 'ltr'], ['Hebrew', 'הדבורים גרות בכוורת. הן רוקדות כדי לספר על פרחים. הבצק תופח בזכות שמרים. '.repeat(12), 'rtl']]) {
  test(`each chunk is one block with its number, behind all of its words: ${name}`, async (t) => {
    const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'More settings' }).click();
    await page.locator('#method').selectOption('sentences');
    await dropMade(page, { name: 'bees.md', parts: [made] });
    await row(page, 'bees.md');
    await until(async () => (await tints(page)).boxes.length > 3);
    const { boxes, words } = await tints(page);
    const numbers = boxes.map(({ number }) => number);
    // The line of dashes below a table header is a chunk of this method that cannot be seen.
    assert.deepEqual(numbers, Array.from({ length: numbers.at(-1) }, (_, i) => i + 1).filter((n) => name !== 'a table' || n !== 11), 'numbered in order');
    assert.ok(boxes.every(({ size }) => Number(size) > 0));
    boxes.slice(1).forEach(({ top }, i) => assert.ok(top >= boxes[i].bottom - 1, `${i + 1} and ${i + 2} lie apart`));
    assert.ok(words.length > 4);
    for (const word of words) {
      const box = boxes.find(({ top, bottom }) => top <= word.top + 4 && bottom >= word.bottom - 4);
      assert.ok(box && box.left <= word.left && box.right >= word.right, JSON.stringify(word));
      assert.equal(box.colour, word.colour);
    }
    assert.equal(await page.locator('.blocks').evaluate((text) => getComputedStyle(text).direction), dir);
    const spine = await page.locator('.tint').first().evaluate((tint) => getComputedStyle(tint).borderRightWidth);
    assert.equal(spine, dir === 'rtl' ? '4px' : '0px', 'the edge is where the lines begin');
  });
}

/** The sentence above the curve. */
const cutSaid = (page) => page.locator('.how-cut').innerText().then((text) => text.replaceAll('\u00a0', ' '));

test('the sentence above the curve counts the cuts of each kind', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await dropMade(page, { name: 'bees.md', parts: [long] });
  await row(page, 'bees.md');
  const { chunks } = await counts(page, 'bees.md');
  const times = async () => [...(await cutSaid(page)).matchAll(/(\d+) times?/g)].reduce((sum, [, n]) => sum + Number(n), 0);
  assert.match(await cutSaid(page), new RegExp(`^${chunks} chunks, typically \\d+ tokens\\. Cut .*at a heading`));
  assert.equal(await times(), chunks - 1);
  assert.equal((await page.locator('.axis .knob').innerText()).replaceAll('\u00a0', ' '), `${chunks} chunks`);
  const cards = await page.locator('.plain-meta').allInnerTexts();
  assert.equal(cards.filter((meta) => meta.endsWith('a heading')).length, Number(/(\d+) times? at a heading/.exec(await cutSaid(page))[1]));
  assert.ok(cards.every((meta) => !/topic|drop/.test(meta)), cards.join());
  await page.getByRole('button', { name: 'For search' }).click();
  await page.locator('[data-preset=short][aria-pressed=true]').waitFor();
  await until(async () => await times() === (await counts(page, 'bees.md')).chunks - 1);
  await page.getByRole('button', { name: 'Remove bees.md' }).click();
  await dropMade(page, { name: 'one.txt', parts: ['Bees live in a hive.'] });
  await row(page, 'one.txt');
  assert.match(await cutSaid(page), /^1 chunk, \d+ tokens\.$/);
});

test('search is a place with two panes: the list, and the text beside it', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await dropMade(page, { name: 'bees.md', parts: [sections] }, { name: 'bread.txt', parts: ['Dough rises by yeast. Bees are not needed.'] });
  for (const name of ['bees.md', 'bread.txt']) await row(page, name);
  assert.ok(await page.locator('aside').isVisible());
  await page.locator('#search').fill('bees');
  await page.locator('.hits .card').first().waitFor();
  assert.ok(!await page.locator('aside').isVisible(), 'documents and outline give their room');
  const [list, text] = await Promise.all(['#panel-search', '#text'].map((each) => page.locator(each).boundingBox()));
  assert.ok(list.x + list.width <= text.x && list.width >= 400 && text.width >= 700, JSON.stringify([list, text]));
  assert.deepEqual(await page.locator('#search-in option').allTextContents(), ['All documents', 'bees.md', 'bread.txt']);
  assert.equal(await page.locator('#search').getAttribute('aria-label'), 'Search all documents');
  await page.locator('#search-in').selectOption('bread.txt');
  await until(async () => (await page.locator('.hits .card small:first-child').allTextContents()).join() === 'bread.txt');
  assert.equal(await page.locator('#search').getAttribute('aria-label'), 'Search bread.txt');
  assert.equal(await page.locator('#search').getAttribute('placeholder'), 'Search bread.txt');
  await page.locator('#search').fill('zyxwv');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing found').waitFor();
  assert.ok(await page.locator('#search-mode').isVisible(), 'the advice names a choice that is there');
  await page.getByRole('tab', { name: 'Chunks' }).click();
  assert.ok(await page.locator('aside').isVisible());
  await accessible(page);
});

test('while nothing can be shown, all settings are in the menu', async (t) => {
  const page = await newcomer(t, { viewport: { width: 1440, height: 900 } });
  await dropMade(page, { name: 'none.txt', parts: [''] });
  await row(page, 'none.txt', 'failed');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'More settings' }).click();
  assert.ok(await page.locator('#method').isVisible());
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Fewer settings' }).click();
  assert.ok(!await page.locator('#method').isVisible());
});

test('on a tablet the text and the list are beside each other, and a button opens the documents', async (t) => {
  const page = await newcomer(t, { viewport: { width: 768, height: 1024 } });
  await dropMade(page, { name: 'bees.md', parts: [long] });
  await page.locator('#panel-chunks .card').first().waitFor();
  const [text, list] = await Promise.all(['#text', '#panel-chunks'].map((each) => page.locator(each).boundingBox()));
  assert.ok(text.x + text.width <= list.x && text.width >= 440 && list.width >= 240, JSON.stringify([text, list]));
  assert.ok(!await page.locator('.doc').isVisible());
  await accessible(page, 'reading');
  const opener = page.getByRole('button', { name: 'Documents', exact: true });
  await opener.click();
  await page.locator('.doc', { hasText: 'bees.md' }).waitFor();
  assert.ok(await page.locator('.outline').isVisible());
  await accessible(page, 'the sheet');
  await page.keyboard.press('Escape');
  await page.locator('.doc').waitFor({ state: 'hidden' });
  assert.ok(await opener.evaluate((button) => button === document.activeElement));
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('#method').waitFor();
  await page.getByRole('button', { name: 'Close documents and settings' }).click();
  await page.locator('#search').fill('bees');
  await page.locator('.hits .card').first().waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
});
