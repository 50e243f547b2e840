// Runs test files: node test/twice.mjs FILE.... Files with a failure run once more, one after
// the other: on a loaded machine, a browser can be too slow for a test. A fault fails twice.
// The end names the tests that failed the first time only, because they need mending.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const failures = fileURLToPath(new URL('failures.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'seam-twice-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs the files and returns the failures, or null if the runner itself failed. */
function run(files, concurrency) {
  const list = join(folder, `failures-${concurrency}`);
  const { status } = spawnSync(process.execPath, ['--test', '--test-force-exit', '--test-timeout=1200000', `--test-concurrency=${concurrency}`,
    '--test-reporter=tap', '--test-reporter-destination=stdout', `--test-reporter=${failures}`, `--test-reporter-destination=${list}`, ...files], { stdio: 'inherit' });
  const failed = readFileSync(list, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return (status === 0) === (failed.length === 0) ? failed : null;
}

const first = run(process.argv.slice(2), 2);
if (first === null) process.exit(1);
if (first.length > 0) {
  const again = [...new Set(first.map(({ file }) => file))];
  console.log(`# ${again.length} of the files failed and run once more: ${again.map((file) => basename(file)).join(', ')}`);
  const second = run(again, 1);
  const still = second ?? first;
  for (const { file, name } of first.filter((each) => !still.some((other) => other.file === each.file && other.name === each.name)))
    console.log(`# failed the first time only: ${name} (${basename(file)})`);
  if (second === null || second.length > 0) process.exit(1);
}
