// The grid: many settings judged by a document's questions, with the figures of seam eval
// grid. Covers Stop and resuming, using the best setting, and invalid runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { byHand, counts, drop, open, RAIL, row, start, until, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const folder = join(work, 'grid');
const at = (name) => join(folder, name);

// Fourteen trades, each with a tool, a material and a pest. One name needs more than 16
// bits per character.
const trades = [
  ['weaver', 'a shuttle of boxwood', 'undyed flax', 'moths', 'lavender'], ['baker', 'a razor with a bone handle', 'rested rye dough', 'mice', 'a tabby cat'],
  ['pilot', 'a lead line with tallow', 'charts of the estuary', 'gulls', 'a rattle'], ['mason', 'a plumb bob of brass', 'grey granite', 'swallows', 'nets of hemp'],
  ['dyer', 'a paddle of beech', 'vats of woad', 'wasps', 'smoke of birch'], ['cooper', 'a croze and a jointer', 'staves of oak', 'weevils', 'boiling water'],
  ['smith', 'tongs of two lengths', 'bars of Swedish iron', 'rust', 'goose fat'], ['tanner', 'a blunt knife on a beam', 'hides in oak bark', 'flies', 'bunches of tansy'],
  ['printer 𝒳', 'a tympan and a frisket', 'ink of lamp soot', 'silverfish', 'dry air'], ['potter', 'a cord to cut the foot', 'red clay with grog', 'frost', 'a kiln of straw'],
  ['miller', 'a bill to dress the stones', 'barley and spelt', 'rats', 'a terrier'], ['glazier', 'a grozing iron', 'sheets of crown glass', 'hail', 'shutters of larch'],
  ['saddler', 'an awl with a curved point', 'leather from calves', 'mould', 'vinegar'], ['brewer', 'a rake for the mash', 'malt of two rows', 'sour yeast', 'scalded tubs'],
];
const text = trades.map(([who, tool, stuff, pest, against], i) =>
  `The ${who} has a workshop in house number ${i + 3}. What is used most there is ${tool}. Most of the day is spent on ${stuff}. ${pest[0].toUpperCase()}${pest.slice(1)} do harm every summer. They are kept away with ${against}. In the evening the door is shut and the day is written down in a book.`).join('\n\n').concat('\n');
const questions = trades.flatMap(([who, tool, , pest, against], i) => [
  { question: `Which tool does the ${who} use?`, file: 'trades.txt', excerpts: [`What is used most there is ${tool}.`] },
  ...(i % 2 ? [{ question: `How are ${pest} kept away?`, file: 'trades.txt', excerpts: [`They are kept away with ${against}.`] }] : []),
]);

let site;
before(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(at('trades.txt'), text);
  writeFileSync(at('questions.jsonl'), questions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  site = await start();
});
after(() => site?.close());

/** Runs a test on the document with its questions, with the tab Compare open. */
function onCompare(name, body, { asked = true, ...options } = {}) {
  test(name, async () => {
    const tab = await open(site, { ...RAIL, ...options });
    const { page } = tab;
    await drop(page, at('trades.txt'));
    await row(page, 'trades.txt');
    await page.getByRole('tab', { name: options.locale ? 'Vergleich' : 'Compare' }).click();
    if (asked) {
      await page.locator('#questions-picker').setInputFiles(at('questions.jsonl'));
      await until(async () => await page.locator('.own-questions li').count() === questions.length);
    }
    await body(page, tab);
    tab.check();
    await tab.close();
  });
}

const opened = async (page, name = 'Compare many…') => {
  await page.getByRole('button', { name }).click();
  await page.locator('.grid-dialog').waitFor();
};
const dialog = (page) => page.locator('.grid-dialog');
const run = (page) => dialog(page).getByRole('button', { name: 'Run' });
const rows = (page) => dialog(page).locator('tbody tr');
/** The rows of the chosen settings, without the one in use. */
const chosen = (page) => rows(page).filter({ hasNotText: 'in use' });

