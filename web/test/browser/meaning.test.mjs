// Search by meaning: the offer, the embedding in the background, the results, and later
// visits.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropMade, open, row, start, until } from './harness.mjs';
import { accessible } from './looks.mjs';
import { bound, sandboxWarning, staticHost, told, visit } from './static-host.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

const village = `The physician examined the child and wrote a prescription.

The express was an hour late, and nobody on the platform knew why.

She planted beans and carrots behind the house and watered them every evening.

The bank wanted its money back, and the farmer could not pay.`;
const paraphrase = 'medic with an ill youngster';

/** Many different sentences. */
const long = Array.from({ length: 900 }, (_, i) => `In year ${i} of the ledger the clerk noted ${i * 7} sheep, ${i * 3} goats and the weather of day ${i % 365}.`).join(' ');

/** Records the states of the line in order. */
function watch() {
  globalThis.states = [];
  new MutationObserver(() => {
    const state = document.querySelector('.meaning')?.dataset.state;
    if (state && state !== globalThis.states.at(-1)) globalThis.states.push(state);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] });
}

const states = (page) => page.evaluate(() => globalThis.states);
const line = (page, state) => page.locator(`.meaning[data-state="${state}"]`);
const press = (page, name) => page.locator('.meaning').getByRole('button', { name, exact: true }).click();
const tops = (page) => page.locator('.hits .card .preview').allTextContents();

/** Uses the lexical embedder, so that only the encoder can find related words. */
async function prepare(page, name = 'village.txt', text = village) {
  await page.locator('#embedder').selectOption('lexical');
  await page.locator('#method').selectOption('sentences');
  await dropMade(page, { name, parts: [text] });
  await row(page, name);
}

async function ask(page, query) {
  await page.locator('#search').fill(query);
  await page.locator('#search').press('Enter');
}

/** Waits until the first hit contains some words. */
const first = (page, words) => page.locator('.hits li:first-child', { hasText: words }).waitFor();

test('it is offered, read in the background, found, and kept for the next visit', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.addInitScript(watch);
  await page.evaluate(watch);
  await prepare(page);
  await ask(page, paraphrase);
  await page.locator('#panel-search .bar', { hasText: 'for “medic' }).waitFor();
  assert.doesNotMatch((await tops(page))[0] ?? '', /physician/, 'words do not know it');
  await line(page, 'offered').getByText(/Find by meaning, too\? The model is fetched once, \d+ MB, and kept here\./).waitFor();
  await press(page, 'Get it');
  await line(page, 'ready').waitFor();
  await page.getByRole('button', { name: 'Best first' }).click();
  await first(page, 'physician');
  assert.deepEqual((await states(page)).filter((state) => state !== 'none'), ['offered', 'loading', 'reading', 'ready']);
  await ask(page, 'could not give back what he had borrowed');
  await first(page, 'farmer');
  await ask(page, 'the train was delayed');
  await first(page, 'express');
  await ask(page, 'beans');
  await first(page, 'beans');

  await page.locator('.doc', { hasText: 'saved' }).first().waitFor();
  await page.reload();
  await row(page, 'village.txt');
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await until(async () => (await states(page)).at(-1) === 'ready');
  assert.deepEqual((await states(page)).filter((state) => state === 'reading'), [], 'what was read is not read again');
  await ask(page, paraphrase);
  await first(page, 'physician');
  tab.check();
  await tab.close();
});

