// Pictures of the page for a person to look at: node test/shots.mjs OUTDIR

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { aiInformation, drop, makeFixtures, open, row, start, work } from './browser/harness.mjs';

const out = resolve(process.argv[2] ?? 'test/.work/shots');
mkdirSync(out, { recursive: true });
makeFixtures();
const site = await start();

const sizes = { wide: { width: 1400, height: 860 }, tablet: { width: 820, height: 1000 }, phone: { width: 360, height: 740 } };
const file = aiInformation ?? join(work, 'article.pdf');

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    const tab = await open(site, { viewport, colorScheme, reducedMotion: 'reduce', deviceScaleFactor: size === 'phone' ? 2 : 1 });
    const { page } = tab;
    const shot = async (state) => {
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(out, `${size}-${colorScheme}-${state}.png`) });
    };
    await shot('empty');
    await drop(page, file, join(work, 'empty.txt'), join(work, 'notes.md'));
    await row(page, 'notes.md');
    await shot('loaded');
    if (size !== 'wide') {
      await page.getByRole('tab', { name: 'Chunks' }).click();
      await shot('chunks');
    }
    await page.locator('#search').fill('why does explainability matter?');
    await page.keyboard.press('Enter');
    await page.locator('.hits button').first().waitFor();
    await shot('search');
    await page.locator('.hits button').first().click();
    await page.mouse.move(0, 0);
    await shot('hit');
    if (size === 'wide') {
      await page.locator('.doc .select', { hasText: 'empty.txt' }).click();
      await shot('failed');
      await page.getByRole('button', { name: 'Paste text' }).first().click();
      await shot('dialog');
    }
    await tab.close();
  }
}
await site.close();
console.log(out);
