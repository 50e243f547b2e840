// Documents from right to left in all views, and the text in forced colours, where marks of chunks must not look like
// a selection.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSheet, dropMade, makeFixtures, open, openSheet, row, start, still, until } from './harness.mjs';
import { accessible, picture } from './looks.mjs';
import { ARABIC, HEBREW } from './right-to-left.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();

/** Opens both texts, cut into several chunks. */
async function opened(options) {
  const visit = await open(site, { reducedMotion: 'reduce', ...options });
  const { page } = visit;
  await dropMade(page, { name: 'טחנה.md', parts: [HEBREW] });
  await row(page, 'טחנה.md');
  await dropMade(page, { name: 'نحل.md', parts: [ARABIC] });
  await row(page, 'نحل.md');
  await openSheet(page);
  await page.locator('#min-tokens').fill('1');
  await page.locator('#max-tokens').fill('90');
  await closeSheet(page);
  await page.locator('#panel-chunks .card').nth(3).waitFor({ state: 'attached' });
  return visit;
}

/** Returns the left edge of a text inside an element, of its first occurrence after `skipped` ones. */
const leftOf = (page, selector, text, skipped = 0) => page.locator(selector).evaluate((element, [wanted, n]) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let at = node.data.indexOf(wanted);
    for (let i = 0; i < n && at >= 0; i++) at = node.data.indexOf(wanted, at + 1);
    if (at < 0) continue;
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    return range.getBoundingClientRect().left;
  }
  throw new Error(`no ${wanted} in ${element.textContent}`);
}, [text, skipped]);

test('a sentence of the page keeps its order around words from right to left', async () => {
  const { page, check, close } = await opened({ viewport: { width: 2200, height: 900 } });
  await page.locator('#search').fill('أين تنتظر السفن؟');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  const status = '#panel-search .bar p';
  await until(async () => (await page.locator(status).innerText()).includes('is in no document'));
  // The question, and then the sentence about its first word.
  assert.ok(await leftOf(page, status, 'تنتظر') < await leftOf(page, status, 'أين', 1));
  const why = page.locator('.hits .why').first();
  assert.match(await why.innerText(), /has \u2068.*\u2069/);
  check();
  await close();
});

for (const [name, options] of Object.entries({
  wide: { viewport: { width: 1440, height: 900 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  phone: { viewport: { width: 360, height: 740 } },
})) {
  test(`a text from right to left in every view: ${name}`, async () => {
    const { page, check, close } = await opened(options);
    const phone = options.viewport.width <= 720;
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    if (phone) await tab(page, 'Text');
    await accessible(page, `${name}, text`);
    const [lines, edge] = await page.evaluate(() => [document.querySelector('#text .s').getBoundingClientRect().right, document.querySelector('#text .tint').getBoundingClientRect()]
      .map((each) => each.right ?? each));
    assert.ok(edge >= lines, 'the edge of a chunk is where its lines begin');
    await tab(page, 'Chunks');
    assert.ok(await fits());
    await accessible(page, `${name}, chunks`);
    await page.locator('#search').fill('أين تنتظر السفن؟');
    await page.keyboard.press('Enter');
    await page.locator('.hits button').first().waitFor();
    assert.ok(await fits());
    await accessible(page, `${name}, search`);
    await tab(page, 'Compare');
    await page.locator('.compared .lengths i').last().waitFor({ state: 'attached' });
    await picture(page, `right to left, ${name}, compare`);
    assert.ok(await fits());
    await accessible(page, `${name}, compare`);
    check();
    await close();
  });
}

/** Returns the share of a part of the page that has the colour of its first pixel at the top left. */
async function plain(page, clip) {
  const base64 = (await page.screenshot({ clip })).toString('base64');
  const other = await page.context().newPage();
  const share = await other.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let same = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] === data[0] && data[i + 1] === data[1] && data[i + 2] === data[2]) same++;
    return (4 * same) / data.length;
  }, base64);
  await other.close();
  return share;
}

test('in forced colours a text with chunks is no selection, and a match is marked', async () => {
  const { page, check, close } = await opened({ viewport: { width: 1440, height: 900 }, forcedColors: 'active' });
  await still(page);
  const { x, y, width } = await page.locator('#text .block').first().evaluate((element) => element.getBoundingClientRect().toJSON());
  const clip = { x: x + 20, y, width: width - 40, height: 300 };
  const before = await plain(page, clip);
  assert.ok(before > 0.8, `${before} of the text has its plain background`);
  await page.locator('#search').fill('النحل');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  await still(page);
  const marked = await page.locator('#text .block').first().evaluate((element) => getComputedStyle(element, '::highlight(seam-word)').backgroundColor);
  assert.notEqual(marked, 'rgba(0, 0, 0, 0)');
  check();
  await close();
});

test('a card says its size and reason once', async () => {
  const { page, check, close } = await opened();
  const card = page.locator('#panel-chunks .card').first();
  assert.equal((await card.innerText()).match(/tokens/g)?.length, 1, await card.innerText());
  await page.evaluate(() => document.body.classList.remove('all-settings'));
  assert.equal((await card.innerText()).match(/tokens/g)?.length, 1, await card.innerText());
  check();
  await close();
});

test('the offer of the tour leaves a tablet its list', async () => {
  const { page, check, close } = await open(site, { viewport: { width: 768, height: 1024 } });
  await dropMade(page, { name: 'نحل.md', parts: [ARABIC] });
  await row(page, 'نحل.md');
  const { height } = await page.locator('.tour-offer').boundingBox();
  assert.ok(height < 120, `${height} pixels high`);
  check();
  await close();
});
