import assert from 'node:assert/strict';
import { test } from 'node:test';
import { together } from '../../app/ground/announcer.ts';

test('what is said at once has one full stop between two', () => {
  assert.equal(together(['9 chunks']), '9 chunks');
  assert.equal(together(['9 chunks', '2 files could not be read.']), '9 chunks. 2 files could not be read.');
  assert.equal(
    together(['2 files could not be read.', 'Is it saved?', '9 chunks']),
    '2 files could not be read. Is it saved? 9 chunks',
  );
});
