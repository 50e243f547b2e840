// Another version of the page: a real build from a copy of the sources with some words
// changed.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { web } from './harness.mjs';

const leave = new Set(['.git', 'node_modules', '.cache', 'bin', '.work']);

/** The changes: in the page, in a bundle that it loads later, in the engine. */
const edits = [
  ['web/app/words/en/page.ts', 'Search your documents', 'Search the next version'],
  ['web/app/words/en/views.ts', "tab: 'Chunks'", "tab: 'Pieces'"],
  ['wasm/engine/main.go', 'var version = "dev"', 'var version = "next"'],
];

/** Builds it. The caller must remove `dir`. */
export function nextVersion() {
  const root = resolve(web, '..');
  const copy = mkdtempSync(join(tmpdir(), 'seam-next-'));
  const wanted = (from) => !leave.has(basename(from)) && from !== join(web, 'dist');
  for (const part of ['go.mod', 'go.sum', 'shared', 'wasm', 'web', 'proxy']) {
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: wanted });
  }
  for (const [file, from, to] of edits) {
    const before = readFileSync(join(copy, file), 'utf8');
    if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(join(copy, file), before.replace(from, to));
  }
  // Compressed files are cached by content, and packages are shared.
  const cache = join(web, '.cache');
  if (!existsSync(cache)) mkdirSync(cache);
  for (const shared of ['.cache', 'node_modules']) symlinkSync(join(web, shared), join(copy, 'web', shared));
  const dir = join(copy, 'built');
  execFileSync('go', ['run', './web/build', '--out', dir], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
  return { dir, remove: () => rmSync(copy, { recursive: true }) };
}
