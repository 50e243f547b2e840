import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicParts } from '../../lib/topic-parts.ts';

test('a topic in one chunk has no parts, one in three has three', () => {
  assert.deepEqual(topicParts([{ topic: 1 }, { topic: 2 }, { topic: 2 }, { topic: 2 }, { topic: 3 }]),
    [null, { topic: 2, part: 1, parts: 3 }, { topic: 2, part: 2, parts: 3 }, { topic: 2, part: 3, parts: 3 }, null]);
});

test('methods that know no topics have none', () => {
  assert.deepEqual(topicParts([{}, {}]), [null, null]);
  assert.deepEqual(topicParts([]), []);
});
