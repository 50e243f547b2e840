// The first visit: example documents, example questions, a tour of four steps.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { add, contextOf, counts, dropMade, onScreen, open, row, start, until } from './harness.mjs';
import { accessible } from './looks.mjs';
import { bound, sandboxWarning, staticHost, told, visit } from './static-host.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

const examples = ['Adding up – a paper.pdf', 'Statutes of a tool library.md', 'Wren rain gauge – manual.html', 'A repairer of clocks – an interview.txt', 'Das Watt – Land auf Zeit.md'];
const phone = { viewport: { width: 360, height: 740 } };

/** Records the gallery files requested by a page. */
function asked(page) {
  const names = [];
  page.on('request', (request) => names.push(...request.url().match(/example\w+(?=-\w+\.packed$)/) ?? []));
  return names;
}

/** Opens a gallery document from the empty page or from the menu Add. */
async function choose(page, n) {
  if (!await page.locator('.empty').isVisible()) await add(page, 'Example documents');
  await page.locator('.example:visible').nth(n).click();
  await row(page, examples[n]);
}

/** Opens a page with the interview and the offer of the tour. */
async function offered(options = {}) {
  const tab = await open(site, { reducedMotion: 'reduce', ...options });
  await choose(tab.page, 3);
  await tab.page.locator('.tour-offer').waitFor();
  return tab;
}

