// Finds chunks that are parts of one topic, split by the maximum.

import type { Chunk } from './api.ts';
import { isForMaximum } from './gaps.ts';

/** The number of a topic, and the number of a chunk among its parts, from 1. */
export interface TopicPart {
  topic: number;
  part: number;
  parts: number;
}

/**
 * Returns one entry for each chunk. It is null for a chunk with one or more whole topics,
 * for parts split for another reason, and for methods without topics.
 */
export function topicParts(
  chunks: readonly { topic?: number; reason: Pick<Chunk['reason'], 'kind' | 'for'> }[],
): (TopicPart | null)[] {
  const parts = new Map<number, number>();
  const divided = new Set<number>();
  chunks.forEach(({ topic, reason }, i) => {
    if (!topic) return;
    parts.set(topic, (parts.get(topic) ?? 0) + 1);
    if (isForMaximum(reason) && chunks[i + 1]?.topic === topic) divided.add(topic);
  });
  const before = new Map<number, number>();
  return chunks.map(({ topic }) => {
    if (!topic || !divided.has(topic)) return null;
    const part = (before.get(topic) ?? 0) + 1;
    before.set(topic, part);
    return { topic, part, parts: parts.get(topic) ?? 0 };
  });
}
