// The page with a collection behind its proxy: documents that `seam push` has written to a
// real PostgreSQL, searched in place of the open ones.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropMade, onScreen, open, row } from './harness.mjs';
import { accessible } from './looks.mjs';
import { absent, serve } from './postgres.mjs';
import { proxied } from './proxy-host.mjs';

const moths = 'Cedar oil drives moths out of the chest. A moth that has found linen lays its eggs there, and the grubs eat holes into it.';

describe('a collection in the page', { skip: absent }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'seam-collection-'));
  let engine;
  let site;
  before(async () => {
    mkdirSync(join(dir, 'loom'));
    writeFileSync(join(dir, 'loom', 'care.md'), `# Care\n\n## Moths\n\n${moths}\n\n## Washing\n\nWool is washed by hand in cold water, and dried flat in the shade.\n`);
    writeFileSync(join(dir, 'loom', 'dyes.md'), '# Dyes\n\nMadder gives a warm red, and weld a clear yellow. Both want a mordant of alum.\n');
    engine = await serve();
    execFileSync(process.env.SEAM, ['push', '--to', `${engine.address}loom`, 'loom'], { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
    site = await proxied({ more: `collections: [{name: loom, address: "${engine.address}loom"}]\ncollection: loom\n` });
  });
  after(async () => {
    await site?.close();
    await engine?.close();
    rmSync(dir, { recursive: true });
  });

  async function opened(t, options = {}) {
    const tab = await open(site, options);
    t.after(() => tab.close());
    await dropMade(tab.page, { name: 'lathe.txt', parts: ['A lathe turns the work and holds the tool still. The turner presses a chisel against the wood. A moth flies by.'] });
    await row(tab.page, 'lathe.txt');
    await tab.page.getByRole('tab', { name: 'Search' }).click();
    return tab;
  }

  const where = (page) => page.getByLabel('Search in', { exact: true });
  const told = (page, words) => page.locator('#panel-search .bar', { hasText: words }).waitFor();
  const asked = () => site.seen.paths.filter((path) => path.startsWith('/v1/')).length;

  test('it is searched when it is chosen and asked, and not before; a card shows its passage whole', async (t) => {
    const tab = await opened(t);
    const { page } = tab;
    const before = asked();
    const { host } = new URL(site.bare);
    assert.deepEqual(await where(page).locator('option').allTextContents(), ['All documents', 'lathe.txt', `the collection at ${host}`]);
    await where(page).selectOption({ label: `the collection at ${host}` });
    await told(page, `What you search for is sent to ${host} when you press Enter`);
    await page.locator('#search').pressSequentially('moths', { delay: 20 });
    await page.locator('#search').press('ArrowDown'); // empty so far
    assert.equal(asked(), before, 'nothing was sent while it was typed');
    await page.locator('#search').press('Enter');
    await told(page, 'for “moths”.');
    assert.ok(asked() > before);
    const card = page.locator('.hits .card').first();
    assert.match(await card.textContent(), /^care\.md · Care › Moths/);
    assert.deepEqual([...new Set((await card.locator('mark').allTextContents()).map((word) => word.toLowerCase()))].sort(), ['moth', 'moths']);
    assert.equal(await where(page).locator('option:checked').textContent(), `loom, at ${host}`);
    assert.equal(await onScreen(page, 'was searched by words alone').count(), 0, 'the page has what made its vectors');
    assert.equal(await card.getAttribute('aria-expanded'), 'false');
    await card.press('Enter');
    assert.equal(await card.getAttribute('aria-expanded'), 'true');
    assert.ok((await page.locator('.hits .whole').first().textContent()).includes(moths));
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    await accessible(page);
    await card.press('Enter');
    await page.locator('.hits .whole').first().waitFor({ state: 'hidden' });
    tab.check();
  });

  test('the documents here are searched again when they are chosen, without anything being sent', async (t) => {
    const { page, check } = await opened(t);
    await where(page).selectOption('remote');
    await page.locator('#search').fill('alum');
    await page.locator('#search').press('Enter');
    await page.locator('.hits .card', { hasText: 'dyes.md' }).waitFor();
    await where(page).selectOption('');
    await page.locator('.hits .card').first().waitFor({ state: 'detached' });
    const before = asked();
    await page.locator('#search').fill('moth');
    await page.locator('#search').press('Enter');
    await page.locator('.hits .card', { hasText: 'lathe.txt' }).waitFor();
    assert.equal(asked(), before);
    check();
  });

  test('ranked by similarity it is searched by vectors, by words alone by these', async (t) => {
    const { page, check } = await opened(t);
    await where(page).selectOption('remote');
    await page.getByLabel('Find by').selectOption('dense');
    await page.locator('#search').fill('insects ruining clothes');
    await page.locator('#search').press('Enter');
    await page.locator('.hits .card').first().waitFor();
    await page.getByLabel('Find by').selectOption('keyword');
    await told(page, 'Nothing found for “insects ruining clothes”.');
    check();
  });

  test('it can be searched before any document is open, and a document can be opened then', async (t) => {
    const tab = await open(site);
    const { page } = tab;
    t.after(() => tab.close());
    await page.getByRole('button', { name: `Or search the collection at ${new URL(site.bare).host}` }).click();
    await told(page, 'when you press Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
    await page.keyboard.type('moths');
    await page.keyboard.press('Enter');
    await page.locator('.hits .card', { hasText: 'care.md' }).click();
    await page.locator('.hits .whole').first().waitFor();
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT.replace('.', '-blank.') });
    await accessible(page);
    await dropMade(page, { name: 'mill.txt', parts: ['The miller takes cloth from the sails. The stones are dressed.'] });
    await row(page, 'mill.txt');
    await onScreen(page, 'The miller takes cloth').first().waitFor();
    assert.equal(await page.locator('.hits .card').count() > 0, true, 'what was found stays');
    tab.check();
  });

  test('on a phone the tab of the text has the ways to open one', async (t) => {
    const tab = await open(site, { viewport: { width: 360, height: 740 } });
    const { page } = tab;
    t.after(() => tab.close());
    await page.getByRole('button', { name: /^Or search the collection/ }).click();
    await told(page, 'when you press Enter');
    assert.equal(await page.getByRole('button', { name: 'Try the sample' }).isVisible(), false);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('#text .s').first().waitFor();
    tab.check();
  });

  test('an engine that is away is a sentence, and so is a proxy', async (t) => {
    const { page } = await opened(t, { ignore: /./ });
    await where(page).selectOption('remote');
    await engine.stop();
    await page.locator('#search').fill('warp');
    await page.locator('#search').press('Enter');
    await told(page, 'The collection cannot be searched at the moment. Try again soon.');
    await site.stop();
    site.cut();
    await page.locator('#search').press('Enter');
    await told(page, /The (connection to the )?proxy (was lost|cannot be reached)\./);
    await where(page).selectOption('');
    await page.locator('#search').fill('chisel');
    await page.locator('#search').press('Enter');
    await page.locator('.hits .card', { hasText: 'lathe.txt' }).waitFor();
  });
});

test('without a collection there is none to choose', async (t) => {
  const site = await proxied();
  t.after(() => site.close());
  const tab = await open(site);
  t.after(() => tab.close());
  await dropMade(tab.page, { name: 'one.txt', parts: ['One sentence. Another one.'] }, { name: 'two.txt', parts: ['A sentence more. And the last.'] });
  for (const name of ['one.txt', 'two.txt']) await row(tab.page, name);
  await tab.page.getByRole('tab', { name: 'Search' }).click();
  assert.deepEqual(await tab.page.getByLabel('Search in', { exact: true }).locator('option').allTextContents(), ['All documents', 'one.txt', 'two.txt']);
  tab.check();
});
