// Less common settings: an address that shares them, presets, undo.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { join, resolve } from 'node:path';
import { contextOf, counts, downloaded, drop, makeFixtures, onScreen, open, openSheet, painted, row, saved, start, until, web, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { bound, sandboxWarning, staticHost, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onPage(name, body, { hash = '', file = 'article.pdf', ...options } = {}) {
  test(name, async () => {
    const tab = await open({ ...site, url: site.url + hash }, options);
    if (file) {
      await drop(tab.page, join(work, file));
      await row(tab.page, file);
    }
    await body(tab.page, tab);
    tab.check();
    await tab.close();
  });
}

/** Returns the values of the fields. The search mode appears with the first document. */
const fields = (page) => page.evaluate(() => Object.fromEntries(['method', 'setting', 'min-tokens', 'max-tokens', 'overlap', 'unit', 'view', 'embedder', 'search-mode']
  .map((id) => [id, document.getElementById(id)?.value]).filter(([, value]) => value !== undefined)));
const DEFAULTS = { method: 'semantic', setting: '1', 'min-tokens': '', 'max-tokens': '', overlap: '', unit: '', view: '', embedder: 'auto', 'search-mode': 'hybrid' };
/** Fails with the differences. */
async function show(page, expected) {
  const same = (now) => JSON.stringify(now) === JSON.stringify(Object.fromEntries(Object.keys(now).map((id) => [id, expected[id]])));
  await until(async () => same(await fields(page))).catch(async () => assert.deepEqual(await fields(page), expected));
}

const line = (page) => page.locator('.from-address');
const back = (page) => page.getByRole('button', { name: 'Back to what it was' });
const preset = (page, name) => page.locator(`#preset [data-preset=${name}]`);
const reset = (page) => page.getByRole('button', { name: 'Reset settings' });
/** Simulates pasting an address over the one of an open page. */
const paste = (page, settings) => page.evaluate((text) => { location.hash = `settings=${text}`; }, settings);
/** Waits until the document is cut with the displayed settings. */
const cutBy = (page, method, chunks) => until(async () => {
  const now = await counts(page, 'article.pdf');
  return await page.locator('#method').inputValue() === method && chunks(now.chunks);
});

const SHARED = { ...DEFAULTS, method: 'percentile', setting: '60', 'min-tokens': '5', 'max-tokens': '90', unit: 'words', view: 'content', 'search-mode': 'dense' };
const ADDRESS = 'method=percentile&setting=60&minTokens=5&maxTokens=90&unit=words&view=content&search=dense';

onPage('an address with settings sets them, leaves the address, and mine come back', async (page) => {
  await line(page).waitFor();
  assert.equal(await line(page).locator('span').innerText(), 'Settings from the address.');
  assert.equal(page.url(), site.url, 'it is gone from the address bar');
  await show(page, SHARED);
  await page.reload();
  await line(page).getByText('Settings from the address.').waitFor();
  await show(page, SHARED);
  await drop(page, join(work, 'article.pdf'));
  const { chunks } = await counts(page, 'article.pdf');
  await show(page, SHARED);
  await line(page).getByRole('button', { name: 'Back to mine' }).click();
  await line(page).waitFor({ state: 'hidden' });
  await show(page, DEFAULTS);
  await cutBy(page, 'semantic', (n) => n !== chunks);
  await page.reload();
  await page.locator('#preset button:enabled').first().waitFor(); // all messages have appeared by then
  assert.equal(await line(page).isVisible(), false);
  await show(page, DEFAULTS);
}, { hash: `#settings=${ADDRESS}`, file: '' });

onPage('pasted over the address of an open page, another one too: mine are those before the first', async (page) => {
  await page.locator('#method').selectOption('fixed');
  await page.locator('#max-tokens').fill('40');
  await page.locator('#overlap').fill('10');
  const own = { ...DEFAULTS, method: 'fixed', setting: '1', 'max-tokens': '40', overlap: '10' };
  const { setting, ...rest } = own; // a method without a number leaves its field as it was
  const shown = async () => { const { setting: _, ...now } = await fields(page); return now; };
  assert.deepEqual(await shown(), rest);
  const { chunks } = await counts(page, 'article.pdf');
  await paste(page, ADDRESS);
  await line(page).waitFor();
  await show(page, SHARED);
  await cutBy(page, 'percentile', (n) => n !== chunks);
  assert.equal(page.url(), site.url);
  await paste(page, '');
  await show(page, DEFAULTS);
  await line(page).getByRole('button', { name: 'Back to mine' }).click();
  await until(async () => JSON.stringify(await shown()) === JSON.stringify(rest));
  assert.equal(await page.evaluate(() => localStorage.getItem('seam.from-address')), null);
});

onPage('what is not understood is left out and named; no embedder is chosen; markup is text', async (page) => {
  await paste(page, 'method=percentile&setting=1e9&maxTokens=99999999&embedder=lexical&%3Cimg%20src=x%3E=1&minTokens=4');
  await line(page).getByText('Settings from the address. Left out, as not understood: setting=1e9, maxTokens=99999999, embedder=lexical, 1 other.').waitFor();
  await show(page, { ...DEFAULTS, method: 'percentile', setting: '95', 'min-tokens': '4' });
  await line(page).getByRole('button', { name: 'Back to mine' }).click();
  await show(page, DEFAULTS);
  for (const [text, said] of [['%E0%A4%A=%ZZ', 'Left out'], ['<img src=x onerror=alert(1)>', 'Left out'], ['embedder=hosted:openai:text', 'embedder=hosted:openai:text'], ['maxTokens=5&'.repeat(900), 'too long']]) {
    await paste(page, text);
    await line(page).getByText(said).waitFor();
    await show(page, DEFAULTS);
    assert.equal(await line(page).locator('img').count(), 0);
    assert.equal(page.url(), site.url);
    assert.equal(await line(page).getByRole('button', { name: 'Back to mine' }).isVisible(), false, 'nothing was changed');
    await line(page).getByRole('button', { name: 'Dismiss' }).click();
    await line(page).waitFor({ state: 'hidden' });
  }
  assert.ok(await back(page).isVisible(), 'the address that was followed');
});

onPage('Copy link: the settings alone, and they are the same where it is opened', async (page, { check }) => {
  await page.locator('#method').selectOption('percentile');
  await page.locator('#setting').fill('60');
  await page.locator('#max-tokens').fill('90');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await onScreen(page, 'Copied: an address').waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(address, `${site.url}#settings=method=percentile&setting=60&maxTokens=90`);
  const other = await open({ ...site, url: address });
  await line(other.page).waitFor();
  await show(other.page, { ...DEFAULTS, method: 'percentile', setting: '60', 'max-tokens': '90' });
  other.check();
  await other.close();
  check();
}, { permissions: ['clipboard-read', 'clipboard-write'] });

onPage('where the page may not copy, the address is shown and selected', async (page) => {
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.locator('#unit').selectOption('chars');
  await page.getByRole('button', { name: 'Copy link' }).click();
  const field = page.getByLabel('Address with these settings');
  await field.waitFor();
  assert.equal(await page.evaluate(() => getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), `${site.url}#settings=unit=chars`);
  await page.locator('#unit').selectOption('words');
  await field.waitFor({ state: 'hidden' }); // it would be another one now
});

for (const [name, root] of Object.entries({ 'seam serve': () => site.url, 'a plain host': async (t) => (await staticHost(t)).url })) {
  for (const entry of ['', 'sealed/']) {
    test(`an address is followed at any place, on a first visit too: ${name}, /${entry}`, async (t) => {
      const at = `${await root(t)}${entry}`;
      const { page, check } = await visit(t, site.browser, `${at}#settings=method=percentile&maxTokens=90`, { ignore: sandboxWarning });
      await bound(page);
      await line(page).getByText('Settings from the address.').waitFor();
      await show(page, { ...DEFAULTS, method: 'percentile', setting: '95', 'max-tokens': '90' });
      assert.equal(page.url(), at);
      await page.getByRole('button', { name: 'Copy link' }).click();
      const copied = onScreen(page, 'Copied: an address');
      await copied.or(page.getByLabel('Address with these settings')).first().waitFor();
      t.diagnostic(`copies by itself: ${await copied.isVisible()}`);
      if (!await copied.isVisible()) assert.equal(await page.getByLabel('Address with these settings').inputValue(), `${at}#settings=method=percentile&maxTokens=90`);
      await line(page).getByRole('button', { name: 'Back to mine' }).click();
      await show(page, DEFAULTS);
      check();
    });
  }
}

for (const [what, without] of [['comes', /^$/], ['is not there', /^sw\.js$/], ['cannot be installed', /^files-/]]) {
  test(`settings stay in the address as long as the page may load itself again: the service worker ${what}`, async (t) => {
    const host = await staticHost(t, { held: /^sw\.js$/, without });
    const { page } = await visit(t, site.browser, `${host.url}#settings=method=percentile&maxTokens=90`, { ignore: /./ });
    await page.locator('#method:enabled').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Copy link' }).waitFor(); // the settings bundle is loaded
    await painted(page);
    assert.match(page.url(), /#settings=/);
    host.release();
    if (what === 'comes') await bound(page);
    await line(page).getByText('Settings from the address.').waitFor();
    await show(page, { ...DEFAULTS, method: 'percentile', setting: '95', 'max-tokens': '90' });
    await line(page).getByRole('button', { name: 'Back to mine' }).click();
    await show(page, DEFAULTS);
  });
}

onPage('titles before each chunk: they count, a card shows them, the command line makes the same, and a link has them', async (page) => {
  const plain = await downloaded(page);
  assert.ok(plain.chunks.every(({ header }) => !header));
  const box = page.getByRole('checkbox', { name: 'Titles before each chunk' });
  await box.check();
  await page.waitForFunction((tokens) => !document.querySelector('.card')?.textContent.includes(`${tokens}\u00a0tokens`), plain.chunks[0].tokens);
  const now = await downloaded(page);
  const made = execFileSync(resolve(web, process.env.SEAM ?? '../bin/seam'), ['chunk', '--headers', '--format', 'jsonl', 'article.pdf'], { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim().split('\n').map((each) => JSON.parse(each));
  assert.deepEqual(now.chunks.map(({ header, tokens }) => [header, tokens]), made.map(({ header, tokens }) => [header, tokens]));
  assert.ok(now.chunks[0].header);
  await page.locator('.card').first().getByText(now.chunks[0].header).waitFor();
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  assert.ok(await box.isChecked(), 'remembered');
  await paste(page, 'headers=0');
  await until(async () => !await box.isChecked());
  await paste(page, 'headers=1');
  await until(async () => box.isChecked());
});

onPage('presets set known values, and one is shown as chosen until something is changed', async (page) => {
  const chosen = async () => (await page.locator('#preset [aria-pressed=true]').allTextContents()).join();
  assert.equal(await chosen(), 'For answers');
  const { chunks } = await counts(page, 'article.pdf');
  await page.getByRole('button', { name: 'For search' }).click();
  await show(page, { ...DEFAULTS, 'max-tokens': '128' });
  await cutBy(page, 'semantic', (n) => n > chunks);
  assert.equal(await chosen(), 'For search');
  await preset(page, 'long').click();
  await show(page, { ...DEFAULTS, 'min-tokens': '400', 'max-tokens': '2000' });
  await page.locator('#search-mode').evaluate((select) => { select.value = 'keyword'; select.dispatchEvent(new Event('change')); });
  assert.equal(await chosen(), 'For long context', 'how things are searched is no part of it');
  await preset(page, 'langchain').click();
  const { setting, ...rest } = await fields(page);
  assert.deepEqual(rest, { ...Object.fromEntries(Object.entries(DEFAULTS).filter(([id]) => id !== 'setting')), method: 'recursive', 'max-tokens': '1000', overlap: '200', unit: 'chars', 'search-mode': 'keyword' });
  await page.locator('#overlap').fill('150');
  assert.equal(await chosen(), '');
  await page.locator('#overlap').fill('200');
  assert.match(await chosen(), /LangChain/);
  await reset(page).click();
  assert.equal(await chosen(), 'For answers');
});

onPage('back to what it was: a method, a number typed, a slider that was dragged, a preset, an address, a reset', async (page) => {
  assert.equal(await back(page).isVisible(), false, 'nothing was changed yet');
  const states = [DEFAULTS];
  const changed = async () => { states.push(await fields(page)); };
  await page.locator('#method').selectOption('percentile');
  await changed();
  await page.locator('#max-tokens').pressSequentially('400'); // three changes, one step
  await changed();
  const box = await page.locator('#threshold').boundingBox();
  await page.mouse.move(box.x + box.width - 10, box.y + box.height / 2);
  await page.mouse.down();
  for (const share of [0.7, 0.5, 0.3]) await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
  await page.mouse.up();
  await changed();
  assert.notEqual(states.at(-1).setting, states.at(-2).setting);
  await preset(page, 'short').click();
  await changed();
  await paste(page, ADDRESS);
  await show(page, SHARED);
  await changed();
  await reset(page).click();
  await show(page, { ...DEFAULTS, 'search-mode': 'dense' }); // a reset keeps the search mode
  for (const state of states.reverse()) {
    await back(page).click();
    await show(page, state);
  }
  assert.equal(await back(page).isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Reset settings', 'the focus is not lost');
  await cutBy(page, 'semantic', () => true);
  await page.reload();
  await show(page, DEFAULTS);
});

test('a document of a bundle is cut as in its bundle again', async () => {
  execFileSync(resolve(web, process.env.SEAM ?? '../bin/seam'), ['bundle', '-o', join(work, 'settings.seam'), '--method', 'recursive', '--max-tokens', '60', 'article.pdf'], { cwd: work, stdio: 'ignore' });
  const { page, check, close } = await open(site);
  await drop(page, join(work, 'settings.seam'));
  const bundled = page.locator('.bundled').getByText('Cut as in the bundle: Recursive');
  await bundled.waitFor();
  const { chunks } = await counts(page, 'article.pdf');
  await page.locator('#method').selectOption('page');
  await bundled.waitFor({ state: 'hidden' });
  await cutBy(page, 'page', (n) => n !== chunks);
  await back(page).click();
  await bundled.waitFor();
  await cutBy(page, 'semantic', (n) => n === chunks);
  check();
  await close();
});

test('a change that was made before the bundle had come can be undone', async () => {
  const { page, close } = await open(site);

  const held = [];
  await page.route(/\/settings-\w+\.js/, (route) => held.push(route));
  await page.locator('#method').selectOption('fixed');
  await until(() => held.length > 0);
  for (const route of held) await route.continue();
  await back(page).click();
  await until(async () => await page.locator('#method').inputValue() === 'semantic');
  await close();
});

onPage('by keyboard alone: a preset, the way back, the link', async (page) => {
  await preset(page, 'short').focus();
  await page.keyboard.press('Enter');
  await show(page, { ...DEFAULTS, 'max-tokens': '128' });
  await reset(page).focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Back to what it was');
  await page.keyboard.press('Enter');
  await show(page, DEFAULTS);
  await page.locator('.said').getByText('as they were before the last change').waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await onScreen(page, 'Copied: an address').waitFor();
}, { permissions: ['clipboard-read', 'clipboard-write'] });

const looks = { wide: {}, '360 px': { viewport: { width: 360, height: 740 }, hasTouch: true } };
for (const [name, options] of Object.entries(looks)) {
  onPage(`accessible, and large enough for a finger: ${name}`, async (page) => {
    const scan = async (state) => {
      await accessible(page, state);
    };
    const phone = name.startsWith('360');
    const large = async (...buttons) => {
      for (const button of phone ? buttons : []) {
        const { width, height } = await button.boundingBox();
        assert.ok(width >= 44 && height >= 44, `${await button.evaluate((b) => b.outerHTML)}: ${width} × ${height}`);
      }
    };
    await paste(page, `${ADDRESS}&colour=red`);
    await line(page).waitFor();
    await large(line(page).locator('button').first(), line(page).locator('button').last());
    await scan('line');
    await openSheet(page);
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByLabel('Address with these settings').waitFor();
    await large(preset(page, 'short'), preset(page, 'long'), reset(page), back(page), page.getByRole('button', { name: 'Copy link' }));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    await scan('settings');
  }, options);
}

test('every field has a label before the engine has loaded, and after it could not be', async () => {
  const context = await contextOf(site.browser, { viewport: { width: 1400, height: 860 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  let end;
  const ended = new Promise((resolve) => { end = resolve; });
  await page.route(/\/engine-[^/]*\.wasm/, async (route) => {
    await ended;
    await route.abort();
  });
  await page.goto(site.url);
  const number = page.getByRole('spinbutton', { name: 'Setting', exact: true });
  await number.waitFor();
  assert.equal(await number.isDisabled(), true);
  await accessible(page, 'before the engine');
  end();
  await page.locator('.failure:not([hidden])').waitFor();
  await accessible(page, 'without the engine', ':root', { others: [] });
  await context.close();
});
