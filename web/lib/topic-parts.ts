// Chunks that are parts of one topic, which the maximum has divided.

import type { Chunk } from './api.ts';

/** A topic by its number, and which of its parts a chunk is, from 1. */
export interface TopicPart {
  topic: number;
  part: number;
  parts: number;
}

/** One for each chunk; null for a chunk that is a topic, or several, for parts that were made otherwise, and for methods that know no topics. */
export function topicParts(
  chunks: readonly { topic?: number; reason: Pick<Chunk['reason'], 'kind'> }[],
): (TopicPart | null)[] {
  const parts = new Map<number, number>();
  const divided = new Set<number>();
  chunks.forEach(({ topic, reason }, i) => {
    if (!topic) return;
    parts.set(topic, (parts.get(topic) ?? 0) + 1);
    if (reason.kind === 'max' && chunks[i + 1]?.topic === topic) divided.add(topic);
  });
  const before = new Map<number, number>();
  return chunks.map(({ topic }) => {
    if (!topic || !divided.has(topic)) return null;
    const part = (before.get(topic) ?? 0) + 1;
    before.set(topic, part);
    return { topic, part, parts: parts.get(topic) ?? 0 };
  });
}
