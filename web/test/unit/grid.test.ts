import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridAsCsv } from '../../app/grid/grid-save.ts';
import { characters, deepest, nameOf } from '../../lib/grid.ts';
import { rounded } from '../../lib/rounded.ts';

test('numbers are rounded as Go rounds them: of two that are as near to the even one', () => {
  for (const [value, decimals, want] of [
    [105.125, 2, 105.12],
    [4.375, 2, 4.38],
    [1.005, 2, 1],
    [1 / 64, 5, 0.01562],
    [3 / 64, 5, 0.04688],
    [-4.625, 2, -4.62],
    [2.5, 0, 2],
    [3.5, 0, 4],
    [2 / 3, 5, 0.66667],
    [1234.5678, 2, 1234.57],
    [-1e-9, 5, 0],
  ] as const) {
    assert.ok(Object.is(rounded(value, decimals), want), `${value}: ${rounded(value, decimals)}`);
  }
});

test('how deep a grid looks, and the names of settings', () => {
  assert.equal(deepest({ depths: [5], tokens: [1000] }, 100), 11);
  assert.equal(deepest({ depths: [5], tokens: [] }, 0), 5);
  assert.equal(nameOf({ method: 'fixed', size: 128, ranker: 'keyword', chunks: 1, tokens: 1 }), 'fixed 128, keyword');
  assert.equal(
    nameOf({ method: 'semantic', embedder: 'builtin', ranker: 'hybrid', chunks: 1, tokens: 1 }),
    'semantic, builtin, hybrid',
  );
});

test('characters are counted as Go counts them', () => {
  const text = 'a😀b𝒳c';
  const at = characters(text);
  assert.deepEqual([0, 1, 3, 4, 6, 7].map(at), [0, 1, 2, 3, 4, 5]);
  assert.equal(characters('plain')(4), 4);
});

test('a model whose folder has a comma and quotes in its name stays one cell of the CSV', () => {
  const none = { mean: 0, low: null, high: null };
  const row = {
    method: 'semantic',
    size: 128,
    embedder: 'static:small, "mine"',
    ranker: 'hybrid',
    chunks: 3,
    tokens: 90,
    depths: [],
    budgets: [],
    mrr: none,
    millis: 0,
    against: none,
    tie: false,
  };
  const [head = '', line = ''] = gridAsCsv({ questions: 1, goal: '', rows: [row] }, 0).split('\r\n');
  assert.ok(line.startsWith('semantic,128,"static:small, ""mine""",hybrid,3,90,'), line);
  assert.equal(line.replace(/"(?:[^"]|"")*"/, 'x').split(',').length, head.split(',').length);
});
