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

test('what was split by hand is no part, and neither is what stands before another topic', () => {
  assert.deepEqual(topicParts([chunk(1, 'manual'), chunk(1, 'max'), chunk(2, 'end')]), [null, null, null]);
});

test('methods that know no topics have none', () => {
  assert.deepEqual(topicParts([{ reason: { kind: 'max' } }, { reason: { kind: 'end' } }]), [null, null]);
  assert.deepEqual(topicParts([]), []);
});
