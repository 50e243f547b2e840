import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '../../lib/api.ts';
import { merged, sameHit } from '../../lib/merge.ts';

const hit = (doc: number, start: number, score = 1): Hit => ({
  doc,
  name: `${doc}.txt`,
  chunk: 0,
  start,
  end: start + 9,
  page: 1,
  pages: [1],
  section: '',
  score,
  parts: [],
  words: [],
  why: '',
  text: '',
  marks: [],
  passage: null,
  written: '',
});

test('what is shown stays where it is, and what is new comes behind it in its order', () => {
  const first = [hit(1, 0), hit(2, 0)];
  const second = [hit(1, 40, 9), hit(2, 0, 8), hit(3, 0, 7), hit(1, 0, 6)];
  const all = merged(first, second);
  assert.deepEqual(
    all.map(({ doc, start }) => [doc, start]),
    [
      [1, 0],
      [2, 0],
      [1, 40],
      [3, 0],
    ],
  );
  assert.equal(all[0], first[0]);
  assert.deepEqual(merged([], second), second);
  assert.deepEqual(merged(first, []), first);
});

test('a hit is the same passage of the same document, whatever speaks for it', () => {
  assert.ok(sameHit(hit(1, 0, 1), hit(1, 0, 2)));
  assert.ok(!sameHit(hit(1, 0), hit(2, 0)));
  assert.ok(!sameHit(hit(1, 0), undefined));
});