/** Selects only these options of a group. */
async function choose(page, group, names) {
  const boxes = dialog(page).getByRole('group', { name: group }).getByRole('checkbox');
  for (const box of await boxes.all()) await box.setChecked(names.includes(await box.evaluate((input) => input.parentElement.textContent)));
}

async function ran(page, rows) {
  await run(page).click();
  await until(async () => await dialog(page).locator('tbody tr').count() === rows);
}

async function saves(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), dialog(page).getByRole('button', { name }).click()]);
  return { suggested: download.suggestedFilename(), content: readFileSync(await download.path(), 'utf8') };
}

onCompare('figures are those of seam eval grid, to the digit, in a file of its form', async (page) => {
  await page.locator('#max-tokens').fill('120'); // the setting in use is then one of those compared
  await page.locator('#max-tokens').press('Enter');
  await opened(page);
  await choose(page, 'Methods', ['Semantic', 'Recursive', 'Sentences']);
  await choose(page, 'Search by', ['words', 'words and similarity']);
  await dialog(page).getByLabel('Largest chunk, in tokens').fill('40, 120');
  await dialog(page).getByLabel('Room for passages, in tokens').fill('60 100');
  await dialog(page).getByLabel('First chunks that are judged').fill('1;3');
  const n = Number(/^\d+/.exec(await dialog(page).locator('.bar .hint').innerText())[0]);
  assert.equal(n, 12);
  await ran(page, n);
  assert.match(await rows(page).first().innerText(), /^Semantic.*up to 120.*in use/s);
  const { suggested, content } = await saves(page, 'Save as JSON');
  assert.equal(suggested, 'trades.txt.grid.json');
  const made = JSON.parse(content);
  const methods = [...new Set(made.rows.map(({ method }) => method))];
  assert.ok(methods.includes('recursive') && methods.length === 3, methods.join());
  const printed = JSON.parse(execFileSync(seam, ['eval', 'grid', at('trades.txt'), '--questions', at('questions.jsonl'), '--methods', methods.join(), '--sizes', '40,120',
    '--rankers', 'keyword,hybrid', '--embedder', 'builtin', '--within', '60,100', '--depths', '1,3', '--view', 'reading', '--cache', 'off', '--json'], { encoding: 'utf8' }));
  const timeless = ({ questions: asked, goal, rows, halves }) => ({ asked, goal, halves, rows: rows.map(({ millis, ...rest }) => rest).sort((a, b) => (key(a) < key(b) ? -1 : 1)) });
  const key = ({ method, size, embedder, ranker }) => [method, size, embedder, ranker].join();
  assert.deepEqual(timeless(made), timeless(printed));
  assert.equal(made.questions, questions.length);
  const { content: csv } = await saves(page, 'Save as CSV');
  const lines = csv.trim().split('\r\n');
  assert.equal(lines.length, n + 1);
  assert.deepEqual([...new Set(lines.map((line) => line.split(',').length))], [lines[0].split(',').length], 'each row has each column');
});

onCompare('ordered by any figure; the best is used, another compared; and what was measured is there again', async (page) => {
  await opened(page);
  await choose(page, 'Methods', ['Recursive']);
  await choose(page, 'Search by', ['words']);
  await dialog(page).getByLabel('Largest chunk, in tokens').fill('24, 48, 400');
  await ran(page, 4);
  assert.match(await dialog(page).locator('.sum').innerText(), /^No difference can be told with 21\squestions\. Highest: .+ · (up to \d+\stokens|in use)( and \d+\sothers?)?, with 100% of the answers in 1,000\stokens\.$/);
  const chunks = async () => (await dialog(page).locator('tbody tr td:nth-last-child(3)').allInnerTexts()).map((each) => Number(each.replaceAll(',', '')));
  await dialog(page).getByRole('button', { name: 'Chunks', exact: true }).click();
  const down = await chunks();
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  await dialog(page).getByRole('button', { name: 'Chunks', exact: true }).click();
  assert.deepEqual(await chunks(), down.toReversed());
  assert.equal(await dialog(page).locator('[aria-sort=ascending]').innerText(), 'Chunks');
  assert.equal(await dialog(page).locator('figure svg[role] .point').count(), 4);
  const least = await chosen(page).first().locator('td:nth-last-child(3)').innerText();
  const few = await chosen(page).first().getByRole('button', { name: /^Use / }).getAttribute('aria-label');
  await chosen(page).first().getByRole('button', { name: /^Use / }).click();
  await dialog(page).waitFor({ state: 'detached' });
  assert.match(few, /up to 400/);
  await until(async () => String((await counts(page, 'trades.txt')).chunks) === least);
  assert.equal(await page.locator('#max-tokens').inputValue(), '400');
  await opened(page);
  await run(page).click();
  await until(async () => /in use/.test(await rows(page).first().innerText().catch(() => '')) && await rows(page).count() >= 3);
  await dialog(page).locator('tbody tr').filter({ hasText: 'up to 24' }).getByRole('button', { name: /^Compare / }).click();
  const last = page.locator('.compared li').last();
  await until(async () => (await last.locator('.made').innerText()).startsWith(String(Math.max(...down))));
  assert.equal(await last.getByLabel(/^Method \w: Up to tokens/).inputValue(), '24');
  await until(async () => /found \d+ of \d+/.test((await last.locator('.found').innerText()).replaceAll('\u00a0', ' ')));
});