for (const [name, viewport] of Object.entries({ desktop: { width: 1400, height: 860 }, tablet: { width: 768, height: 1024 }, phone: phone.viewport })) {
  test(`the gallery comes without moving anything, and without its documents: ${name}`, async (t) => {
    const context = await contextOf(site.browser, { viewport });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.addInitScript(() => {
      window.moved = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) if (sources.some(({ node }) => node?.parentElement?.closest('main'))) window.moved.push(value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const files = asked(page);
    await page.goto(site.url);
    await page.locator('.example').nth(4).waitFor();
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    assert.deepEqual(await page.evaluate(() => window.moved), []);
    assert.deepEqual(files, []);
    assert.equal(await page.locator('.gallery').getByRole('button').count(), 6, 'five documents and the tour');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
  });
}

test('each document opens as any file, is fetched when it is chosen, and answers its questions', async () => {
  const tab = await open(site);
  const { page } = tab;
  const files = asked(page);
  await page.locator('.example').first().waitFor();
  for (const [n, name] of examples.entries()) {
    await choose(page, n);
    assert.equal(files.length, n + 1, files.join());
    const { chunks, pages } = await counts(page, name);
    assert.ok(chunks >= 3, `${name}: ${chunks}`);
    if (n === 0) assert.equal(pages, 3);
    await page.getByRole('tab', { name: 'Search' }).click();
    const questions = page.locator('#panel-search .questions button');
    assert.equal(await questions.count(), 3);
    for (const question of await questions.allTextContents()) {
      await questions.getByText(question, { exact: true }).click();
      await onScreen(page, `for “${question}”`).waitFor();
      assert.equal(await page.locator('#search').inputValue(), question);
      await page.locator('.hits li:first-child', { hasText: name }).waitFor();
    }
  }
  await page.getByRole('button', { name: `Remove ${examples[4]}` }).click();
  await page.locator('.doc', { hasText: examples[4] }).waitFor({ state: 'detached' });
  await choose(page, 0); // it is open: selected, and not opened twice
  await page.locator('.notice').getByText('is open already').waitFor();
  tab.check();
  await tab.close();
});

test('the questions go away once somebody has asked one of their own', async () => {
  const tab = await open(site);
  const { page } = tab;
  const questions = page.locator('#panel-search .questions button');
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  await page.getByRole('tab', { name: 'Search' }).click();
  await questions.first().click();
  await page.locator('.hits .card').first().waitFor();
  assert.equal(await questions.count(), 3);
  await page.locator('#search').fill('lighthouse');
  await page.keyboard.press('Enter');
  await onScreen(page, 'for “lighthouse”').waitFor();
  assert.equal(await questions.count(), 0);
  await choose(page, 3);
  assert.equal(await questions.count(), 0);
  tab.check();
  await tab.close();
});

const says = async (page, at, title) => {
  await page.getByRole('dialog', { name: `${at} of 4 ${title}` }).waitFor();
};
const steps = ['The text, in chunks', 'The curve, and its line', 'A reason for each cut', 'Search, and what leaves'];
const inTour = (page) => page.evaluate(() => document.activeElement.closest('.tour') !== null);

test('the tour by keyboard: offered once, forward and back, left, found again', async () => {
  const { page, check, close } = await offered();
  await page.locator('.tour-offer').getByRole('button', { name: 'Take the tour' }).focus();
  await page.keyboard.press('Enter');
  await says(page, 1, steps[0]);
  assert.equal(await page.locator('.tour-offer').count(), 0);
  assert.ok(await inTour(page));
  await page.keyboard.press('ArrowRight');
  await says(page, 2, steps[1]);
  await page.locator('[role=status]').getByText('2 of 4').waitFor();
  await page.keyboard.press('Enter');
  await says(page, 3, steps[2]);
  await page.keyboard.press('ArrowLeft');
  await says(page, 2, steps[1]);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await says(page, 1, steps[0]);
  assert.ok(await inTour(page), 'the button that went away has handed on the focus');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.tour, .tour-ring').count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
  // The tour remains available in the menu Add and in the list of keys.
  await add(page, 'Take the tour');
  await says(page, 1, steps[0]);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'add-open');
  await page.locator('#text').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Take the tour' }).press('Enter');
  for (const [i, title] of steps.entries()) {
    await says(page, i + 1, title);
    await page.keyboard.press('Enter');
  }
  assert.equal(await page.locator('.tour').count(), 0);
  // It must not be offered again with another document.
  await page.locator('.doc .kept[data-state=saved]').waitFor();
  await page.reload();
  await row(page, examples[3]);
  await choose(page, 1);
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.waitForFunction(() => localStorage.getItem('seam.kept') === null); // while that is written
  await page.reload();
  await page.locator('.example').first().waitFor();
  await choose(page, 0);
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.locator('#panel-search .questions').waitFor(); // the offer's listener has run
  assert.equal(await page.locator('.tour-offer').count(), 0);
  check();
  await close();
});

test('the tour beside what it speaks of, which can be used meanwhile', async () => {
  const { page, check, close } = await offered();
  await page.locator('.tour-offer').getByRole('button', { name: 'Take the tour' }).press('Enter');
  await apart(page, steps.length);
  await page.keyboard.press('Escape');
  await add(page, 'Take the tour');
  await says(page, 1, steps[0]);
  const before = await page.locator('#panel-chunks .card').count();
  await page.locator('#threshold').press('Home');
  await until(async () => await page.locator('#panel-chunks .card').count() !== before);
  await says(page, 1, steps[0]);
  await page.getByRole('button', { name: 'Skip' }).click();
  assert.equal(await page.locator('.tour').count(), 0);
  check();
  await close();
});

/**
 * Asserts that the note at each step is inside the window and does not cover its subject.
 * With `edge`, it is at the lower edge.
 */
async function apart(page, count, edge = false) {
  for (let i = 0; i < count; i++) {
    await says(page, i + 1, steps[i]);
    await page.waitForFunction((low) => {
      const note = document.querySelector('.tour').getBoundingClientRect();
      const rings = [...document.querySelectorAll('.tour-ring:not([hidden])')].map((ring) => ring.getBoundingClientRect());
      const inside = ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return rings.length > 0 && inside(note) && rings.every((ring) => inside(ring) && ring.height > 20
        && (note.right <= ring.left || note.left >= ring.right || note.bottom <= ring.top || note.top >= ring.bottom))
        && (!low || innerHeight - note.bottom < 70);
    }, edge);
    await page.keyboard.press('ArrowRight');
  }
}

test('the tour on a phone: at the lower edge, each step with its tab', async () => {
  const { page, check, close } = await offered(phone);
  await page.locator('.tour-offer').getByRole('button', { name: 'Take the tour' }).press('Enter');
  await apart(page, steps.length, true);
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Search');
  await page.keyboard.press('ArrowLeft');
  await says(page, 3, steps[2]);
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Chunks');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-chunks');
  check();
  await close();
});

