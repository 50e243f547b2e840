// Icons must be drawn by the page's own outlines in the text colour, not by characters.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, open, row, start, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Returns the visible buttons without words, with their drawings. */
const drawn = (page) => page.locator('button:visible').evaluateAll((buttons) => buttons.filter((each) => each.textContent.trim() === '' && each.checkVisibility()).flatMap((each) => {
  const picture = ['::before', '::after'].map((part) => getComputedStyle(each, part)).find(({ clipPath }) => clipPath.startsWith('path('));
  if (!picture) return each.closest('.histogram') ? [] : [{ name: each.outerHTML, seen: false }];
  const { backgroundColor, inlineSize, blockSize } = picture;
  return [{ name: each.getAttribute('aria-label'), seen: backgroundColor !== getComputedStyle(each).backgroundColor && inlineSize === '16px' && blockSize === '16px', colour: backgroundColor }];
}));

for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, 'forced colours': { forcedColors: 'active' }, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`each button without words has an icon and a name: ${name}`, async (t) => {
    const { page, check, close } = await open(site, { reducedMotion: 'reduce', ...options });
    t.after(close);
    await dropMade(page, { name: 'long.md', parts: [Array.from({ length: 3000 }, (_, i) => `The weft of row ${i} goes through the warp. `).join('')] });
    await row(page, 'long.md');
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
    if (options.viewport) await page.getByRole('button', { name: 'Settings', exact: true }).click();
    else {
      await page.locator('.doc', { hasText: 'long.md' }).getByRole('button').first().click();
      await page.locator('.zooms').waitFor();
      await page.locator('#panel-chunks .card').first().hover();
      await page.locator('.tools').waitFor();
    }
    const all = await drawn(page);
    assert.deepEqual(all.filter(({ name: label, seen }) => !label || !seen), []);
    const names = all.map(({ name: label }) => label);
    for (const wanted of ['Remove long.md', ...(options.viewport ? ['Close'] : ['Zoom in', 'Zoom out', 'Remove article.pdf'])]) assert.ok(names.some((label) => label.includes(wanted)), `${wanted}: ${names.join(', ')}`);
    assert.deepEqual((await page.locator('button').allTextContents()).filter((words) => /[×✕−+↑↓▾▼▸⋯●⚠]|^\?$/.test(words)), []);
    check();
  });
}
