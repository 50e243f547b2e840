// The browser must report no layout shift that the user did not cause, while the page
// loads, a document is opened, and views change.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSheet, contextOf, openSheet, painted, start } from './harness.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

/**
 * Allows for rounding. A ten-thousandth of the window that moves by its own height would
 * score more.
 */
const LEAST = 0.001;

/** Installed in each page: records the elements that moved, with their old and new positions. */
function watchShifts() {
  const path = (node) => {
    const names = [];
    for (let each = node?.parentElement && node.nodeType !== 1 ? node.parentElement : node; each && each !== document.body; each = each.parentElement) {
      names.unshift([each.localName, each.id && `#${each.id}`, ...[...each.classList].map((name) => `.${name}`)].join(''));
    }
    return names.join(' ');
  };
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const shifts = [];
  const keep = (entries) => {
    for (const { value, hadRecentInput, sources } of entries) {
      shifts.push({ value, asked: hadRecentInput, sources: sources.map(({ node, previousRect, currentRect }) => `${path(node)}: ${box(previousRect)} → ${box(currentRect)}`) });
    }
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.takeShifts = () => {
    keep(observer.takeRecords());
    return shifts.splice(0);
  };
}

/** Chunks and the text between cuts move when they are cut differently, as the user requested. */
const CONTENT = /\.(cards|blocks)\b/;

async function still(page, state, content = false) {
  await painted(page);
  await page.evaluate(() => new Promise((done) => { requestIdleCallback(() => done()); }));
  await painted(page);
  const shifts = (await page.evaluate(() => window.takeShifts())).filter(({ asked, sources }) => !asked && !(content && sources.every((each) => CONTENT.test(each))));
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  console.log(`shift ${state}: ${sum.toFixed(5)}`);
  assert.ok(sum < LEAST, `${state}: ${sum}\n${shifts.flatMap(({ sources }) => sources).join('\n')}`);
}

for (const [width, height] of [[1440, 900], [360, 740]]) {
  test(`nothing moves by itself: ${width} px`, async () => {
    const context = await contextOf(site.browser, { viewport: { width, height }, reducedMotion: 'reduce' });
    await context.addInitScript(() => localStorage.removeItem('seam.all-settings')); // as on a first visit
    await context.addInitScript(watchShifts);
    const page = await context.newPage();
    await page.goto(site.url);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    await page.locator('.example').nth(4).waitFor();
    await still(page, `${width} px, load`);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('.doc[data-state=ready]').waitFor();
    await page.locator('.tour-offer').waitFor();
    await page.locator('.doc .kept[data-state=saved]').waitFor({ state: 'attached' });
    await still(page, `${width} px, opening`);
    await page.locator('.tour-offer').getByRole('button').last().click();
    await still(page, `${width} px, the offer is gone`);
    await openSheet(page);
    await page.getByRole('button', { name: 'More settings' }).click();
    for (const down of [1, 1, 4]) {
      const before = await page.locator('#panel-chunks .cards').textContent();
      await page.locator('#method').focus();
      for (let n = 0; n < down; n++) await page.keyboard.press('ArrowDown');
      await page.waitForFunction((text) => document.querySelector('#panel-chunks .cards').textContent !== text, before);
      await still(page, `${width} px, ${await page.locator('#method').inputValue()}`, true);
    }
    await closeSheet(page);
    for (const tab of await page.getByRole('tab').all()) {
      if (!await tab.isVisible()) continue;
      await tab.click();
      if (await tab.textContent() === 'Compare') await page.locator('.compared .lengths i').last().waitFor({ state: 'attached' });
      await still(page, `${width} px, ${await tab.textContent()}`);
    }
    await context.close();
  });
}
