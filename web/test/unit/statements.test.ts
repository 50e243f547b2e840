// Statements about parts of a text must move with them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, partsOf } from '../../lib/statements.ts';
import type { Statement } from '../../lib/api.ts';

const of = (text: string, part: string, said: string, from = 0): Statement => {
  const start = text.indexOf(part, from);
  return { view: 'reading', start, end: start + part.length, text: said, grounded: true };
};

test('statements of a part stand together, in the order of the text', () => {
  const text = 'One. Two. Three.';
  const parts = partsOf([of(text, 'Two.', 'a'), of(text, 'One.', 'b'), of(text, 'Two.', 'c')]);
  assert.deepEqual(
    parts.map(({ start, statements }) => [start, ...statements.map((each) => each.text)]),
    [
      [0, 'b'],
      [5, 'a', 'c'],
    ],
  );
  assert.deepEqual(partsOf([]), []);
});

test('in another version of a text statements are where their parts stand, and go with those that do not', () => {
  const before = 'Mist. Rain. Snow. Mist.';
  const after = 'New. Mist. Rain? Snow. Mist.';
  const all = [
    of(before, 'Mist.', 'first'),
    of(before, 'Rain.', 'gone'),
    of(before, 'Snow.', 'moved'),
    of(before, 'Mist.', 'last', 6),
  ];
  const kept = moved(all, 'reading', before, after);
  assert.deepEqual(
    kept.map(({ text, start, end }) => [text, after.slice(start, end), start]),
    [
      ['first', 'Mist.', 5],
      ['moved', 'Snow.', 17],
      ['last', 'Mist.', 23],
    ],
  );
  assert.deepEqual(moved(all, 'reading', before, before), all);
  assert.deepEqual(moved(all, 'content', before, after), [], 'of another text nothing is known');
  assert.deepEqual(moved(all, 'reading', before, ''), []);
  assert.deepEqual(moved([{ ...(all[0] as Statement), start: 3, end: 3 }], 'reading', before, after), []);
});
