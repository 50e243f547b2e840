// Pictures of the page for a person to look at: node test/shots.mjs OUTDIR

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { aiInformation, drop, makeFixtures, open, row, start, work } from './browser/harness.mjs';

const out = resolve(process.argv[2] ?? 'test/.work/shots');
mkdirSync(out, { recursive: true });
makeFixtures();
const site = await start();

const sizes = { wide: { width: 1400, height: 860 }, tablet: { width: 820, height: 1000 }, phone: { width: 360, height: 740 }, '4k': { width: 3840, height: 2160 } };
const file = aiInformation ?? join(work, 'article.pdf');

const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, forced: { forcedColors: 'active' } };
const only = process.argv[3]; // as in: wide-forced

for (const [size, viewport] of Object.entries(sizes)) {
  for (const [look, options] of Object.entries(looks)) {
    if (only && only !== `${size}-${look}`) continue;
    const tab = await open(site, { viewport, ...options, reducedMotion: 'reduce', deviceScaleFactor: size === 'phone' ? 2 : 1 });
    const { page } = tab;
    const shot = async (state) => {
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(out, `${size}-${look}-${state}.png`) });
    };
    await shot('empty');
    await drop(page, file, join(work, 'empty.txt'), join(work, 'notes.md'));
    await row(page, 'notes.md');
    await shot('loaded');
    if (size === 'tablet' || size === 'phone') {
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
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await shot('keys');
      await page.keyboard.press('Escape');
      await drop(page, join(work, 'locked.pdf'), file);
      await page.locator('#password').waitFor();
      await shot('password');
      await page.keyboard.press('Escape');
      await page.locator('.seal').click();
      await shot('requests');
      await page.keyboard.press('Escape');
      await page.locator('#search').fill('zyxwv');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(300);
      await shot('no-hits');
      await drop(page, join(work, 'many.pdf'));
      await page.getByText(/reading page/).first().waitFor();
      await shot('reading');
    }
    await tab.close();
  }
}
await site.close();
console.log(out);
