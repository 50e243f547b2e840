// Typed numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedNumber } from '../../lib/typed-number.ts';

test('decimals are behind a comma or a point', () => {
  assert.deepEqual(['0,25', '0.25', ' 7 ', '-1,5'].map(typedNumber), [0.25, 0.25, 7, -1.5]);
});

test('what is no number is none', () => {
  assert.deepEqual(['', ' ', 'half', '1.000,5', '1,2,3'].map(typedNumber), [NaN, NaN, NaN, NaN, NaN]);
});
