// The report: one HTML file with the document, its chunking and the comparison. It is
// opened from the disk, like a person would, and runs nothing.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { contextOf, downloaded, drop, dropMade, makeFixtures, open, row, start, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Saves the report of the document shown, and returns its path. */
async function saveReport(page, name) {
  if (!await page.locator('#panel-chunks').isVisible()) await page.getByRole('tab', { name: 'Chunks' }).click();
  await page.locator('#save-open').click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Report/ }).click();
  const download = await coming;
  assert.equal(download.suggestedFilename(), `${name}.report.html`);
  const path = join(work, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Opens a file as a browser does after a double click. */
async function read(t, path, options = {}) {
  const context = await contextOf(site.browser, { viewport: { width: 1200, height: 900 }, ...options });
  t.after(() => context.close());
  const trouble = [];
  context.on('console', (message) => trouble.push(message.text()));
  context.on('weberror', (error) => trouble.push(String(error.error())));
  context.on('request', (request) => { if (request.url() !== pathToFileURL(path).href) trouble.push(`request to ${request.url()}`); });
  context.on('dialog', (dialog) => { trouble.push(dialog.message()); void dialog.dismiss(); });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  return { page, trouble };
}

test('the report has settings, curve, sizes, what was compared, questions and all chunks', async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  await drop(tab.page, join(work, 'article.pdf'));
  await row(tab.page, 'article.pdf');
  await tab.page.getByRole('tab', { name: 'Compare' }).click();
  await tab.page.locator('.compared li').nth(1).getByText(/Pk \d\.\d\d/).waitFor();
  const compared = (await tab.page.locator('.compared li').nth(1).locator('.made').first().innerText()).replaceAll('\u00a0', ' ');
  const path = await saveReport(tab.page, 'article.pdf');
  const { chunks, threshold, embedder } = await downloaded(tab.page);
  const { page, trouble } = await read(t, path);
  await page.getByRole('heading', { level: 1, name: 'article.pdf' }).waitFor();
  assert.match(await page.locator('dl').innerText(), new RegExp(`Method\\s+Semantic, 1\\s+Threshold\\s+${2 ** threshold}\\s+Embedder\\s+${embedder}`));
  await page.getByRole('heading', { name: 'Strength of topic boundaries' }).waitFor();
  assert.ok(await page.locator('svg .cut').count() > 0 && await page.locator('svg .line').count() > 0);
  const shown = await page.locator('article').evaluateAll((all) => all.map((each) => ({ head: each.querySelector('h3').textContent, text: each.querySelector('.text').textContent })));
  assert.deepEqual(shown.map(({ text }) => text), chunks.map(({ text }) => text));
  chunks.forEach(({ tokens, reason }, i) => assert.match(shown[i].head, new RegExp(`^${i + 1} · ${tokens} · p\\. .*ends: ${reason.replaceAll('.', '\\.')}$`)));
  const [, sizes] = /^\D*(\d+) chunks/.exec(compared);
  assert.match(await page.locator('table tbody tr').nth(1).innerText(), new RegExp(`^B\\s.*\\s${sizes} chunks`));
  assert.match(await page.locator('table tbody tr').nth(1).innerText(), /\b[01]\.\d{3}\b/);
  await accessible(page);
  assert.deepEqual(trouble, []);
  tab.check();
});

test('what a hostile document says is text in it', async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  const name = '<img src=x onerror=alert(1)>.md';
  const hostile = '</style><script>alert(2)</script> <img src="https://evil.example/x.png" onerror="alert(3)"> &amp; </p></article> \u202eback';
  await dropMade(tab.page, { name, parts: [`# A mill\n\nThe miller opens the weir. ${hostile}\n\nThe wheel turns the stone.`] });
  await row(tab.page, name);
  await tab.page.locator('#save-open').click();
  const coming = tab.page.waitForEvent('download');
  await tab.page.getByRole('menuitem', { name: /^Report/ }).click();
  const path = join(work, 'hostile-report.html');
  await (await coming).saveAs(path);
  const { page, trouble } = await read(t, path);
  assert.equal(await page.locator('h1').textContent(), name);
  assert.ok((await page.locator('.text').first().textContent()).includes('</style><script>alert(2)</script> <img src="https://evil.example/x.png"'));
  assert.equal(await page.locator('script, img, iframe, link').count(), 0);
  assert.deepEqual(trouble, []);
  assert.match(readFileSync(path, 'utf8'), /content="default-src 'none'; style-src 'unsafe-inline'"/);
});

test('a method without a curve, and one chunk alone', async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  await dropMade(tab.page, { name: 'short.txt', parts: ['One sentence.'] });
  await row(tab.page, 'short.txt');
  await tab.page.locator('#method').selectOption('recursive');
  await tab.page.locator('#panel-chunks .cards li').first().waitFor();
  const { page, trouble } = await read(t, await saveReport(tab.page, 'short.txt'));
  assert.equal(await page.locator('article').count(), 1);
  assert.equal(await page.locator('svg').count(), 0);
  assert.deepEqual(trouble, []);
});

test('looks', { skip: !process.env.SEAM_SHOTS && 'for pictures: SEAM_SHOTS=DIR' }, async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  await drop(tab.page, join(work, 'article.pdf'));
  await row(tab.page, 'article.pdf');
  await tab.page.getByRole('tab', { name: 'Compare' }).click();
  await tab.page.locator('.compared li').nth(1).getByText(/Pk/).waitFor();
  await tab.page.screenshot({ path: join(process.env.SEAM_SHOTS, 'report-compare.png') });
  const path = await saveReport(tab.page, 'article.pdf');
  for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 360, height: 740 } } })) {
    const { page } = await read(t, path, options);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `report-${name}.png`), fullPage: name !== 'phone' });
  }
});
