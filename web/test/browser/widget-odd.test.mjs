// The widget with an unusual host, browser or page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { test } from 'node:test';
import { byExtension, staticHost } from './static-host.mjs';
import { dir, field, look, options, policy, visit } from './widget-site.mjs';

test('several indexes, one of another host, are searched as one', async (t) => {
  const other = mkdtempSync(join(tmpdir(), 'seam-widget-other-'));
  t.after(() => rmSync(other, { recursive: true }));
  writeFileSync(join(other, 'tension.html'), '<html lang="en"><title>Tension elsewhere</title><main><h1 id="t">Tension elsewhere</h1><p>Tension is told in newton by the gauge, and quokkas like it.</p></main>');
  writeFileSync(join(other, 'bells.html'), '<html lang="en"><title>Bells</title><main><h1>Bells</h1><p>A bell rings.</p></main>');
  execFileSync(process.env.SEAM, ['index', '--site', other, '--out', join(other, 'seam')]);
  const there = await staticHost(t, { dir: other, base: '/ref/', headers: (name) => ({ ...byExtension(name), 'access-control-allow-origin': '*' }) });
  const at = new URL(there.url);
  const host = await staticHost(t, {
    dir, base: '/docs/',
    headers: (name) => ({ ...byExtension(name), 'content-security-policy': policy.replace("connect-src 'self'", `connect-src 'self' ${at.origin}`) }),
    change: (name, body) => (name === 'several.html' ? String(body).replace('OTHER', `${there.url}seam/`) : body),
  });
  const { page, check } = await visit(t, 'several.html', { host, ignore: /ERR_CONNECTION_REFUSED/ });
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'tension');
  const titles = () => page.locator('seam-search .title').allInnerTexts();
  const found = await titles();
  assert.ok(found.includes('Tension elsewhere') && found.includes('Tension'), found.join());
  const option = page.getByRole('option', { name: /^Tension elsewhere/ }).first();
  assert.equal(await option.getAttribute('href'), `${there.url}tension.html#t`);
  assert.match(await option.locator('.path').innerText(), new RegExp(at.host));
  await look(page, 'quokkas');
  assert.deepEqual(await titles(), ['Tension elsewhere']);
  assert.equal(await page.locator('seam-search .notes p').count(), 0, 'a word of one index is not unknown');
  await look(page, 'zebra');
  await page.getByText('No page in this search has the word “zebra”.').waitFor();
  const scores = await page.evaluate(async () => {
    const of = async (weights) => {
      const s = document.createElement('seam-search');
      s.setAttribute('index', document.querySelector('seam-search').getAttribute('index'));
      s.setAttribute('weights', weights);
      document.body.append(s);
      return (await s.search('tension')).hits.find((h) => h.title === 'Tension elsewhere').score;
    };
    return [await of('1 1'), await of('1 .25')];
  });
  assert.ok(Math.abs(scores[0] / 4 - scores[1]) < 1e-9, scores.join());
  await there.close();
  await page.reload();
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'tension');
  await page.getByText(`Results of ${at.host} are missing: its search could not be loaded.`).waitFor();
  assert.ok((await titles()).includes('Tension'));
  check();
});

test('an index of another host leads to its pages, and runs nothing on this one', async (t) => {
  const hostile = (name, body) => (/\/t\d+\.\w+\.bin$/.test(name) ? deflateSync(String(inflateSync(body)).replaceAll(/"u":"[^"]*"/g, `"u":"javascript:document.title='run'"`)) : body);
  const there = await staticHost(t, { dir, base: '/ref/', headers: (name) => ({ ...byExtension(name), 'access-control-allow-origin': '*' }), change: hostile });
  const host = await staticHost(t, { dir, base: '/docs/', change: (name, body) => (name === 'several.html' ? String(body).replace('OTHER', `${there.url}seam/`) : body) });
  const { page, check } = await visit(t, 'several.html', { host });
  await page.getByRole('button', { name: 'Search' }).click();
  await look(page, 'tension');
  await page.getByText(`Results of ${new URL(there.url).host} are missing: its search could not be loaded.`).waitFor();
  const protocols = await options(page).evaluateAll((all) => all.map(({ protocol }) => protocol));
  assert.ok(protocols.length > 0 && protocols.every((each) => each === 'http:'), protocols.join());
  check();
});

test('where the browser lets the address be changed no more for a while, there are results all the same', async (t) => {
  const { page, check } = await visit(t, 'find.html');
  await page.evaluate(() => { history.replaceState = () => { throw new DOMException('Attempt to use history.replaceState() more than 100 times per 10 seconds', 'SecurityError'); }; });
  await field(page).fill('tension');
  await options(page).first().waitFor();
  check();
});

test('moved to another place of the page while it is open, it is closed there, and opens again', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  const modal = () => page.evaluate(() => { const dialog = document.querySelector('seam-search').shadowRoot.querySelector('dialog'); return dialog.open && dialog.matches(':modal'); });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('dialog').waitFor();
  assert.equal(await modal(), true);
  await page.evaluate(() => document.body.append(document.querySelector('seam-search')));
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  assert.equal(await modal(), true);
  check();
});

test('what is composed in the field of a theme is taken over when it is whole', async (t) => {
  const { page, check } = await visit(t, 'theme.html');
  await page.keyboard.press('Tab');
  await page.locator('#q:focus').waitFor();
  const cdp = await page.context().newCDPSession(page);
  for (const text of ['k', 'ka']) await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  assert.equal(await page.locator('#q').inputValue(), 'ka');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await cdp.send('Input.insertText', { text: '\u304b' });
  await field(page).waitFor();
  assert.equal(await field(page).inputValue(), '\u304b');
  check();
});

test('a language that is none does not keep anybody from searching', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.evaluate(() => { document.documentElement.lang = 'en.UTF-8'; }); // like a Unix locale
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('tension');
  await page.getByText(/^\d+ pages$/).first().waitFor();
  check();
});

test('what a browser fills in is no key', async (t) => {
  const { page, check } = await visit(t, 'start.html');
  await page.evaluate(() => document.body.dispatchEvent(new Event('keydown', { bubbles: true }))); // like Chromium
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  check();
});
