// The check of messages.mjs must reject fields unknown to one side.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { constants, place } from './messages.mjs';

/** Returns the errors of tsc after one message has been changed. */
function complaints(t, name, value) {
  const dir = mkdtempSync(join(dirname(place), 'types-')); // next to it, so that imports resolve
  t.after(() => rmSync(dir, { recursive: true }));
  const source = constants((each, old) => (each === name ? { ...old, ...value } : old)).replaceAll("'../lib/", "'../../lib/");
  writeFileSync(join(dir, 'messages.ts'), source);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions', '--ignoreConfig', '--target', 'es2022', '--lib', 'es2023,dom', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const { stdout } = spawnSync('node_modules/.bin/tsc', [...options, join(dir, 'messages.ts')], { cwd: dirname(dirname(place)), encoding: 'utf8' });
  return stdout;
}

test('the messages as they are', (t) => assert.equal(complaints(t, '', {}), ''));

for (const [what, [name, change]] of Object.entries({
  'a field that only Go has': ['hello_result', { unheard_of: true }],
  'a field that only these types have': ['hello_result', { protocol: undefined }],
  'an error that these types do not have': ['error_bad_model_error', { code: 'unheard-of' }],
})) {
  test(what, (t) => assert.match(complaints(t, name, change), /error TS\d+/));
}
