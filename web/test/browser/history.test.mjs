// The list of changes by hand: any change can be undone and redone alone, all after it can
// be undone, and the boundaries can be compared with an earlier day's.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { byHand, closeSheet, downloaded, drop, highlighted, makeFixtures, onScreen, open, openSheet, row, saved, start, still, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const changes = (page) => page.locator('.changes li');
const ends = async (page) => (await downloaded(page)).chunks.map(({ end }) => end);

async function mergeAt(page, card, n) {
  await page.locator('#panel-chunks .cards li').nth(card).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await byHand(page, n);
}

/** Opens a page with a document changed on two days. */
async function onTwoDays(options = {}) {
  const tab = await open(site, options);
  const { page } = tab;
  await page.clock.setFixedTime(new Date(2026, 4, 4, 12));
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await openSheet(page);
  await page.locator('#method').selectOption('sentences');
  await closeSheet(page);
  if (!await page.locator('#panel-chunks').isVisible()) await page.getByRole('tab', { name: 'Chunks' }).click();
  await page.locator('#panel-chunks .cards li').nth(8).waitFor();
  const plain = await ends(page);
  await mergeAt(page, 0, 1);
  await page.clock.setFixedTime(new Date(2026, 4, 5, 9));
  await mergeAt(page, 3, 2);
  await onScreen(page, 'All changes by hand').click();
  await changes(page).nth(1).waitFor();
  return { ...tab, plain, both: await ends(page) };
}

test('any change is undone by itself, and done again', async () => {
  const { page, check, close, plain, both } = await onTwoDays();
  assert.match(await changes(page).nth(0).innerText(), /Merged before “[^]+”[^]*May 5, 2026/);
  assert.match(await changes(page).nth(1).innerText(), /May 4, 2026/);
  await changes(page).nth(1).getByRole('button', { name: /^Undo/ }).click();
  await byHand(page, 1);
  const [first, ...rest] = plain;
  assert.deepEqual(await ends(page), [first, ...both]);
  assert.ok(rest.length > both.length - 1);
  await changes(page).nth(1).getByRole('button', { name: /^Do again/ }).click();
  await byHand(page, 2);
  assert.deepEqual(await ends(page), both);
  await changes(page).nth(1).getByRole('button', { name: /^Back to here/ }).click();
  await byHand(page, 1);
  assert.deepEqual(await ends(page), plain.slice(1));
  // The change's place is shown in the text.
  const place = changes(page).nth(0).locator('.place');
  const [, words] = /^before “(.{10})/.exec(await place.innerText());
  await place.click();
  await until(async () => (await highlighted(page, 'seam-passage')).join(' ').replace(/\s+/g, ' ').startsWith(words));
  check();
  await close();
});

test('changes carry the name of who makes them, on later visits and in a bundle too', async () => {
  const { page, check, close } = await onTwoDays();
  await page.getByLabel('Your name').fill(' Ada Lovelace ');
  await page.getByLabel('Your name').press('Tab');
  await mergeAt(page, 5, 3);
  await changes(page).nth(2).waitFor();
  assert.match(await changes(page).nth(0).innerText(), /Ada Lovelace · May 5, 2026/);
  assert.doesNotMatch(await changes(page).nth(1).innerText(), /Ada/, 'not those before');
  await saved(page, 'article.pdf');
  await page.reload();
  await byHand(page, 3);
  await onScreen(page, 'All changes by hand').click();
  await changes(page).nth(0).getByText(/Ada Lovelace/).waitFor();
  assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Lovelace');
  await page.getByRole('button', { name: 'Manage…' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save article.pdf as .seam' }).click();
  const bundle = join(work, 'signed.seam');
  await (await coming).saveAs(bundle);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Remove article.pdf' }).click();
  await page.locator('.doc').waitFor({ state: 'detached' });
  await drop(page, bundle);
  await byHand(page, 3);
  if (!await changes(page).nth(0).isVisible()) await onScreen(page, 'All changes by hand').click();
  await changes(page).nth(0).getByText(/Ada Lovelace/).waitFor();
  check();
  await close();
});

test('the state of yesterday is compared with, on another visit too', async () => {
  const { page, check, close } = await onTwoDays();
  await page.locator('#since').selectOption('yesterday');
  await onScreen(page, /1\sboundary is gone since then/).waitFor();
  await page.locator('#since').selectOption('beginning');
  await onScreen(page, /2\sboundaries are gone since then/).waitFor();
  await saved(page, 'article.pdf');
  await page.reload();
  await byHand(page, 2);
  await onScreen(page, 'All changes by hand').click();
  await changes(page).nth(1).waitFor();
  await page.clock.setFixedTime(new Date(2026, 4, 6, 9));
  await page.locator('#since').selectOption('yesterday');
  await onScreen(page, 'The boundaries are as they were then.').waitFor();
  await accessible(page);
  check();
  await close();
});

test('looks', { skip: !process.env.SEAM_SHOTS && 'for pictures: SEAM_SHOTS=DIR' }, async () => {
  for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 360, height: 740 } } })) {
    const { page, close } = await onTwoDays(options);
    await page.locator('#since').selectOption('yesterday');
    await onScreen(page, /gone since then/).waitFor();
    await page.locator('.history').scrollIntoViewIfNeeded();
    await still(page);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `history-${name}.png`) });
    await close();
  }
});