onCompare('the report has the settings that were tried', async (page) => {
  await opened(page);
  await choose(page, 'Methods', ['Recursive', 'Sentences']);
  await dialog(page).getByLabel('Largest chunk, in tokens').fill('24, 48');
  await dialog(page).getByLabel('Room for passages, in tokens').fill('30');
  await ran(page, 5);
  const share = /([\d.]+)%/.exec(await dialog(page).locator('tbody tr td').first().innerText())[1];
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Chunks' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /Report/ }).click()]);
  const report = readFileSync(await download.path(), 'utf8');
  const [, tried = ''] = /<h2>Settings tried<\/h2>(.*?)<\/table>/s.exec(report) ?? [];
  assert.equal(tried.match(/<tr>/g)?.length, 6);
  assert.match(tried, /<td>Recursive · up to 48&nbsp;tokens<\/td>/);
  assert.ok(tried.includes(`<td>${Number(share).toFixed(1)}</td>`), `${share} in ${tried}`);
});

onCompare('what was changed by hand is measured anew, and so is another version of the file', async (page) => {
  const runs = async () => {
    await opened(page);
    await choose(page, 'Methods', ['Recursive']);
    await dialog(page).getByLabel('Largest chunk, in tokens').fill('48');
    await ran(page, 2);
    const chunks = Number(await chosen(page).locator('td:nth-last-child(3)').innerText());
    await page.keyboard.press('Escape');
    return chunks;
  };
  const before = await runs();
  await opened(page);
  await until(async () => await dialog(page).locator('tbody tr').count() === 2); // it is there again
  await page.keyboard.press('Escape');
  await page.locator('#method').selectOption('sentences');
  await page.getByRole('tab', { name: 'Chunks' }).click();
  await page.locator('#panel-chunks .card').first().click();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await byHand(page, 1);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await opened(page);
  assert.equal(await dialog(page).locator('tbody tr').count(), 0, 'it is not known any more');
  await page.keyboard.press('Escape');
  writeFileSync(at('trades.txt'), `${text}\n${text}`);
  await drop(page, at('trades.txt'));
  await until(async () => (await counts(page, 'trades.txt')).sentences === 2 * trades.length * 6);
  const twice = await runs();
  writeFileSync(at('trades.txt'), text);
  assert.ok(twice > 1.5 * before, `${twice} chunks of two texts, ${before} of one`);
});

onCompare('it stops, says where, and goes on from there', async (page) => {
  await opened(page);
  await dialog(page).getByLabel('Largest chunk, in tokens').fill('16, 24, 32, 48, 64, 96');
  // The second setting is requested only after Stop was pressed.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!/^Setting 2 of/.test(document.querySelector('.grid-dialog .state').textContent)) return;
      observer.disconnect();
      document.querySelector('.grid-dialog .primary').click();
    }).observe(document.querySelector('.grid-dialog .state'), { childList: true, characterData: true, subtree: true });
  });
  await run(page).click();
  const state = dialog(page).locator('.state');
  await until(async () => /^Stopped after [12] of \d+\. Run goes on from there\.$/.test(await state.innerText()));
  const n = Number(/of (\d+)/.exec(await state.innerText())[1]);
  assert.ok(n > 6, String(n));
  assert.ok(await dialog(page).locator('tbody tr').count() <= 2, 'what was measured is shown');
  await ran(page, n);
  assert.equal(await state.innerText(), '');
});

