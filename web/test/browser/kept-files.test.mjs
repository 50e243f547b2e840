// Original files: kept if the user asks for it, so that their pages are there on the next
// visit.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drop, dropMade, makeFixtures, onScreen, open, openSheet, originals, row, saved, start, still, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const TEXT = 'The miller opens the weir. Water runs over the wheel. The wheel turns the stone.';
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

async function tab(t, url = site.url, options = {}) {
  const opened = await open({ ...site, url }, options);
  t.after(opened.close);
  return opened;
}


const question = (page) => onScreen(page, /^Keep the files? (itself|themselves), too \(/);

test('with the first PDF the page asks whether to keep files, once', async (t) => {
  const { page, check } = await tab(t);
  await dropMade(page, { name: 'notes.md', parts: [TEXT] });
  await saved(page, 'notes.md');
  assert.equal(await question(page).count(), 0, 'a text has no pages to lose');
  await drop(page, join(work, 'article.pdf'));
  await saved(page, 'article.pdf');
  await page.keyboard.press('Shift'); // nothing moves by itself
  await question(page).waitFor();
  assert.match(await question(page).textContent(), /^Keep the files themselves, too \(\d+\skB\)\? The next visit needs a PDF to show its pages\.$/);
  await accessible(page);
  await page.getByRole('button', { name: 'Keep files' }).click();
  await question(page).waitFor({ state: 'hidden' });
  await kept(page, [digest(TEXT), digest(readFileSync(join(work, 'article.pdf')))]);
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await page.locator('.doc', { hasText: 'article.pdf' }).locator('.select').click();
  await pages(page);
  await page.locator('.sheet[data-state=drawn]').first().waitFor();
  assert.equal(await question(page).count(), 0);
  check();
});

test('who wants only the text is not asked again', async (t) => {
  const { page, check } = await tab(t);
  await drop(page, join(work, 'article.pdf'));
  await saved(page, 'article.pdf');
  await page.keyboard.press('Shift');
  await page.getByRole('button', { name: 'Only the text' }).click();
  await question(page).waitFor({ state: 'hidden' });
  await drop(page, join(work, 'headed.pdf'));
  await saved(page, 'headed.pdf');
  assert.equal(await question(page).count(), 0);
  assert.deepEqual(await originals(page), []);
  assert.equal(await (await box(page)).isChecked(), false);
  check();
});

test('before the storage is full the page says so, and offers to delete the files', async (t) => {
  const small = await start({ flags: ['--disable-features=StaticStorageQuota'] }); // otherwise Chromium makes the quota up
  t.after(small.close);
  const { page } = await open(small);
  await dropMade(page, { name: 'one.md', parts: [TEXT.repeat(3000)] });
  await saved(page, 'one.md');
  await keepFiles(page);
  await kept(page, [digest(TEXT.repeat(3000))]);
  const full = page.getByText(/^The browser’s storage for this page is nearly full: .* of .* are used\./);
  assert.equal(await full.count(), 0);
  const { usage } = await page.evaluate(() => navigator.storage.estimate());
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: Math.round(usage * 1.15) });
  await dropMade(page, { name: 'two.md', parts: [TEXT] });
  await full.waitFor();
  await page.getByRole('button', { name: /^Delete the files, keep the texts/ }).click();
  await until(async () => (await originals(page)).length === 0);
  await page.locator('.doc', { hasText: 'one.md' }).waitFor();
});

/** Opens the dialog of kept documents and returns its checkbox for files. */
async function box(page) {
  await page.getByRole('button', { name: 'Manage…' }).click();
  return page.getByLabel('Keep the files themselves, too');
}

