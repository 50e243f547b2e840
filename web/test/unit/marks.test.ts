// Parts of a text with and without a look.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksIn, marksOf, withoutHidden } from '../../lib/marks.ts';

/** Returns marks from their numbers in the engine and their words. */
const marksIn = (text: string, ...marks: [look: number, words: string][]) =>
  Int32Array.from(
    marks.flatMap(([look, words]) => {
      assert.ok(text.includes(words), words);
      return [look, text.indexOf(words), text.indexOf(words) + words.length];
    }),
  );

const text = '# Tea\n\nA [list](a.md) of **two**.';
const marks = marksIn(text, [1, '# '], [3, '[list](a.md)'], [1, '['], [1, '](a.md)'], [1, '**']);

test('each number is a look', () => {
  const all = Int32Array.from([1, 2, 3, 4, 5, 6, 7].flatMap((look) => [look, 0, 1]));
  assert.deepEqual(
    [...marksOf(all)].map(({ look }) => look),
    ['mark', 'soft', 'rule', 'bullet', 'number', 'center', 'end'],
  );
  assert.deepEqual([...marksOf(Int32Array.from([0, 0, 1, 8, 0, 1]))], [], 'what is not known stays as it is');
});

test('a part of a text is shown without what is hidden, also where it begins or ends within that', () => {
  const shown = (start: number, end: number) => withoutHidden({ text, marks }, start, end);
  assert.equal(shown(0, text.length), 'Tea\n\nA list of two**.');
  assert.equal(shown(1, 4), 'Te');
  assert.equal(shown(text.indexOf('.md'), text.length), ' of two**.');
  assert.equal(shown(3, text.indexOf('.md')), 'ea\n\nA list');
  assert.equal(shown(0, 1), '');
  assert.equal(withoutHidden({ text, marks: new Int32Array() }, 0, 5), '# Tea');
});

test('a part of a long text is found among many marks', () => {
  const long = '**a** '.repeat(20_000);
  const many = Int32Array.from({ length: 3 * 40_000 }, (_, i) => {
    const start = 6 * Math.floor(i / 6) + 3 * (Math.floor(i / 3) % 2);
    return [1, start, start + 2][i % 3] as number;
  });
  assert.equal(withoutHidden({ text: long, marks: many }, 60_000, 60_012), 'a a ');
});

test('every character is in one stretch', () => {
  const stretches = looksIn([...marksOf(marks)], 3, text.length);
  assert.equal(stretches.map(({ start, end }) => text.slice(start, end)).join(''), text.slice(3));
  assert.deepEqual(
    stretches.filter(({ looks }) => looks.includes('rule')).map(({ looks }) => looks),
    [['rule', 'mark'], ['rule'], ['rule', 'mark']],
  );
});

test('many lines of one listing take no long', () => {
  const n = 300_000;
  const lines = Array.from({ length: n }, (_, i) => ({ start: 2 * i, end: 2 * i + 1, look: 'code' as const }));
  const stretches = looksIn(lines, 0, 2 * n);
  assert.equal(stretches.length, 2 * n);
  assert.deepEqual(stretches.at(-2)?.looks, ['code']);
  assert.deepEqual(stretches.at(-1)?.looks, []);
});
