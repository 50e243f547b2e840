// Cuts that split a table or a listing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementCuts, hasBlocks } from '../../lib/block-cuts.ts';
import { KIND } from '../../lib/element-marks.ts';

test('by elements, a cut parts a table, with what is in it, or a listing', () => {
  const elements = Int32Array.from([
    KIND.quote,
    0,
    9,
    KIND.table,
    10,
    30,
    KIND.row,
    10,
    20,
    KIND.cell,
    12,
    20,
    KIND.listing,
    14,
    18,
    KIND.listing,
    40,
    50,
  ]);
  const cuts = elementCuts(elements);
  assert.deepEqual([11, 18, 20, 29, 41, 49].map(cuts), Array(6).fill(true));
  assert.deepEqual([0, 5, 9, 10, 30, 31, 40, 50, 60].map(cuts), Array(9).fill(false));
  assert.equal(hasBlocks(elements), true);
});

test('a text without tables and listings has nothing to part', () => {
  const list = Int32Array.from([KIND.list, 3, 8]); // ends of elements must not count as kinds
  assert.equal(hasBlocks(list), false);
  assert.equal(elementCuts(list)(4), false);
  assert.equal(elementCuts(new Int32Array())(0), false);
});
