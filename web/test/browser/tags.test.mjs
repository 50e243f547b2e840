// Tags of documents: given to many at once, filters and scopes by them, and kept.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { contextOf, drop, dropMade, makeFixtures, onScreen, open, row, saved, start, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';

const TEXTS = {
  'harbour.txt': 'Harbours print tables of high water. Pilots read the tables. The water rises twice a day.',
  'bakery.txt': 'Bakers light the oven at night. The dough rises for hours. Bread is sold in the morning.',
  'Mill/meadow.txt': 'Bees fly over the meadow. They dance for each other. The grass rises in May.',
  'Mill/mill.txt': 'The miller opens the weir. Water runs over the wheel. The river rises in spring.',
};

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const line = (page, name) => page.locator('.space .frow', { has: page.locator('.name').getByText(name, { exact: true }) });
const tagsOf = (page, name) => line(page, name).locator('.tags li').allInnerTexts();
/** Waits until the row of a document shows tags, because rows follow a frame later. */
const shows = (page, name, ...tags) => until(async () => (await line(page, name).count()) === 1 && (await tagsOf(page, name)).join() === tags.join());
const typing = (page) => page.getByLabel('New tag, or part of one');
const box = (page, tag) => page.locator('#tags').getByLabel(tag, { exact: true });
const list = (page, n) => page.getByRole('button', { name: new RegExp(`^All ${n}.documents$`) }).click();

/** Chooses documents in the list of all, and no others. */
async function choose(page, ...names) {
  for (const each of await page.locator('.space .doc-row .pick input').all()) await each.setChecked(false);
  for (const name of names) await line(page, name).locator('.pick input').click();
  await onScreen(page, `${names.length} chosen`).waitFor();
}

/** Types a tag for the chosen documents, with the keyboard alone. */
async function tag(page, name) {
  await page.getByRole('button', { name: 'Tag…' }).press('Enter');
  await typing(page).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await box(page, name).waitFor();
  await page.keyboard.press('Escape');
  await typing(page).waitFor({ state: 'hidden' });
}

async function listed(page) {
  await dropMade(page, ...Object.entries(TEXTS).map(([name, text]) => ({ name: name.slice(name.lastIndexOf('/') + 1), parts: [text] })));
  for (const name of Object.keys(TEXTS)) await row(page, name.slice(name.lastIndexOf('/') + 1));
  await list(page, 4);
}

test('a tag is given to many, taken away and undone, with the keyboard', async () => {
  const { page, check, close } = await open(site);
  await listed(page);
  assert.equal(await page.locator('#folder-tag').isVisible(), false, 'there is no tag to filter by');
  await choose(page, 'harbour.txt', 'mill.txt');
  await page.getByRole('button', { name: 'Tag…' }).click();
  await onScreen(page, /^No document has a tag\./).waitFor();
  assert.equal(await page.locator('#tags').getByRole('button', { name: 'Add', exact: true }).isDisabled(), true);
  await page.keyboard.press('Escape');
  await tag(page, 'water');
  await shows(page, 'harbour.txt', 'water');
  await shows(page, 'mill.txt', 'water');
  await shows(page, 'bakery.txt');
  await onScreen(page, /^2.documents now have the tag “water”\.$/).waitFor();
  // One of two has it; the same word in other letters is the same tag.
  await choose(page, 'harbour.txt', 'bakery.txt');
  await page.getByRole('button', { name: 'Tag…' }).click();
  await until(async () => box(page, 'water').evaluate(({ indeterminate }) => indeterminate));
  await typing(page).fill('  WATER ');
  await page.keyboard.press('Enter');
  await shows(page, 'bakery.txt', 'water');
  await until(async () => box(page, 'water').isChecked());
  await typing(page).fill('old');
  await page.getByRole('button', { name: 'Add new tag' }).click();
  await shows(page, 'bakery.txt', 'old', 'water');
  // The typed text filters the tags.
  await typing(page).fill('ol');
  await until(async () => (await page.locator('#tags li').allInnerTexts()).join() === 'old');
  await typing(page).fill('');
  await box(page, 'water').press('Space');
  await shows(page, 'harbour.txt', 'old');
  await page.keyboard.press('Escape');
  await onScreen(page, /^2.documents no longer have the tag “water”\.$/).waitFor();
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await shows(page, 'harbour.txt', 'old', 'water');
  await shows(page, 'bakery.txt', 'old', 'water');
  // Removed and brought back, a document has its tags.
  await choose(page, 'bakery.txt');
  await page.locator('.folder-bar').getByRole('button', { name: 'Remove' }).click();
  await line(page, 'bakery.txt').waitFor({ state: 'detached' });
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await line(page, 'bakery.txt').waitFor();
  await shows(page, 'bakery.txt', 'old', 'water');
  check();
  await close();
});

