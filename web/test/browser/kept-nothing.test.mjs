// Data that must not remain between visits: deleted, unwanted, or impossible to keep.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { asksBeforeClosing, byHand, downloaded, drop, dropMade, executablePath, FLAGS, makeFixtures, onScreen, open, painted, questionsKept, row, saved, start, until, work } from './harness.mjs';
import { TEXT, again, files, manage, mergeFirst } from './kept-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Turns off keeping documents, and deletes the kept ones. */
async function keepNothing(page) {
  await manage(page);
  await page.getByLabel('Keep documents in this browser').uncheck();
  await page.getByRole('button', { name: 'Delete all', exact: true }).click();
  await page.getByRole('button', { name: 'Close' }).click();
}

/** Yields the bytes of all files below a folder. */
function* bytesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && statSync(path, { throwIfNoEntry: false })?.size) yield [path, readFileSync(path)];
  }
}

test('after "Delete all" no file of the browser has a word of it', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'seam-profile-'));
  const secret = 'Quixotic zephyrs vexed';
  const where = () => [...bytesBelow(profile)].filter(([, bytes]) => bytes.includes(secret) || bytes.includes(Buffer.from(secret, 'utf16le')) || bytes.includes('vexing-name')).map(([path]) => path.slice(profile.length));
  const options = { executablePath: executablePath(), args: FLAGS, viewport: { width: 1400, height: 860 } };
  let context = await chromium.launchPersistentContext(profile, options);
  let page = context.pages()[0] ?? await context.newPage();
  await page.goto(site.url);
  await dropMade(page, { name: 'vexing-name.md', parts: [`${secret} the jackdaws. ${TEXT}`] });
  await saved(page, 'vexing-name.md');
  await page.locator('#search').fill(secret);
  await page.keyboard.press('Enter');
  await page.locator('.hits li').first().waitFor();
  await questionsKept(page, 1);
  await again(page, 'vexing-name.md');
  await context.close();
  assert.notDeepEqual(where(), [], 'it was kept');
  context = await chromium.launchPersistentContext(profile, options);
  page = context.pages()[0] ?? await context.newPage();
  await page.goto(site.url);
  await row(page, 'vexing-name.md');
  await manage(page);
  await page.getByRole('button', { name: 'Delete all…' }).click();
  await page.getByRole('button', { name: 'Delete all', exact: true }).click();
  await page.getByRole('dialog').locator('.kept-list li').waitFor({ state: 'detached' });
  await context.close();
  assert.deepEqual(where(), []);
  rmSync(profile, { recursive: true, force: true });
});

test('keep nothing: it is remembered, and a reload forgets', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await saved(page, 'one.md');
  await keepNothing(page);
  await onScreen(page, 'Nothing is kept: documents are gone').waitFor();
  await dropMade(page, { name: 'two.md', parts: [`${TEXT} Two.`] });
  await row(page, 'two.md');
  assert.deepEqual(await files(page), []);
  await page.reload();
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await dropMade(page, { name: 'three.md', parts: [TEXT] });
  await row(page, 'three.md');
  assert.equal(await page.locator('.doc').count(), 1);
  await onScreen(page, 'Nothing is kept: documents are gone').waitFor();
  check();
  await close();
});

test('what is done once keeping is turned off is not told as saved, and a tab asks before it goes with it', async () => {
  const { page, check, close } = await open(site);
  const state = (is) => page.locator(`.doc .kept[data-state=${is}]`).waitFor();
  const keep = async (on) => {
    await manage(page);
    await page.getByLabel('Keep documents in this browser').setChecked(on);
    await page.getByRole('button', { name: 'Close' }).click();
  };
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await saved(page, 'one.md');
  await keep(false);
  await page.locator('#method').selectOption('sentences'); // the settings belong to the page; the document is unchanged
  await page.locator('#panel-chunks .card').nth(8).waitFor({ state: 'attached' });
  await downloaded(page); // the engine has answered the earlier call
  await state('saved');
  await mergeFirst(page);
  await state('failed');
  assert.match(await page.locator('.doc .kept').innerText(), /You have chosen to keep nothing; what was kept before is as it was\./);
  await asksBeforeClosing(page);
  await keep(true);
  await state('saved');
  await keep(false);
  await again(page, 'one.md');
  await byHand(page, 1);
  await state('saved');
  check();
  await close();
});

test('a save that was under way when keeping was turned off does not tell later changes as saved', async () => {
  const { page, check, close } = await open(site);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    window.held = [];
    Worker.prototype.postMessage = function (message, ...more) {
      if (window.held && message.json && JSON.parse(message.json).params?.what === 'vectors') window.held.push(() => postMessage.call(this, message, ...more));
      else postMessage.call(this, message, ...more);
    };
  });
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await row(page, 'one.md');
  await page.waitForFunction(() => window.held.length === 1);
  await manage(page);
  await page.getByLabel('Keep documents in this browser').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('#method').selectOption('sentences');
  await mergeFirst(page);
  await page.evaluate(() => {
    for (const post of window.held) post();
    window.held = null;
  });
  await page.locator('.kept-line').getByText(/^1\sdocument kept/).waitFor();
  await page.locator('.doc .kept[data-state=failed]').waitFor();
  await asksBeforeClosing(page);
  check();
  await close();
});

