import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedChunks } from '../../app/moving.ts';

const curve = Float32Array.from([0.25, 0.75, 0.5]);

test('rows become chunks with pages and reasons', () => {
  const rows = Int32Array.from([
    0, 10, 4, 1, 1, 1,
    11, 30, 9, 1, 3, -1,
    31, 34, 2, 0, 0, -2,
    35, 36, 2, 0, 0, -3,
    37, 40, 2, 0, 0, 2,
  ]);
  const { chunks, boundaries } = movedChunks(rows, curve, 0.6, 'distance');
  assert.deepEqual(chunks.map(({ start, end, tokens, page, pages, reason }) => [start, end, tokens, page, pages, reason]), [
    [0, 10, 4, 1, [1], 'drop 0.75 > 0.60'],
    [11, 30, 9, 1, [1, 2, 3], 'max tokens'],
    [31, 34, 2, 0, [], 'manual'],
    [35, 36, 2, 0, [], 'manual'],
    [37, 40, 2, 0, [], 'end'],
  ]);
  assert.deepEqual([...boundaries], [1, 0]);
});

test('each kind of curve says it in its own way', () => {
  const rows = Int32Array.from([0, 1, 1, 0, 0, 0, 2, 3, 1, 0, 0, -1]);
  assert.equal(movedChunks(rows, curve, 0.3, 'similarity').chunks[0]?.reason, 'similarity 0.25 < 0.30');
  assert.equal(movedChunks(rows, curve, 0.2, 'gradient').chunks[0]?.reason, 'rise 0.25 > 0.20');
});

test('a strength as the engine writes it, and a heading that was one', () => {
  const strengths = Float32Array.from([-3, 1.25, 3, 0.75]);
  const rows = Int32Array.from([0, 1, 1, 0, 0, 0, 2, 3, 1, 0, 0, 1, 4, 5, 1, 0, 0, 2, 6, 7, 1, 0, 0, -1, 8, 9, 1, 0, 0, -1]);
  const { chunks } = movedChunks(rows, strengths, -3, 'strength', new Set([5]));
  assert.deepEqual(chunks.map(({ reason }) => reason), ['topic 0.12', 'topic 2.4', 'heading', 'max tokens', 'end']);
});

test('no rows are no chunks', () => {
  assert.deepEqual(movedChunks(new Int32Array(), curve, 0.5, 'distance').chunks, []);
});