onCompare('what cannot be run is told where it is typed', async (page) => {
  await opened(page);
  const says = (words) => until(async () => (await dialog(page).getByRole('alert').innerText()) === words);
  const sizes = dialog(page).getByLabel('Largest chunk, in tokens');
  for (const bad of ['a', '-5', '1.5', '128, x']) {
    await sizes.fill(bad);
    await says('Largest chunk, in tokens: type whole numbers with commas between them.');
    assert.equal(await sizes.getAttribute('aria-invalid'), 'true');
  }
  await sizes.fill('128');
  await says('');
  await dialog(page).getByLabel('Overlap').fill('128');
  await says('The overlap has to be smaller than the smallest chunk.');
  await dialog(page).getByLabel('Overlap').fill('0');
  await choose(page, 'Methods', []);
  await says('Choose at least one method, one way to search and one kind of embeddings.');
  await run(page).click();
  assert.equal(await dialog(page).locator('tbody tr').count(), 0);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Compare many…', 'the focus is back');
});

onCompare('without a question it says how to ask one', async (page) => {
  await opened(page);
  assert.match(await dialog(page).innerText(), /press Q and type it/);
  assert.ok(await run(page).isDisabled());
}, { asked: false });

test('a first visit: the sample brings questions of its own', async () => {
  const tab = await open(site, RAIL);
  const { page } = tab;
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await page.locator('#panel-chunks .card').first().waitFor({ state: 'attached' });
  await page.getByRole('tab', { name: 'Compare' }).click();
  await opened(page);
  await dialog(page).getByRole('button', { name: /^Take \d+ questions about the sample$/ }).click();
  await until(async () => await run(page).isEnabled());
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Run');
  await page.keyboard.press('Enter');
  await until(async () => await dialog(page).locator('tbody tr').count() === 10);
  await page.keyboard.press('Escape');
  await until(async () => await page.locator('.own-questions li').count() >= 12);
  await until(async () => await page.locator('.own-questions .gone').count() === 0);
  tab.check();
  await tab.close();
});

for (const [name, options] of [['wide', { viewport: { width: 1400, height: 860 } }], ['a phone', { viewport: { width: 360, height: 740 } }], ['German on a phone', { viewport: { width: 360, height: 740 }, locale: 'de-DE' }]]) {
  onCompare(`no violation, and it fits: ${name}`, async (page) => {
    const german = options.locale !== undefined;
    await opened(page, german ? 'Viele vergleichen …' : undefined);
    await page.locator('#grid-tokens').fill('50'); // so few that settings differ
    await page.locator('#grid-sizes').fill('24, 48, 96, 200');
    await dialog(page).locator('.primary').click();
    await until(async () => await dialog(page).locator('tbody tr').count() > 2 && await dialog(page).locator('.state').innerText() === '');
    await accessible(page);
    const wide = await page.evaluate(() => [...document.querySelectorAll('.grid-dialog, .grid-dialog > *, .grid-dialog .axes *, .grid-dialog .bar *')].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !['INPUT'].includes(each.tagName)).map((each) => `${each.className} ${each.textContent.slice(0, 40)}`));
    assert.deepEqual(wide, []);
    if (process.env.SEAM_SHOTS) {
      await page.screenshot({ path: join(process.env.SEAM_SHOTS, `grid-${name.replaceAll(' ', '-')}.png`) });
      await dialog(page).locator('.results').scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector('.grid-dialog').scrollTo(0, document.querySelector('.grid-dialog .results').offsetTop - 20));
      await page.screenshot({ path: join(process.env.SEAM_SHOTS, `grid-${name.replaceAll(' ', '-')}-2.png`) });
    }
  }, options);
}