test('where nothing is kept, what was removed comes back from its file, with what was done by hand', async () => {
  const { page, close } = await open({ ...site, url: `${site.url}sealed/` });
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await mergeFirst(page);
  const before = (await downloaded(page)).chunks;
  await dropMade(page, { name: 'two.md', parts: [TEXT] });
  await row(page, 'two.md');
  await page.getByRole('button', { name: 'Remove article.pdf' }).click();
  await page.locator('.doc', { hasText: 'article.pdf' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await row(page, 'article.pdf');
  await byHand(page, 1);
  assert.deepEqual((await downloaded(page)).chunks, before);
  assert.deepEqual(await files(page), []);
  await close();
});

test('the sealed page keeps nothing until it is asked to', async () => {
  const { page, close } = await open({ ...site, url: `${site.url}sealed/` });
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await row(page, 'one.md');
  await onScreen(page, 'Nothing is kept: documents are gone').waitFor();
  assert.equal(await page.locator('.kept[data-state]:not([data-state=""])').count(), 0);
  await manage(page);
  await page.getByLabel('Keep documents in this browser').check();
  await page.getByRole('button', { name: 'Close' }).click();
  await saved(page, 'one.md');
  await again(page, 'one.md');
  await close();
});

test('to keep nothing holds for the visit also where the browser has no room to note it', async () => {
  const { page, check, close } = await open(site);
  await page.evaluate(() => { Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); }; });
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await saved(page, 'one.md');
  await keepNothing(page);
  await dropMade(page, { name: 'two.md', parts: [`# Two\n\n${TEXT}`] });
  await row(page, 'two.md');
  await onScreen(page, 'Nothing is kept: documents are gone').waitFor();
  assert.equal((await files(page)).filter((name) => name.endsWith('.document')).length, 0);
  check();
  await close();
});

test('as long as the sealed page keeps nothing, it lists nothing that the other one keeps', async () => {
  const { page: sealed, close } = await open({ ...site, url: `${site.url}sealed/` });
  await dropMade(sealed, { name: 'one.md', parts: [TEXT] });
  await row(sealed, 'one.md');
  const [page, third] = [await sealed.context().newPage(), await sealed.context().newPage()];
  for (const each of [page, third]) {
    await each.goto(site.url);
    await each.locator('#method:enabled').waitFor();
  }
  await dropMade(third, { name: 'three.md', parts: [`# Three\n\n${TEXT}`] });
  await row(third, 'three.md');
  await dropMade(page, { name: 'two.md', parts: [`# Two\n\n${TEXT}`] });
  await saved(page, 'two.md');
  await row(third, 'two.md', 'kept');
  await painted(sealed);
  assert.equal(await sealed.locator('.doc').count(), 1);
  await close();
});

test('a full disk is told, work goes on, and what was saved stays', async () => {
  const { page, close } = await open(site);
  await dropMade(page, { name: 'small.md', parts: [TEXT] });
  await saved(page, 'small.md');
  const cdp = await page.context().newCDPSession(page);
  const { usage } = await cdp.send('Storage.getUsageAndQuota', { origin: new URL(site.url).origin });
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin, quotaSize: usage + 20_000 });
  await dropMade(page, { name: 'large.md', parts: [`${TEXT}\n\n`.repeat(2000)] });
  await row(page, 'large.md');
  const failed = page.locator('.doc', { hasText: 'large.md' }).locator('.kept[data-state=failed]');
  await failed.waitFor();
  assert.match(await failed.innerText(), /not saved: The disk is full/);
  await page.locator('#search').fill('honey');
  await page.keyboard.press('Enter');
  await page.locator('.hits li').first().waitFor();
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin });
  await page.locator('#max-tokens').fill('90'); // the next change tries again
  await saved(page, 'large.md');
  await page.reload();
  await row(page, 'large.md');
  await row(page, 'small.md', 'kept');
  await close();
});

test('storage that is blocked is told, and work goes on', async () => {
  const { page, close } = await open(site);
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
  });
  await page.reload();
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await row(page, 'one.md');
  const failed = page.locator('.doc', { hasText: 'one.md' }).locator('.kept[data-state=failed]');
  await failed.waitFor();
  assert.match(await failed.innerText(), /keeps nothing for this page: a private window/);
  await close();
});

test('so is all that sites store where the person has blocked that', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'seam-profile-'));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
  const context = await chromium.launchPersistentContext(profile, { executablePath: executablePath({ whole: true }), args: FLAGS, viewport: { width: 1400, height: 860 } });
  const trouble = [];
  context.on('weberror', (error) => trouble.push(error.error().stack));
  const page = context.pages()[0] ?? await context.newPage();
  await page.goto(site.url);
  assert.equal(await page.evaluate(() => navigator.locks.request('any', () => 'had').catch(({ name }) => name)), 'SecurityError', 'the browser blocks it');
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  const failed = page.locator('.doc', { hasText: 'one.md' }).locator('.kept[data-state=failed]');
  await failed.waitFor();
  assert.match(await failed.innerText(), /keeps nothing for this page: a private window/);
  assert.ok(await page.locator('.following').isHidden(), 'no other tab has it');
  await page.locator('.seal').click();
  await page.locator('#ledger').getByText('Offline use: not in this browser or at this address.').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
  rmSync(profile, { recursive: true, force: true });
});

test('what the browser has deleted is told, and the file opens it again', async () => {
  const { page, close } = await open(site);
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await saved(page, 'one.md');
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents');
    for await (const name of folder.keys()) if (name.endsWith('.document')) await folder.removeEntry(name);
  });
  await page.reload();
  const lost = await row(page, 'one.md', 'failed');
  assert.match(await lost.innerText(), /has deleted what was kept/);
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await row(page, 'one.md');
  await saved(page, 'one.md');
  await again(page, 'one.md');
  await close();
});