const shut = (page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

async function keepFiles(page) {
  await (await box(page)).check();
  await shut(page);
}

const kept = (page, wanted) => until(async () => JSON.stringify(await originals(page)) === JSON.stringify(wanted.toSorted()));
const pages = (page) => page.getByRole('group', { name: 'Text or page' }).getByRole('button', { name: 'Page', exact: true }).click();

test('a PDF has its pages on the next visit where files are kept, and says why where they are not', async (t) => {
  const { page, check } = await tab(t);
  const bytes = digest(readFileSync(join(work, 'article.pdf')));
  await drop(page, join(work, 'article.pdf'));
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await pages(page);
  await onScreen(page, 'The file itself is not kept; drop it again').waitFor();
  await keepFiles(page);
  assert.deepEqual(await originals(page), [], 'of an earlier visit there is no file to keep');
  await drop(page, join(work, 'article.pdf')); // it is the kept document, and has a file now
  await page.locator('.sheet[data-state=drawn]').first().waitFor();
  await kept(page, [bytes]);
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await pages(page);
  await page.locator('.sheet[data-state=drawn]').first().waitFor();
  check();
});

test('kept files come and go with the choice, with their documents, and with new versions of them', async (t) => {
  const { page, check } = await tab(t);
  const [one, two, other] = [`One. ${TEXT}`, `Two. ${TEXT}`, `Two. ${TEXT} It is flour.`];
  for (const [name, text] of [['one.md', one], ['two.md', two]]) {
    await dropMade(page, { name, parts: [text] });
    await saved(page, name);
  }
  await keepFiles(page);
  await kept(page, [digest(one), digest(two)]);
  await dropMade(page, { name: 'two.md', parts: [other] });
  await page.locator('.blocks').getByText('It is flour.').waitFor();
  await kept(page, [digest(one), digest(other)]);
  await page.reload();
  await row(page, 'two.md');
  await page.getByRole('button', { name: 'Remove one.md' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.locator('.doc', { hasText: 'one.md' }).waitFor();
  await page.getByRole('button', { name: 'Remove one.md' }).click();
  await onScreen(page, 'one.md is removed.').waitFor();
  await page.reload();
  await row(page, 'two.md');
  await kept(page, [digest(other)]);
  const choice = await box(page);
  assert.ok(await choice.isChecked(), 'the choice is remembered');
  await choice.uncheck();
  await kept(page, []);
  await page.getByLabel('Keep documents in this browser').uncheck();
  assert.ok(await choice.isDisabled());
  await page.getByLabel('Keep documents in this browser').check();
  await accessible(page);
  await shut(page);
  await saved(page, 'two.md');
  await page.reload();
  await row(page, 'two.md');
  await page.locator('.blocks').getByText('It is flour.').waitFor();
  check();
});

test('a file that is being stored when the user chooses to keep none is deleted', async (t) => {
  const { page, check } = await tab(t);
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await keepFiles(page);
  await kept(page, [digest(TEXT)]);
  const choice = await box(page);
  await dropMade(page, { name: 'large.html', parts: [`<!DOCTYPE html><title>Mill</title><p>${TEXT}</p><!--`, 'x'.repeat(40_000_000), '-->'] });
  await until(async () => (await originals(page)).length > 1); // begun, not complete
  await choice.uncheck();
  await shut(page);
  await saved(page, 'large.html');
  await kept(page, []);
  check();
});

test('another tab that makes the changes does not bring back a file that was deleted', async (t) => {
  const { page, check } = await tab(t);
  const text = `# One\n\n${TEXT}\n\n# Two\n\n${TEXT}`;
  await dropMade(page, { name: 'one.md', parts: [text] });
  await saved(page, 'one.md');
  await keepFiles(page);
  await kept(page, [digest(text)]);
  const second = await page.context().newPage();
  await second.goto(site.url);
  await row(second, 'one.md');
  await (await box(second)).uncheck();
  await kept(page, []);
  await page.locator('#max-tokens').fill('90');
  await saved(page, 'one.md');
  assert.deepEqual(await originals(page), []);
  await page.reload();
  await row(page, 'one.md');
  check();
});

test('a file that there is no room for is told, and what was read of it is kept', async (t) => {
  const { page } = await tab(t, site.url, { serviceWorkers: 'block' }); // caching would take space from the page itself
  await dropMade(page, { name: 'small.md', parts: [TEXT] });
  await keepFiles(page);
  await kept(page, [digest(TEXT)]);
  const cdp = await page.context().newCDPSession(page);
  const { origin } = new URL(site.url);
  const { usage } = await cdp.send('Storage.getUsageAndQuota', { origin });
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 1_000_000 });
  // A large file with little text: a page with a long comment.
  await dropMade(page, { name: 'large.html', parts: [`<!DOCTYPE html><title>Mill</title><p>${TEXT}</p><!--`, 'x'.repeat(3_000_000), '-->'] });
  await onScreen(page, 'The file of large.html is not kept; what was read of it is. The disk is full').waitFor();
  await saved(page, 'large.html');
  assert.deepEqual(await originals(page), [digest(TEXT)]);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin });
  await page.reload();
  await row(page, 'large.html');
});

test('the sealed page has a choice of its own', async (t) => {
  const { page } = await tab(t);
  await dropMade(page, { name: 'one.md', parts: [TEXT] });
  await keepFiles(page);
  await kept(page, [digest(TEXT)]);
  await page.goto(`${site.url}sealed/`);
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await dropMade(page, { name: 'two.md', parts: [TEXT] });
  const choice = await box(page);
  assert.ok(await choice.isDisabled() && !await choice.isChecked());
  await page.getByLabel('Keep documents in this browser').check();
  await choice.check();
  await shut(page);
  await drop(page, join(work, 'article.pdf'));
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await pages(page);
  await page.locator('.sheet[data-state=drawn]').first().waitFor();
});

test('looks', { skip: !process.env.SEAM_SHOTS && 'for pictures: SEAM_SHOTS=DIR' }, async (t) => {
  for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 360, height: 740 } } })) {
    const { page } = await tab(t, site.url, options);
    await dropMade(page, { name: 'one.md', parts: [TEXT] });
    await row(page, 'one.md');
    await openSheet(page);
    await saved(page, 'one.md');
    await box(page);
    await still(page);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `kept-files-${name}.png`) });
  }
});
