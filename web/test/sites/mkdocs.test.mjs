// A site built by MkDocs Material with the plugin, searched in Chromium. It needs Python;
// make test-long runs it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS, web } from '../browser/harness.mjs';
import { staticHost } from '../browser/static-host.mjs';

const version = '9.8.1';
let dir;
let browser;
/** Builds the site with a program. */
function build(seam = resolve(web, process.env.SEAM ?? '../bin/seam')) {
  execFileSync(join(dir, 'venv/bin/mkdocs'), ['-q', 'build'], { cwd: dir, env: { ...process.env, SEAM: seam }, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-mkdocs-'));
  const write = (name, text) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  write('mkdocs.yml', 'site_name: Loom handbook\ntheme:\n  name: material\n  font: false\nplugins:\n  - search\n  - seam:\n      out: find\n      exclude: drafts/**\n      ignore: [.old]\n');
  write('docs/drafts/loom.md', '# A loom of canisters\n\nA film canister is a loom.\n');
  write('docs/index.md', '# Loom\n\nThe loom lifts shafts.\n\n## Install\n\nConnect the cable.\n');
  write('docs/guide/warp.md', '# Warping\n\nA warp is wound on the board.\n\n## Slack threads\n\nHang a film canister on a thread that is loose.\n\n<p class="old">A zither hums.</p>\n\n```python\nloom.tension.set_target(5)\n```\n');
  execFileSync('python3', ['-m', 'venv', join(dir, 'venv')]);
  execFileSync(join(dir, 'venv/bin/pip'), ['install', '-q', `mkdocs-material==${version}`, join(web, 'plugins/mkdocs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  build();
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

test('the header of MkDocs Material has the search, which leads to a section', async (t) => {
  const host = await staticHost(t, { dir: join(dir, 'site'), base: '/handbook/' });
  const context = await contextOf(browser);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`${host.url}guide/warp/`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('film canistr');
  const option = page.getByRole('option', { name: /^Warping/ }).first();
  await option.waitFor();
  assert.ok((await option.getAttribute('href')).endsWith('/handbook/guide/warp/#slack-threads'));
  assert.equal(await page.getByRole('option', { name: /canisters/ }).count(), 0, 'drafts are excluded');
  assert.deepEqual((await page.evaluate(() => document.querySelector('seam-search').search('zither'))).unknown, ['zither'], 'what is ignored');
  await page.getByRole('combobox', { name: 'Search' }).fill('set_target');
  await page.getByRole('option', { name: /^Warping/ }).first().click();
  await page.waitForURL(/#slack-threads$/);
});

test('without seam the build fails and says what to do', () => {
  assert.throws(() => build('/no/such/seam'), (e) => /there is no program \/no\/such\/seam: put seam into the PATH, or name it by the option program or the variable SEAM/.test(e.stderr));
  assert.throws(() => build('/bin/false'), (e) => /\/bin\/false index failed/.test(e.stderr));
});
