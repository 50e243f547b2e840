import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pkOf } from '../../lib/pk.ts';

test('who cuts alike is 0 apart, and of nothing there is no distance', () => {
  assert.equal(pkOf([3, 6], [3, 6], 9), 0);
  assert.equal(pkOf([], [], 9), 0);
  assert.equal(pkOf([], [], 0), 0);
  assert.equal(pkOf([1], [], 1), 0);
});

test('counted by hand: one boundary of two is missed', () => {
  // Nine sentences in chunks of three, so k = 2. Of the pairs 0–2 … 6–8, 4–6 and 5–7 cross
  // the boundary at 6.
  assert.equal(pkOf([3, 6], [3], 9), 2 / 7);
  // A boundary moved by one: 2–4 and 3–5 cross the one at 4, 1–3 and 2–4 the one at 3, so
  // 1–3 and 3–5 differ.
  assert.equal(pkOf([3, 6], [4, 6], 9), 2 / 7);
});

test('a boundary everywhere is as far as it gets from none, and twice in one place counts once', () => {
  assert.equal(pkOf([], [1, 2, 3, 4, 5, 6, 7, 8], 9), 1);
  assert.equal(pkOf([3, 3], [3], 6), pkOf([3], [3, 3], 6));
});
