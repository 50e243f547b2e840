// Questions that each document is asked by itself, through the real proxy: the table of the
// answers, its evidence, Stop, and a killed tab.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { dropMade, open, restsInView, until } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { since, testKeyStays, words } from './proxy-page.mjs';

const HOUSES = 50;
const PARTS = ['roof', 'wall', 'floor', 'door', 'garden'];
const QUESTIONS = PARTS.map((part) => `What is the ${part} made of?`);
const codeOf = (house, part) => `${part}-${String(house).padStart(2, '0')}x`;

let site;
let arrived;
before(async () => { site = await proxied(); });
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

const houses = (n) => Array.from({ length: n }, (_, i) => ({
  name: `house-${String(i).padStart(2, '0')}.md`,
  parts: [`# House ${i}\n\n${PARTS.map((part) => `## The ${part}\n\nThe ${part} is made of stuff ${codeOf(i, part)}.`).join('\n\n')}\n`],
}));

/** The model answers with the code of the house in the passages and of the part in the question. */
const rules = (n) => [
  ...(n > 4 ? [[[QUESTIONS[3], codeOf(4, 'door')], 'words=[[NO ANSWER]]']] : []),
  ...Array.from({ length: n }, (_, i) => PARTS.map((part, k) => [[QUESTIONS[k], codeOf(i, part)], `words=Of ${codeOf(i, part)} [1].`])).flat(),
];

const dialog = (page) => page.locator('.each-dialog');
const cell = (page, house, k) => dialog(page).locator('tbody tr').nth(house).locator('td').nth(k);
const press = (page, name) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Opens the dialog with questions. */
async function opening(page, questions) {
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.getByRole('button', { name: 'Ask each document by itself…' }).click();
  await page.locator('#each-questions').fill(questions.join('\n'));
}

/** Drops houses, and waits until a search covers them and all are kept. */
async function housed(t, n, options) {
  const tab = await open(site, options);
  t.after(async () => { tab.check(); await tab.close(); });
  await dropMade(tab.page, ...houses(n));
  await tab.page.locator('.doc').first().waitFor();
  return tab.page;
}

test('each cell has the answer and the evidence of its own document, and a killed tab pays for nothing twice', async (t) => {
  const page = await housed(t, HOUSES);
  await site.provider.by(...rules(HOUSES));
  await opening(page, QUESTIONS);
  assert.match(await words(dialog(page)), new RegExp(`Each question is asked of each of ${HOUSES} documents`));
  await press(page, 'Find passages');
  const consent = dialog(page).locator('.consent');
  await consent.waitFor();
  assert.match(await words(consent), /250\srequests for 250\scells, each with its question and passages, about [\d,]+ tokens in all, will be sent to chat-small through /);
  assert.deepEqual(await arrived('completions'), []);
  await press(page, 'Send');
  await until(async () => (await arrived('completions')).length >= 60);
  await page.reload(); // as if the tab had been killed
  await until(async () => (await page.locator('.doc').count()) > 0);
  const before = (await arrived('completions')).length;
  await opening(page, QUESTIONS);
  await press(page, 'Find passages');
  await consent.waitFor();
  const [, left] = /(\d+)\srequests for/.exec(await words(consent));
  const [, known] = /(\d+)\scells were answered before/.exec(await words(consent));
  assert.equal(Number(left) + Number(known), HOUSES * PARTS.length);
  assert.ok(Number(known) >= before - 4, `${known} of ${before} answers are known`);
  await press(page, 'Send');
  await dialog(page).locator('.state').getByText(/249\scells answered · 1 not in/).waitFor();
  assert.equal((await arrived('completions')).length, before + Number(left));
  const texts = await dialog(page).locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((one) => one.innerText)));
  let mixed = 0;
  for (const [i, row] of texts.entries()) {
    for (const [k, part] of PARTS.entries()) {
      const text = row[k + 1];
      const wanted = i === 4 && part === 'door' ? 'Not in it' : `Of ${codeOf(i, part)} 1.\nEvidence (1)`;
      if (text.replace(/\s+/g, ' ').trim() !== wanted.replace(/\s+/g, ' ')) mixed++;
      if (mixed === 1) t.diagnostic(`${row[0]}, ${part}: ${text}`);
    }
  }
  assert.equal(mixed, 0, 'cells with another answer');
  t.diagnostic(`0 of ${HOUSES * PARTS.length} cells are mixed up`);
  // The evidence is of the row's document, and opens there.
  const seven = cell(page, 7, 2);
  await seven.locator('summary').click();
  assert.match(await words(seven.locator('li')), new RegExp(`house-07\\.md.*The floor is made of stuff ${codeOf(7, 'floor')}\\.`, 's'));
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as CSV')]);
  const csv = readFileSync(await download.path(), 'utf8').slice(1).split('\r\n');
  assert.equal(csv.length, HOUSES + 2);
  assert.equal(csv[0], ['Document', ...QUESTIONS, ...QUESTIONS.map((question) => `evidence: ${question}`)].join(','));
  assert.ok(csv[8].startsWith(`house-07.md,Of ${codeOf(7, 'roof')} [1].,`));
  assert.match(csv[8], new RegExp(`\\[1\\] house-07\\.md: The roof is made of stuff ${codeOf(7, 'roof')}\\.`));
  await seven.getByRole('button', { name: 'house-07.md', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await restsInView(page, 'seam-passage');
});

test('Stop keeps what came; one document’s failure is its own, and a key that is refused ends the run', async (t) => {
  const page = await housed(t, 6);
  await dropMade(page, { name: 'bees.md', parts: ['Bees hum above the heather.'] });
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.locator('#search-mode').selectOption('keyword');
  await site.provider.by([[QUESTIONS[0], codeOf(2, 'roof')], 'status=400'], ...rules(6));
  await opening(page, QUESTIONS.slice(0, 2));
  await press(page, 'Find passages');
  await press(page, 'Not now');
  assert.deepEqual(await arrived('completions'), []);
  assert.equal(await cell(page, 0, 0).innerText(), '…');
  assert.equal(await cell(page, 6, 1).innerText(), 'Not in it (nothing sent)');
  await press(page, 'Find passages');
  await site.provider.script(...Array.from({ length: 4 }, () => 'hold; words=Of something [1].'));
  await press(page, 'Send');
  await until(async () => (await arrived('completions')).length === 4);
  await press(page, 'Stop');
  await dialog(page).locator('.state').getByText(/Stopped\. The answers that came stay; 12\srequests are left\./).waitFor();
  await site.provider.release();
  await press(page, 'Send the rest');
  await dialog(page).locator('.state').getByText(/11\scells answered · 2 not in .* · 1 failed/).waitFor();
  assert.match(await cell(page, 2, 0).innerText(), /^Error: /);
  assert.match(await words(dialog(page).locator('.consent')), /1\srequest is left/);
  await accessible(page, 'the table', '.each-dialog');
});

testKeyStays(() => site);
