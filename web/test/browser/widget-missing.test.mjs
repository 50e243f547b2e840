// The widget's link for readers who miss something.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, FLAGS } from './harness.mjs';
import { accessible } from './looks.mjs';
import { staticHost, visit } from './static-host.mjs';

let browser;
let dir;
const feedbacks = {
  'page.html': 'https://tracker.example/new?title={query}&body=In%20search:%20{query}',
  'mail.html': 'mailto:docs@loom.example?subject={query}',
  'script.html': 'javascript:alert({query})',
  'own.html': '{query}',
  'none.html': '',
  'de.html': 'tell.html?q={query}',
};
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-missing-'));
  for (const [name, feedback] of Object.entries(feedbacks)) {
    writeFileSync(join(dir, name), `<!doctype html><html lang="${name === 'de.html' ? 'de' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Tension</title></head><body><main><h1>Tension</h1><p>The tension is set by a lever.</p></main><seam-search index="/seam/" feedback="${feedback}"></seam-search><script type="module" src="/seam/widget.js"></script></body></html>`);
  }
  execFileSync(process.env.SEAM, ['index', '--site', dir, '--out', join(dir, 'seam')]);
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

/** Opens a page with its search open, and records warnings for the owner. */
async function open(t, name, { cancel = false, ...options } = {}) {
  const host = await staticHost(t, { dir, base: '/' });
  const { page, context, check } = await visit(t, browser, host.url + name, { ignore: /feedback=/, ...options });
  const warnings = [];
  page.on('console', (m) => warnings.push(m.text()));
  await page.waitForFunction(() => customElements.get('seam-search'));
  await page.evaluate((stop) => {
    window.told = [];
    document.addEventListener('seam:missing', (e) => {
      window.told.push(e.detail);
      if (stop) e.preventDefault();
    });
  }, cancel);
  await page.keyboard.press('Control+k');
  const find = async (query) => {
    const shown = page.evaluate(() => new Promise((done) => document.addEventListener('seam:search', () => done(), { once: true })));
    await page.getByRole('combobox').fill(query);
    await shown;
  };
  return { page, context, host, check, warnings, find, link: page.locator('seam-search a.tell') };
}

test('a reader who misses something is led to the owner with the query', async (t) => {
  const { page, context, check, find, link } = await open(t, 'page.html', { cancel: true });
  assert.equal(await link.count(), 0, 'before a search');
  await find('tension & lever?');
  assert.equal(await link.getAttribute('href'), 'https://tracker.example/new?title=tension%20%26%20lever%3F&body=In%20search:%20tension%20%26%20lever%3F');
  await find('xylophone \ud800 ');
  await page.getByText('Nothing found for').waitFor();
  assert.equal(await link.innerText(), 'Something missing? Tell us');
  assert.ok((await link.getAttribute('href')).endsWith('title=xylophone%20%EF%BF%BD&body=In%20search:%20xylophone%20%EF%BF%BD'));
  await find('x'.repeat(5000));
  assert.ok((await link.getAttribute('href')).length < 1000);
  await find('zither');
  await link.press('Enter');
  assert.deepEqual(await page.evaluate(() => window.told), [{ query: 'zither', count: 0 }]);
  assert.equal(context.pages().length, 1, 'the owner keeps the reader on the page');
  await page.getByRole('combobox').fill('');
  await page.waitForFunction(() => !document.querySelector('seam-search').shadowRoot.querySelector('.tell'));
  check();
});

test('the link opens a page beside the one that is read, in the words of its language', async (t) => {
  const { context, find, link, host } = await open(t, 'de.html');
  await find('tension');
  assert.equal(await link.innerText(), 'Fehlt etwas? Sagen Sie es uns');
  const opened = context.waitForEvent('page');
  await link.click();
  const other = await opened;
  await other.waitForURL(`${host.url}tell.html?q=tension`);
  assert.equal(await other.evaluate(() => window.opener), null);
});

test('it leads to pages and mailboxes alone', async (t) => {
  const mail = await open(t, 'mail.html');
  await mail.find('a tight warp');
  assert.equal(await mail.link.getAttribute('href'), 'mailto:docs@loom.example?subject=a%20tight%20warp');
  assert.equal(await mail.link.getAttribute('target'), null);
  const script = await open(t, 'script.html');
  await script.find('tension');
  assert.equal(await script.link.count(), 0);
  assert.match(script.warnings.join(), /feedback="javascript:alert\(\{query\}\)" is shown to nobody: it has to begin with https:, http: or mailto:/);
  const own = await open(t, 'own.html');
  await own.find('javascript:alert(1)');
  assert.equal(await own.link.getAttribute('href'), 'javascript%3Aalert(1)', 'a query is no address');
  const none = await open(t, 'none.html');
  await none.find('tension');
  assert.equal(await none.link.count(), 0);
});

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing: ${name}`, async (t) => {
    const { page, find, link } = await open(t, 'page.html', options);
    await find('tension');
    await link.waitFor();
    await page.locator('seam-search dialog').evaluate((e) => Promise.all(e.getAnimations().map((a) => a.finished)));
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT.replace('.png', `-${name}.png`) });
    await accessible(page, 'seam-search', 'seam-search');
  });
}
