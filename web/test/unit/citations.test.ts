import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Citations } from '../../lib/citations.ts';

/** Returns the parts of a stream of pieces, with neighbouring texts joined. */
function stream(...pieces: string[]): (string | number)[] {
  const citations = new Citations();
  const parts: (string | number)[] = [];
  for (const part of [...pieces.flatMap((piece) => citations.push(piece)), ...citations.end()]) {
    const last = parts.length - 1;
    if (typeof part === 'string' && typeof parts[last] === 'string') parts[last] += part;
    else parts.push(part);
  }
  return parts;
}

test('numbers of passages, alone and in lists', () => {
  assert.deepEqual(stream('Curd is cut [1]. It drains [2, 13][4].'), [
    'Curd is cut ',
    1,
    '. It drains ',
    2,
    13,
    4,
    '.',
  ]);
});

test('wherever the pieces are cut, it is the same', () => {
  const text = 'So [1] and [2,3]; a[i] = [x] and [12, 7] or [ and [123] and [4';
  const whole = stream(text);
  assert.deepEqual(whole, ['So ', 1, ' and ', 2, 3, '; a[i] = [x] and ', 12, 7, ' or [ and [123] and [4']);
  for (let i = 0; i <= text.length; i++)
    assert.deepEqual(stream(text.slice(0, i), text.slice(i)), whole, `cut at ${i}`);
  assert.deepEqual(stream(...text), whole);
});

test('what is no number of a passage is not held back for long', () => {
  const citations = new Citations();
  assert.deepEqual(citations.push('a ['), ['a ']);
  assert.deepEqual(citations.push('b'), ['[b']);
  assert.deepEqual(citations.push(`[${'1, '.repeat(40)}`), [`[${'1, '.repeat(40)}`]);
});
