// The list of chunks: order and filter.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, open, painted, row, start, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const NAME = 'trees.md';
const rows = Array.from({ length: 30 }, (_, i) => `| Tree ${i} | It stands on the hill number ${i} and it is old. |`).join('\n');
const TREES = `# Short\n\nOaks are old.\n\n# Long\n\n${'The beech keeps its leaves in winter, and they rustle. '.repeat(12)}\n\n# Table\n\n| Name | Place |\n|---|---|\n${rows}\n\n# End\n\nThe yew is older than the church beside it, people say.\n`;

/** Opens a document that is cut at its headings, and inside long tables. */
async function opened() {
  const tab = await open(site);
  await dropMade(tab.page, { name: NAME, parts: [TREES] });
  await row(tab.page, NAME);
  await tab.page.locator('#method').selectOption('recursive');
  await tab.page.locator('#max-tokens').fill('80');
  await tab.page.locator('#max-tokens').press('Enter');
  await tab.page.locator('#panel-chunks .cards li').nth(8).waitFor();
  await painted(tab.page);
  return tab;
}

/** Returns the numbers of the listed chunks in order. */
const listed = (page) => page.locator('#panel-chunks .cards li:not([hidden]) .card small').evaluateAll((all) => all.map((each) => Number(/^\d+/.exec(each.textContent)[0])));

/** Returns their lengths. */
const sizes = (page) => page.locator('#panel-chunks .cards li:not([hidden]) .card small').evaluateAll((all) => all.map((each) => Number(/ · (\d[\d,]*)/.exec(each.textContent)[1].replace(',', ''))));

const ascending = (all) => all.toSorted((a, b) => a - b);

test('chunks are listed by their length, and as in the text again', async () => {
  const { page, check, close } = await opened();
  const [plain, lengths] = [await listed(page), await sizes(page)];
  assert.deepEqual(plain, ascending(plain));
  assert.notDeepEqual(lengths, ascending(lengths));
  const order = page.getByLabel('In which order chunks are listed');
  await order.selectOption('short');
  assert.deepEqual(await sizes(page), ascending(lengths));
  await order.selectOption('long');
  assert.deepEqual(await sizes(page), ascending(lengths).reverse());
  await order.selectOption('text');
  assert.deepEqual(await listed(page), plain);
  check();
  await close();
});

test('what is done to a chunk of a sorted list is done to that chunk, and the list stays sorted', async () => {
  const { page, check, close } = await opened();
  await page.getByLabel('In which order chunks are listed').selectOption('long');
  const [longest] = await listed(page);
  const before = (await listed(page)).length;
  const place = await page.locator('#panel-chunks .cards li .preview').first().textContent();
  await page.locator('#panel-chunks .cards li .card').first().focus();
  await page.locator('.tools').getByText('Split', { exact: true }).click();
  await page.waitForFunction((n) => document.querySelectorAll('#panel-chunks .cards li').length === n, before + 1);
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('#panel-chunks .cards li .card small')].map(({ textContent }) => Number(/ · (\d[\d,]*)/.exec(textContent)[1]));
    return all.every((n, i) => i === 0 || n <= all[i - 1]);
  });
  const half = page.locator('#panel-chunks .cards li', { hasText: new RegExp(`^${longest} `) }).locator('.preview');
  assert.equal((await half.textContent()).slice(0, 20), place.slice(0, 20));
  check();
  await close();
});

test('the parts of a topic that the maximum divides say so', async () => {
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#min-tokens').fill('1');
  await page.locator('#max-tokens').fill('60');
  const metas = page.locator('#panel-chunks .cards li small');
  await metas.filter({ hasText: /chunk 1 of [2-9] on one topic/ }).first().waitFor();
  const told = (await metas.allTextContents()).flatMap((meta) => /chunk (\d+) of (\d+) on one topic/.exec(meta)?.slice(1).map(Number) ?? []);
  for (let i = 0; i + 2 < told.length; i += 2) {
    const [part, parts, next] = told.slice(i);
    assert.equal(next, part === parts ? 1 : part + 1);
  }
  check();
  await close();
});

test('chunks that cut a table are listed by themselves; other texts have none', async () => {
  const { page, check, close } = await opened();
  const kind = page.getByLabel('Which chunks are listed');
  await kind.selectOption('block');
  const parted = page.locator('#panel-chunks .cards li:not([hidden]) .preview');
  assert.ok(await parted.count() > 1);
  for (const text of await parted.allTextContents()) assert.match(text, /Tree|Name/);
  assert.ok(await page.locator('#panel-chunks .cards li[hidden]').count() > 0);
  const warned = page.locator('#panel-chunks .cards li').filter({ has: page.locator('.warning') });
  assert.equal(await warned.count(), await parted.count(), 'these cards say so, and no others');
  assert.match(await warned.first().innerText(), /Cuts a table or code: raise the maximum/);
  await dropMade(page, { name: 'plain.txt', parts: ['Oaks are old. Yews are older. | a | b |'] });
  await row(page, 'plain.txt');
  assert.equal(await kind.inputValue(), 'all');
  assert.equal(await kind.locator('[value=block]').isHidden(), true);
  check();
  await close();
});
