import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasonKind } from '../../lib/api.ts';
import { topicParts } from '../../lib/topic-parts.ts';

const chunk = (topic: number, kind: ReasonKind) => ({ topic, reason: { kind } });

test('a topic in one chunk has no parts, one that the maximum divides in three has three', () => {
  assert.deepEqual(
    topicParts([chunk(1, 'strength'), chunk(2, 'max'), chunk(2, 'max'), chunk(2, 'heading'), chunk(3, 'end')]),
    [null, { topic: 2, part: 1, parts: 3 }, { topic: 2, part: 2, parts: 3 }, { topic: 2, part: 3, parts: 3 }, null],
  );
});

test('a cut of the maximum at a heading or an inner boundary makes parts, too', () => {
  const needed = (kind: ReasonKind) => ({ topic: 1, reason: { kind, for: 'max' as const } });
  assert.deepEqual(
    topicParts([needed('heading'), needed('strength'), chunk(1, 'strength'), chunk(2, 'end')]).map(
      (part) => part?.parts,
    ),
    [3, 3, 3, undefined],
  );
});

test('what was split by hand is no part, and neither is what stands before another topic', () => {
  assert.deepEqual(topicParts([chunk(1, 'manual'), chunk(1, 'max'), chunk(2, 'end')]), [null, null, null]);
});

test('methods that know no topics have none', () => {
  assert.deepEqual(topicParts([{ reason: { kind: 'max' } }, { reason: { kind: 'end' } }]), [null, null]);
  assert.deepEqual(topicParts([]), []);
});
