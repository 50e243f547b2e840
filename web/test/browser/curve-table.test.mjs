// The boundaries of the curve as a table: by key, with what the chunks say, and back into
// the text.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import AxeBuilder from '@axe-core/playwright';
import { downloaded, drop, dropMade, highlighted, makeFixtures, open, restsInView, row, start, still, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

async function tab(t, options = {}) {
  const opened = await open(site, options);
  t.after(opened.close);
  return opened;
}

/** Opens it by key; its rows as texts. */
async function table(page) {
  await page.locator('.curve .caption').getByRole('button', { name: 'Table' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('heading', { name: /^Boundaries/ }).waitFor();
  if (await page.locator('.curve-table tbody').count() > 0) await page.locator('.curve-table tbody[aria-busy=false]').waitFor();
  return page.locator('.curve-table tbody tr').evaluateAll((rows) => rows.map((each) => [...each.children].map((cell) => cell.textContent)));
}

test('each boundary has its sentences, its value and what became of it, and leads into the text', async (t) => {
  const { page, check } = await tab(t);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#max-tokens').fill('60');
  await page.locator('.curve .forced').getByText(/forced/).waitFor();
  const rows = await table(page);
  const { chunks } = await downloadedBehind(page);
  const made = rows.filter(([, , , , , what]) => what !== 'joined for the minimum');
  assert.equal(made.length, chunks.length - 1);
  made.forEach(([, , before, behind, value, what], i) => {
    const [end, start] = [chunks[i].text.replace(/\s+/g, ' ').trim(), chunks[i + 1].text.replace(/\s+/g, ' ').trim()];
    assert.ok(end.endsWith(before) || before.endsWith('…'), `${before} ends ${end}`);
    assert.ok(start.startsWith(behind.replace(/…$/, '').trim()), `${behind} begins ${start}`);
    assert.equal(what === 'cut forced by the maximum', chunks[i].reason === 'max tokens', `${what}: ${chunks[i].reason}`);
    assert.match(value, /^[\d.]+$/);
  });
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
  await page.locator('.curve-table tbody tr').nth(1).getByRole('button').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await restsInView(page, 'seam-passage');
  const [shown] = await highlighted(page, 'seam-passage');
  assert.ok(shown.replace(/\s+/g, ' ').startsWith(rows[1][3].replace(/…$/, '').trim()), `${shown} for ${rows[1][3]}`);
  check();
});

/** The chunks as they are saved, from behind the dialog. */
async function downloadedBehind(page) {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const saved = await downloaded(page);
  await table(page);
  return saved;
}

test('a method without a curve, and a text without a boundary', async (t) => {
  const { page, check } = await tab(t);
  await dropMade(page, { name: 'short.txt', parts: ['One sentence. Another one.'] });
  await row(page, 'short.txt');
  assert.deepEqual(await table(page), []);
  await page.getByText('The text is cut nowhere between two sentences.').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(1).waitFor();
  assert.deepEqual(await table(page), [['1', '–', 'One sentence.', 'Another one.', '–', 'cut made']]);
  check();
});

test('looks', { skip: !process.env.SEAM_SHOTS && 'for pictures: SEAM_SHOTS=DIR' }, async (t) => {
  for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' } })) {
    const { page } = await tab(t, options);
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
    await page.locator('#max-tokens').fill('60');
    await page.locator('.curve .forced').getByText(/forced/).waitFor();
    await table(page);
    await still(page);
    await page.screenshot({ path: join(process.env.SEAM_SHOTS, `curve-table-${name}.png`) });
  }
});
