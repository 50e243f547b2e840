import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutKinds } from '../../lib/cut-kinds.ts';
import type { Reason } from '../../lib/api.ts';

const of = (...reasons: Reason[]) => Object.fromEntries(cutKinds(reasons.map((reason) => ({ reason }))));

test('each cut is counted once, the end of the text is not counted', () => {
  assert.deepEqual(of(), {});
  assert.deepEqual(of({ kind: 'end' }), {});
  assert.deepEqual(
    of({ kind: 'heading' }, { kind: 'strength', value: 2 }, { kind: 'heading', for: 'max' }, { kind: 'end' }),
    { heading: 2, subject: 1 },
  );
  assert.deepEqual(of({ kind: 'strength', for: 'max' }, { kind: 'manual' }, { kind: 'page' }, { kind: 'end' }), {
    page: 1,
    inside: 1,
    hand: 1,
  });
});

test('a place that only the length needed is where a chunk was full', () => {
  for (const kind of ['max', 'size', 'paragraph', 'line', 'sentence', 'clause', 'word'] as const)
    assert.deepEqual(of({ kind }, { kind: 'end' }), { full: 1 }, kind);
});
