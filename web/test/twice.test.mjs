// The runner that gives failed files a second chance: a fault still fails.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const twice = fileURLToPath(new URL('twice.mjs', import.meta.url));

/** Runs files with these contents. `HERE` in them is their folder. */
function run(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'seam-twice-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, `import { test } from 'node:test';\n${text.replaceAll('HERE', folder)}`);
    return path;
  });
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT; // it is a run of its own
  return spawnSync(process.execPath, [twice, ...paths], { encoding: 'utf8', env });
}

const fine = "test('fine', () => {});";
const once = `import { existsSync, writeFileSync } from 'node:fs';
test('fails once', () => {
  const been = existsSync('HERE/been');
  writeFileSync('HERE/been', '');
  if (!been) throw new Error('first');
});`;

test('files without a failure run once', (t) => {
  const { status, stdout } = run(t, { 'a.test.mjs': fine });
  assert.equal(status, 0);
  assert.equal(stdout.match(/^# pass 1$/gm).length, 1);
  assert.doesNotMatch(stdout, /once more/);
});

test('a file that fails the first time only passes, and the end names the test', (t) => {
  const { status, stdout } = run(t, { 'a.test.mjs': fine, 'b.test.mjs': once });
  assert.equal(status, 0);
  assert.match(stdout, /1 of the files failed and run once more: b\.test\.mjs/);
  assert.match(stdout, /# failed the first time only: fails once \(b\.test\.mjs\)\n$/);
  assert.equal(stdout.match(/^ok \d+ - fine$/gm).length, 1, 'the others do not run again');
});

test('a fault fails: in a test, in a file, beside one that fails once', (t) => {
  for (const fault of ["test('fault', () => { throw new Error('always'); });", "throw new Error('in the file');", 'import \'./missing.mjs\';'])
    assert.equal(run(t, { 'a.test.mjs': fault, 'b.test.mjs': once }).status, 1, fault);
});