test('a tag filters the list, and search keeps to the documents that have it', async () => {
  const { page, check, close } = await open(site);
  await listed(page);
  await choose(page, 'harbour.txt', 'mill.txt');
  await tag(page, 'water');
  await page.locator('#folder-tag').selectOption('water');
  await line(page, 'bakery.txt').waitFor({ state: 'detached' });
  await until(async () => (await page.locator('.space .doc-row').count()) === 2);
  await page.locator('#search').fill('rises');
  await page.keyboard.press('Enter');
  await page.locator('.hits button', { hasText: 'bakery.txt' }).first().waitFor();
  const scope = page.locator('#search-in');
  await scope.selectOption({ label: 'Tag: water' });
  await onScreen(page, 'Searched: only documents with the tag “water”, 2.', { exact: false }).first().waitFor();
  await page.locator('.hits button', { hasText: 'bakery.txt' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('#search').getAttribute('aria-label'), 'Search documents with the tag “water”');
  for (const name of await page.locator('.hits button').allInnerTexts()) assert.match(name, /harbour\.txt|mill\.txt/);
  // The scope follows the tag.
  await list(page, 4);
  await page.locator('#folder-tag').selectOption('');
  await choose(page, 'bakery.txt');
  await tag(page, 'water');
  await page.locator('.folder-head').getByRole('button', { name: 'Close' }).click();
  await page.locator('.hits button', { hasText: 'bakery.txt' }).first().waitFor();
  await onScreen(page, 'Searched: only documents with the tag “water”, 3.', { exact: false }).first().waitFor();
  // Without the tag there is nothing to keep to.
  await list(page, 4);
  await choose(page, 'harbour.txt', 'mill.txt', 'bakery.txt');
  await page.getByRole('button', { name: 'Tag…' }).click();
  await box(page, 'water').click();
  await page.keyboard.press('Escape');
  await page.locator('#folder-tag').waitFor({ state: 'hidden' });
  await until(async () => (await scope.inputValue()) === '');
  await until(async () => (await page.locator('#search').getAttribute('aria-label')) === 'Search all documents');
  check();
  await close();
});

test('a folder is a scope of the search', async () => {
  const { page, check, close } = await open(site);
  const folder = join(work, 'Tagged');
  for (const [name, text] of Object.entries(TEXTS)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await page.locator('#folder-picker').setInputFiles(folder);
  for (const name of ['mill.txt', 'bakery.txt']) await row(page, name);
  await page.locator('#search').fill('rises');
  await page.keyboard.press('Enter');
  await page.locator('.hits button', { hasText: 'bakery.txt' }).first().waitFor();
  await page.locator('#search-in').selectOption({ label: 'Folder: Tagged/Mill' });
  await onScreen(page, 'Searched: only documents in Tagged/Mill, 2.', { exact: false }).first().waitFor();
  await page.locator('.hits button', { hasText: 'bakery.txt' }).waitFor({ state: 'detached' });
  check();
  await close();
});

test('tags are kept for later visits, with a document that is not open, in other tabs, and in the file of all that is kept', async () => {
  const { page, check, close } = await open(site);
  await listed(page);
  for (const name of ['harbour.txt', 'bakery.txt', 'meadow.txt', 'mill.txt']) await saved(page, name);
  await choose(page, 'harbour.txt', 'mill.txt');
  await tag(page, 'water');
  for (const name of ['harbour.txt', 'mill.txt']) await saved(page, name);
  await page.reload();
  await page.locator('.doc[data-state=ready]').first().waitFor();
  await list(page, 4);
  await shows(page, 'harbour.txt', 'water');
  const closed = page.locator('.doc[data-state=kept]').first();
  const name = (await closed.locator('.name').innerText()).trim();
  await choose(page, name);
  await tag(page, 'later');
  await until(async () => (await tagsOf(page, name)).includes('later'));
  assert.equal(await page.locator('.doc[data-state=kept]', { hasText: name }).count(), 1, 'it stays closed');
  await saved(page, name);
  // Another tab shows them, and its own change comes back.
  const other = await page.context().newPage();
  await other.goto(site.url);
  await other.locator('.doc[data-state]').nth(3).waitFor();
  await list(other, 4);
  await until(async () => (await tagsOf(other, name)).includes('later'));
  await choose(other, 'harbour.txt', 'bakery.txt');
  await tag(other, 'both');
  await shows(page, 'harbour.txt', 'both', 'water');
  await until(async () => (await tagsOf(page, 'bakery.txt')).includes('both'));
  await other.close();
  // The saved file has them, and gives them to another browser.
  await page.locator('.folder-head').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Manage…' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save all as .seam' }).click()]);
  const file = join(work, 'tagged.seam');
  writeFileSync(file, readFileSync(await download.path()));
  check();
  await close();
  const fresh = await open(site);
  await drop(fresh.page, file);
  for (const each of ['harbour.txt', 'bakery.txt', 'meadow.txt', 'mill.txt']) await row(fresh.page, each);
  await list(fresh.page, 4);
  await shows(fresh.page, 'harbour.txt', 'both', 'water');
  await until(async () => (await tagsOf(fresh.page, name)).includes('later'));
  fresh.check();
  await fresh.close();
});

