// The printed numbers of pages, with the numbers of their sheets where they differ.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, makeFixtures, open, row, start, work } from './harness.mjs';
import { picture } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function labelled(t) {
  const { page, close } = await open(site);
  t.after(close);
  await drop(page, join(work, 'labelled.pdf')); // i, ii, 1, 2
  await row(page, 'labelled.pdf');
  return page;
}

test('the pictures of the pages have them', async (t) => {
  const page = await labelled(t);
  await page.locator('.page-switch').getByRole('button', { name: 'Page', exact: true }).click();
  await page.locator('.sheet').first().waitFor();
  assert.deepEqual(await page.locator('.sheet .number').allInnerTexts(), ['i (sheet 1 of 4)', 'ii (sheet 2 of 4)', '1 (sheet 3 of 4)', '2 (sheet 4 of 4)']);
  assert.equal(await page.locator('.sheet').nth(2).getAttribute('aria-label'), 'Page 1, sheet 3 of 4');
  await picture(page, 'printed');
});

test('so has the list where methods differ', async (t) => {
  const page = await labelled(t);
  await page.getByRole('tab', { name: 'Compare' }).click();
  const list = page.locator('.differences li');
  await list.first().waitFor();
  const places = (await list.allInnerTexts()).map((each) => each.replaceAll('\u00a0', ' '));
  assert.ok(places.some((each) => /p\. (i \(sheet 1|ii \(sheet 2|1 \(sheet 3|2 \(sheet 4)\)/.test(each)), places.join('\n'));
  assert.ok(!places.some((each) => /p\. \d(?! \(sheet)/.test(each)), places.join('\n'));
});
