import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasonKind } from '../../lib/api.ts';
import { movedChunks } from '../../app/session/moving.ts';

const curve = Float32Array.from([0.25, 0.75, 0.5]);
const kinds: ReasonKind[] = ['end', 'distance', 'max', 'manual', 'heading'];

test('rows become chunks with pages and reasons', () => {
  const rows = Int32Array.from([
    ...[0, 10, 4, 1, 1, 1, 1, 0],
    ...[11, 30, 9, 1, 3, -1, 2, 0],
    ...[31, 34, 2, 0, 0, -1, 3, 0],
    ...[35, 36, 2, 0, 0, 2, 1, 1],
    ...[37, 40, 2, 0, 0, -1, 0, 0],
  ]);
  const chunks = movedChunks({ rows, kinds, sections: new Map([['0-10', 'Looms']]), curve, threshold: 0.6 });
  assert.deepEqual(
    chunks.map(({ start, end, tokens, page, pages, reason }) => [start, end, tokens, page, pages, reason]),
    [
      [0, 10, 4, 1, [1], { kind: 'distance', value: 0.75, threshold: 0.6 }],
      [11, 30, 9, 1, [1, 2, 3], { kind: 'max' }],
      [31, 34, 2, 0, [], { kind: 'manual' }],
      [35, 36, 2, 0, [], { kind: 'distance', value: 0.5, threshold: 0.6, for: 'max' }],
      [37, 40, 2, 0, [], { kind: 'end' }],
    ],
  );
  assert.deepEqual(
    chunks.map(({ section }) => section),
    ['Looms', '', '', '', ''],
    'of a chunk that is as it was',
  );
});

test('no rows are no chunks', () => {
  assert.deepEqual(movedChunks({ rows: new Int32Array(), kinds, sections: new Map(), curve, threshold: 0.5 }), []);
});
