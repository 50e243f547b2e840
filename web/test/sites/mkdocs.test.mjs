// A site that MkDocs Material builds, as its recipe says, searched in Chromium. It needs
// Python; make test-long runs it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS } from '../browser/harness.mjs';
import { staticHost } from '../browser/static-host.mjs';

const version = '9.8.1';
let dir;
let browser;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-mkdocs-'));
  const write = (name, text) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  write('mkdocs.yml', 'site_name: Loom handbook\ntheme:\n  name: material\n  font: false\n  custom_dir: overrides\nplugins: [search]\nextra_javascript:\n  - {path: seam/widget.js, type: module}\n');
  write('overrides/partials/search.html', '<seam-search index="{{ "seam/" | url }}"></seam-search>\n');
  write('docs/index.md', '# Loom\n\nThe loom lifts shafts.\n\n## Install\n\nConnect the cable.\n');
  write('docs/guide/warp.md', '# Warping\n\nA warp is wound on the board.\n\n## Slack threads\n\nHang a film canister on a thread that is loose.\n\n```python\nloom.tension.set_target(5)\n```\n');
  execFileSync('python3', ['-m', 'venv', join(dir, 'venv')]);
  execFileSync(join(dir, 'venv/bin/pip'), ['install', '-q', `mkdocs-material==${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(join(dir, 'venv/bin/mkdocs'), ['-q', 'build'], { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  execFileSync(process.env.SEAM, ['index', '--site', join(dir, 'site'), '--out', join(dir, 'site/seam')]);
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
  await page.getByRole('combobox', { name: 'Search' }).fill('set_target');
  await page.getByRole('option', { name: /^Warping/ }).first().click();
  await page.waitForURL(/#slack-threads$/);
});
