// A site that VitePress builds, as its recipe says, searched in Chromium, where pages change
// without being loaded. make test-long runs it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS } from '../browser/harness.mjs';
import { staticHost } from '../browser/static-host.mjs';

let dir;
let built;
let browser;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-vitepress-'));
  built = join(dir, 'docs/.vitepress/dist');
  const write = (name, text) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  write('package.json', '{"private":true,"type":"module","devDependencies":{"vitepress":"1.6.4","vue":"3.5.22"}}');
  write('docs/.vitepress/config.js', `export default {
    title: 'Loom handbook', base: '/handbook/',
    head: [['script', { type: 'module', src: '/handbook/seam/widget.js' }]],
    vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'seam-search' } } },
    themeConfig: { nav: [{ text: 'Warp', link: '/guide/warp' }] },
  };`);
  write('docs/.vitepress/theme/index.js', `import Default from 'vitepress/theme';
    import { h } from 'vue';
    export default { extends: Default, Layout: () => h(Default.Layout, null, { 'nav-bar-content-before': () => h('seam-search', { index: '/handbook/seam/' }) }) };`);
  write('docs/index.md', '# Loom\n\nThe loom lifts shafts.\n');
  write('docs/guide/warp.md', '# Warping\n\nA warp is wound on the board.\n\n## Slack threads\n\nHang a film canister on a thread that is loose.\n');
  execFileSync('npm', ['install', '--no-fund', '--no-audit', '--silent'], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('npx', ['vitepress', 'build', 'docs'], { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  execFileSync(process.env.SEAM, ['index', '--site', built, '--out', join(built, 'seam')]);
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

test('the header of VitePress has the search, also after the page has changed', async (t) => {
  const host = await staticHost(t, { dir: built, base: '/handbook/' });
  const context = await contextOf(browser);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(host.url);
  await page.getByRole('link', { name: 'Warp', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Slack threads' }).waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('film canistr');
  const option = page.getByRole('option', { name: /^Warping/ }).first();
  await option.waitFor();
  assert.ok((await option.getAttribute('href')).endsWith('/handbook/guide/warp.html#slack-threads'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/warp(\.html)?#slack-threads$/);
});
