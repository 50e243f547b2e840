// Chunks that are parts of one topic, which the maximum has divided.

import type { Chunk } from './api.ts';

/** A topic by its number, and which of its parts a chunk is, from 1. */
export interface TopicPart {
  topic: number;
  part: number;
  parts: number;
}

/** One for each chunk; null for a chunk that is a topic, or several, or of a method that knows none. */
export function topicParts(chunks: readonly Pick<Chunk, 'topic'>[]): (TopicPart | null)[] {
  const parts = new Map<number, number>();
  for (const { topic } of chunks) if (topic) parts.set(topic, (parts.get(topic) ?? 0) + 1);
  const before = new Map<number, number>();
  return chunks.map(({ topic }) => {
    const of = parts.get(topic ?? 0) ?? 0;
    if (!topic || of < 2) return null;
    const part = (before.get(topic) ?? 0) + 1;
    before.set(topic, part);
    return { topic, part, parts: of };
  });
}