test('No thanks is remembered, unless nothing is to be kept', async () => {
  for (const kept of [true, false]) {
    const { page, check, close } = await open(site);
    if (!kept) await page.evaluate(() => localStorage.setItem('seam.keep', 'nothing'));
    await choose(page, 3);
    await page.getByRole('button', { name: 'No thanks' }).press('Enter'); // because rows above it still change
    assert.equal(await page.locator('.tour-offer').count(), 0);
    assert.equal(await page.evaluate(() => localStorage.getItem('seam.tour')), kept ? '1' : null);
    check();
    await close();
  }
});

test('the tour where nothing is open begins with the sample', async () => {
  const { page, check, close } = await open(site);
  await page.locator('.gallery').getByRole('button', { name: 'Take the tour' }).press('Enter');
  await row(page, 'Sample');
  await says(page, 1, steps[0]);
  assert.equal(await page.locator('.tour-offer').count(), 0);
  await page.getByRole('button', { name: 'Remove Sample – eight short essays.pdf' }).click();
  await page.locator('.tour').waitFor({ state: 'detached' });
  check();
  await close();
});

test('the tour where what was opened has no text begins with the sample, too', async () => {
  const { page, check, close } = await open(site);
  await dropMade(page, { name: 'zero.txt', parts: [3000] });
  await row(page, 'zero.txt', 'failed');
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByRole('button', { name: 'tour' }).click();
  await page.locator('.tour').waitFor();
  await row(page, 'Sample');
  check();
  await close();
});

test('without the host: what is not kept is greyed, with the reason; what was opened once can be had', async (t) => {
  const host = await staticHost(t);
  const { page } = await visit(t, site.browser, host.url, { ignore: /ERR_|error occurred when fetching the script|Failed to update a ServiceWorker/ });
  await bound(page);
  await choose(page, 3);
  await told(page);
  await page.locator('#ledger').getByText('Offline use: ready.').waitFor();
  await page.keyboard.press('Escape');
  await host.close();
  await page.getByRole('button', { name: `Remove ${examples[3]}` }).click();
  await page.locator('.empty').waitFor();
  // The page does not know that the host is gone.
  await page.locator('.example').nth(1).click();
  await onScreen(page, /Statutes of a tool library\.md could not be fetched/).waitFor();
  await page.locator('.example[aria-disabled]').nth(3).waitFor();
  await page.reload();
  await page.locator('.example[aria-disabled]').nth(3).waitFor();
  assert.match(await page.locator('.example').nth(1).innerText(), /Needs the network/);
  await page.locator('.example').nth(1).press('Enter');
  await choose(page, 3);
  assert.equal(await page.locator('.doc').count(), 1);
});

for (const [name, root] of Object.entries({ 'seam serve': () => site.url, 'a plain host': async (t) => (await staticHost(t)).url })) {
  test(`the sealed page has all of it: ${name}`, async (t) => {
    const { page, check } = await visit(t, site.browser, `${await root(t)}sealed/`, { ignore: sandboxWarning });
    await bound(page);
    await choose(page, 0);
    await page.locator('.tour-offer').getByRole('button', { name: 'Take the tour' }).press('Enter');
    await says(page, 1, steps[0]);
    assert.equal(await page.evaluate(() => localStorage.getItem('seam.tour')), null, 'it keeps nothing');
    check();
  });
}

for (const [name, options] of Object.entries({ wide: {}, '360 px dark': { ...phone, colorScheme: 'dark' } })) {
  test(`axe finds nothing: ${name}`, async () => {
    const { page, check, close } = await open(site, { reducedMotion: 'reduce', ...options });
    const scan = async (state) => {
      await accessible(page, state);
    };
    await page.locator('.example').first().waitFor();
    await scan('gallery');
    await choose(page, 4);
    await page.locator('.tour-offer').waitFor();
    await scan('offered');
    await page.locator('.tour-offer').getByRole('button', { name: 'Take the tour' }).press('Enter');
    for (const [i, title] of steps.entries()) {
      await says(page, i + 1, title);
      if (i === 0 || i === 3) await scan(title);
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Escape');
    await add(page, 'Example documents');
    await page.locator('dialog .example').first().waitFor();
    await scan('gallery once more');
    check();
    await close();
  });
}