test('a page that keeps nothing keeps no tags', async () => {
  const context = await contextOf(site.browser, { viewport: { width: 1400, height: 860 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(new URL('sealed/', site.url).href);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await listed(page);
  await choose(page, 'harbour.txt');
  await tag(page, 'secret tag');
  await shows(page, 'harbour.txt', 'secret tag');
  assert.deepEqual(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)), []);
  assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage }).includes('secret tag')), false);
  await page.reload();
  await page.locator('.empty').waitFor();
  await context.close();
});

for (const [name, viewport] of Object.entries({ wide: { width: 1400, height: 860 }, '360 px': { width: 360, height: 740 } })) {
  test(`axe finds nothing in the choice of tags, and nothing is cut off: ${name}`, async () => {
    const { page, check, close } = await open(site, { viewport, reducedMotion: 'reduce' });
    await dropMade(page, ...Object.entries(TEXTS).map(([file, text]) => ({ name: file.slice(file.lastIndexOf('/') + 1), parts: [text] })));
    await until(async () => (await page.locator('.doc[data-state=ready]').count()) === 4);
    if (await page.locator('.to-sheet').isVisible()) await page.locator('.to-sheet').click();
    await list(page, 4);
    await choose(page, 'harbour.txt', 'bakery.txt');
    for (const each of ['water', 'a tag that is rather long for a row', 'שלום']) await tag(page, each);
    await choose(page, 'harbour.txt');
    await page.getByRole('button', { name: 'Tag…' }).click();
    await accessible(page, 'tags');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    const { left, right, bottom } = await page.locator('#tags').evaluate((element) => element.getBoundingClientRect().toJSON());
    assert.ok(left >= 0 && right <= viewport.width && bottom <= viewport.height, 'the choice is on the screen');
    check();
    await close();
  });
}