test('Stop ends the reading, words find all of it, and it goes on where it was', async () => {
  const tab = await open(site);
  const { page } = tab;
  await prepare(page, 'ledger.txt', long);
  await ask(page, 'sheep');
  await page.locator('.hits li').first().waitFor();
  await press(page, 'Get it');
  await until(async () => Number(await line(page, 'reading').locator('progress').getAttribute('value').catch(() => 0)) > 0);
  await ask(page, 'goats'); // meanwhile
  await page.locator('#panel-search .bar', { hasText: 'for “goats”' }).waitFor();
  await press(page, 'Stop');
  await line(page, 'stopped').getByText(/Stopped after \d/).waitFor();
  await ask(page, 'weather');
  await page.locator('#panel-search .bar', { hasText: 'for “weather”' }).waitFor();
  await press(page, 'Go on');
  await line(page, 'reading').waitFor();
  await press(page, 'Stop');
  await line(page, 'stopped').waitFor();
  await press(page, 'Turn off');
  await line(page, 'off').waitFor();
  await page.reload();
  await line(page, 'off').waitFor({ state: 'attached' });
  tab.check();
  await tab.close();
});

test('what somebody reads stays where it is: what meaning finds comes behind it', async () => {
  const tab = await open(site);
  const { page } = tab;
  await prepare(page);
  await ask(page, paraphrase);
  await page.locator('#panel-search .bar', { hasText: 'for “medic' }).waitFor();
  const before = await tops(page);
  await page.locator('.hits button').first().focus();
  await line(page, 'offered').getByRole('button', { name: 'Get it' }).evaluate((button) => button.click()); // the focus stays
  await page.getByRole('button', { name: 'Best first' }).waitFor();
  assert.deepEqual((await tops(page)).slice(0, before.length), before);
  const focused = () => page.locator('.hits li:first-child button').evaluate((button) => button === document.activeElement);
  assert.ok(await focused());
  await page.getByRole('button', { name: 'Best first' }).click();
  await first(page, 'physician');
  assert.ok(await focused());
  tab.check();
  await tab.close();
});

test('no document in its language: it is not offered', async () => {
  const tab = await open(site);
  const { page } = tab;
  await dropMade(page, { name: 'wehr.txt', parts: ['Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag. '.repeat(20)] });
  await row(page, 'wehr.txt');
  await ask(page, 'Wasser');
  await page.locator('.hits li').first().waitFor();
  assert.ok(await page.locator('.meaning').isHidden());
  tab.check();
  await tab.close();
});

const gone = new RegExp(`${sandboxWarning.source}|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|error occurred when fetching the script|Failed to update a ServiceWorker`);

for (const entry of ['', 'sealed/']) {
  test(`without the host, at /${entry}`, async (t) => {
    const { url, close } = await staticHost(t);
    const { page, check } = await visit(t, site.browser, url + entry, { ignore: gone });
    await bound(page);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    await prepare(page);
    await ask(page, paraphrase);
    await press(page, 'Get it');
    await line(page, 'ready').waitFor();
    await ask(page, paraphrase);
    await first(page, 'physician');
    await told(page);
    await page.locator('#ledger').getByText('Offline use: ready.').waitFor();
    await page.keyboard.press('Escape');
    await close();
    await page.reload();
    await bound(page);
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    if (entry) await dropMade(page, { name: 'village.txt', parts: [village] }); // nothing is kept there
    await row(page, 'village.txt');
    await line(page, 'ready').waitFor({ state: 'attached' });
    await ask(page, paraphrase);
    await first(page, 'physician');
    check();
  });
}

for (const [name, look] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`for everybody: ${name}`, async () => {
    const tab = await open(site, look);
    const { page } = tab;
    await dropMade(page, { name: 'ledger.txt', parts: [long] });
    await row(page, 'ledger.txt');
    await ask(page, 'sheep');
    await line(page, 'offered').waitFor();
    await accessible(page, 'offered');
    await line(page, 'offered').getByRole('button', { name: 'Get it' }).focus();
    await page.keyboard.press('Enter');
    await line(page, 'reading').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Stop', 'the focus goes to what there is to do next');
    await accessible(page, 'reading', ':root', { others: [] }); // it does not last
    await page.keyboard.press('Enter');
    await line(page, 'stopped').waitFor();
    await accessible(page, 'stopped');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    tab.check();
    await tab.close();
  });
}
