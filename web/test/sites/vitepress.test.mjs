// A site built by VitePress with the plugin, searched in Chromium. Its pages change without
// loading. make test-long runs it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS, web } from '../browser/harness.mjs';
import { staticHost } from '../browser/static-host.mjs';

let dir;
let built;
let browser;
/** Builds the site below a path that only the command line sets. */
function build(seam = resolve(web, process.env.SEAM ?? '../bin/seam')) {
  execFileSync('npx', ['vitepress', 'build', 'docs', '--base', '/handbook/'], { cwd: dir, env: { ...process.env, SEAM: seam }, stdio: ['ignore', 'ignore', 'pipe'] });
}

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-vitepress-'));
  built = join(dir, 'docs/.vitepress/dist');
  const write = (name, text) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  // Installed as from the registry, without files that the package omits.
  execFileSync('npm', ['pack', '--silent', '--pack-destination', dir, join(web, 'plugins/vitepress')], { stdio: ['ignore', 'ignore', 'inherit'] });
  write('package.json', '{"private":true,"type":"module","devDependencies":{"vitepress":"1.6.4","vue":"3.5.22","vitepress-seam":"file:vitepress-seam-1.0.0.tgz"},"overrides":{"rollup":"4.67.4"}}');
  write('docs/.vitepress/config.js', `import { withSeam } from 'vitepress-seam';
    export default withSeam({ title: 'Loom handbook', themeConfig: { nav: [{ text: 'Warp', link: '/guide/warp' }] } }, { exclude: ['drafts/**'] });`);
  write('docs/.vitepress/theme/index.js', "export { default } from 'vitepress-seam/theme';");
  write('docs/drafts/loom.md', '# A loom of canisters\n\nA film canister is a loom.\n');
  write('docs/index.md', '# Loom\n\nThe loom lifts shafts.\n');
  write('docs/guide/warp.md', '# Warping\n\nA warp is wound on the board.\n\n## Slack threads\n\nHang a film canister on a thread that is loose.\n');
  execFileSync('npm', ['install', '--no-fund', '--no-audit', '--silent'], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  build();
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
  assert.equal(await page.getByRole('option', { name: /canisters/ }).count(), 0, 'drafts are excluded');
  await page.keyboard.press('Enter');
  await page.waitForURL(/warp(\.html)?#slack-threads$/);
});

test('without seam the build fails and says what to do', () => {
  assert.throws(() => build('/no/such/seam'), (e) => /there is no program \/no\/such\/seam: put seam into the PATH, or name it by the option program or the variable SEAM/.test(e.stderr));
});
