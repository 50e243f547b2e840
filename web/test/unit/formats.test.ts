// Format detection must pass the test cases of the Go program.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accept, formats, HEAD, inFolder, readable, recognise } from '../../lib/formats.ts';
import { strings } from '../../app/words/en/page.ts';

interface Case {
  name: string;
  blanks?: number;
  head: string;
  format: string;
}

const file = ['.', '..']
  .map((root) => join(process.cwd(), root, 'shared/read/testdata/recognised.json'))
  .find((name) => existsSync(name));
const cases = JSON.parse(readFileSync(file ?? '', 'utf8')) as Case[];

test('files are told apart as in Go', () => {
  assert.ok(cases.length > 30);
  for (const { name, blanks = 0, head, format } of cases) {
    const bytes = Uint8Array.from(' '.repeat(blanks) + head, (byte) => byte.charCodeAt(0));
    assert.equal(recognise(name, bytes).name, format, `${name}, ${JSON.stringify(head)}`);
  }
});

test('what is behind the first kilobyte tells nothing', () => {
  const bytes = new Uint8Array(HEAD + 5).fill(32);
  bytes.set(
    [...'%PDF-'].map((byte) => byte.charCodeAt(0)),
    HEAD,
  );
  assert.equal(recognise('a', bytes).name, 'text');
});

test('the picker, a folder and the sentences have one table', () => {
  const read = formats.filter(({ room }) => room);
  assert.deepEqual(
    accept.split(',').sort(),
    read
      .flatMap(({ extensions = [], mediaTypes = [] }) => [...extensions.map((each) => `.${each}`), ...mediaTypes])
      .sort(),
  );
  for (const and of ['and', 'or'] as const) {
    assert.deepEqual(
      readable(strings[and]).replace(` ${and} `, ', ').split(', ').sort(),
      read.map(({ label }) => label).sort(),
    );
    assert.match(readable(strings[and]), /Seam bundles$/);
  }
  assert.deepEqual(['a.pdf', 'C.MD', 'a.log', 'a.xlsx', 'a', 'txt', '.a.txt', 'a.txt~', ''].map(inFolder), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
  for (const { name, room, label, extensions } of formats) assert.ok(!room || (label && extensions?.length), name);
});
