// The files attached to a PDF: named above its text, each opened as a document of its own.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, makeFixtures, open, row, saved, start, unlock, work } from './harness.mjs';
import { accessible, picture } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function tab(t, options) {
  const opened = await open(site, options);
  t.after(() => opened.close());
  return opened;
}

const line = (page) => page.locator('.attached');

test('attached files are named, and a press opens one as a document that says where it is from', async (t) => {
  const { page, check } = await tab(t);
  await drop(page, join(work, 'attached.pdf'));
  await row(page, 'attached.pdf');
  await line(page).waitFor();
  assert.equal((await line(page).innerText()).replaceAll('\u00a0', ' '), '3 files are attached: wheel.md, sheet.docx, inner.pdf');
  await accessible(page, 'with attached files');
  await picture(page, 'attached');
  await page.getByRole('button', { name: 'wheel.md' }).click();
  await row(page, 'attached.pdf › wheel.md');
  await page.locator('.doc .select', { hasText: 'attached.pdf › wheel.md' }).click();
  await page.locator('#text').getByText('They turn.').waitFor();
  await line(page).waitFor({ state: 'hidden' });
  await page.locator('.doc .select', { hasText: /^attached\.pdf(?! ›)/ }).first().click();
  await page.getByRole('button', { name: 'sheet.docx' }).click();
  await page.locator('.doc', { hasText: 'attached.pdf › sheet.docx' }).getByText('a Word document').waitFor();
  check();
});

test('in a locked PDF they open with its password; on the next visit the PDF is asked for', async (t) => {
  const { page } = await tab(t);
  await drop(page, join(work, 'attached-locked.pdf'));
  await unlock(page, 'attached-locked.pdf', 'mill');
  await row(page, 'attached-locked.pdf');
  await page.getByRole('button', { name: 'inner.pdf' }).click();
  await row(page, 'attached-locked.pdf › inner.pdf');
  await saved(page, 'attached-locked.pdf › inner.pdf');
  await page.reload();
  await page.locator('.doc .select', { hasText: /^attached-locked\.pdf(?! ›)/ }).first().click();
  await line(page).waitFor();
  assert.equal((await line(page).innerText()).replaceAll('\u00a0', ' '), '3 files are attached: wheel.md, sheet.docx, inner.pdf. Open attached-locked.pdf again to read them.');
});

for (const [name, options] of [['in the dark', { colorScheme: 'dark' }], ['on a phone', { viewport: { width: 360, height: 740 } }]]) {
  test(`the line of attached files ${name}`, async (t) => {
    const { page } = await tab(t, options);
    await drop(page, join(work, 'attached.pdf'));
    await row(page, 'attached.pdf');
    await line(page).waitFor({ state: 'attached' });
    await picture(page, `attached-${name.replaceAll(' ', '-')}`);
  });
}
