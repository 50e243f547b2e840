// Accessibility by axe in every state, and a path by keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { drop, highlighted, makeFixtures, open, row, start, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** axe runs from an isolated world, so the page's policy stays in force. */
async function scan(page, state) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  assert.deepEqual(found, []);
}

const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  '360 px': { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  '360 px dark': { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
  'forced colours': { forcedColors: 'active' },
};

for (const [name, options] of Object.entries(looks)) {
  test(`axe finds nothing: ${name}`, async () => {
    const tab = await open(site, { ...options, reducedMotion: 'reduce' });
    const { page } = tab;
    await scan(page, 'empty');
    await drop(page, join(work, 'article.pdf'), join(work, 'empty.txt'));
    await row(page, 'empty.txt', 'failed');
    await scan(page, 'loaded');
    if (options.viewport) {
      await page.getByRole('tab', { name: 'Chunks' }).click();
      await scan(page, 'chunks');
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    }
    await page.locator('#search').fill('curd');
    await page.keyboard.press('Enter');
    await page.locator('.hits button').first().waitFor();
    await scan(page, 'search');
    await page.locator('.seal').click();
    await scan(page, 'requests');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Paste text' }).first().click();
    await scan(page, 'dialog');
    tab.check();
    await tab.close();
  });
}

/** Presses Tab until the element has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 400; presses++) {
    await page.keyboard.press('Tab');
    const there = await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);
    if (there) return;
  }
  assert.fail(`Tab never reaches ${selector}`);
}

test('by keyboard alone: sample, threshold, curve, search, hit, text, remove', async () => {
  const tab = await open(site);
  const { page } = tab;
  await tabTo(page, '.empty .primary');
  await page.keyboard.press('Enter');
  await row(page, 'Sample');
  const cards = () => page.locator('#panel-chunks .cards li').count();
  const first = await cards();

  await page.locator('body').focus();
  await tabTo(page, '#threshold');
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageDown');
  await page.waitForFunction((n) => document.querySelectorAll('#panel-chunks .cards li').length > n, first);

  await tabTo(page, '.walk');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('.walk').getAttribute('aria-valuetext'), /^sentence 2→3: /);
  assert.ok(await page.locator('.tip').isVisible());
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => CSS.highlights.get('seam-passage').size === 1);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('why bread rises');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => CSS.highlights.get('seam-word').size > 0);
  await page.waitForTimeout(600);
  assert.ok((await highlighted(page, 'seam-passage')).texts[0].length > 0);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#search').inputValue(), '');
  assert.equal(await page.locator('.hits li').count(), 0);

  await tabTo(page, '[role=tab][aria-selected=true]');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-chunks');

  await page.locator('body').focus();
  await tabTo(page, '.doc .remove');
  await page.keyboard.press('Enter');
  await page.locator('.empty').waitFor();
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY', 'the focus is not lost');
  tab.check();
  await tab.close();
});

test('on a phone, a hit leads from the list to the text', async () => {
  const tab = await open(site, { viewport: { width: 360, height: 740 } });
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#search').fill('rooks and pawns in chess');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  await page.waitForFunction(() => CSS.highlights.get('seam-word').size > 0);
  await page.waitForTimeout(600);
  assert.equal(await page.getByRole('tab', { name: 'Text' }).getAttribute('aria-selected'), 'true');
  assert.ok((await highlighted(page, 'seam-passage')).texts[0].includes('pawn'));
  assert.ok(await page.evaluate(() => [...CSS.highlights.get('seam-word')].some((range) => {
    const box = range.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
  })), 'a matched word is in view');
  tab.check();
  await tab.close();
});

test('said once and politely: the number of chunks, not every step of the slider', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.evaluate(() => {
    window.said = [];
    const region = document.querySelector('[role=status]');
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#threshold').focus();
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(1500);
  const said = await page.evaluate(() => window.said);
  assert.ok(said.length >= 1 && said.length <= 2, said.join(' | '));
  assert.match(said.at(-1), /\d+\u00a0chunks?/);
  tab.check();
  await tab.close();
});
