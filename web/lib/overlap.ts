// Chunks that overlap: where the new text of each begins, and what it shares with the
// chunk before.

import type { Chunk } from './api.ts';

export interface Part {
  /** Where its new text begins: the boundary before it. */
  start: number;
  end: number;
}

export interface Parts {
  /** One for each chunk. */
  own: Part[];
  /** What stands in two chunks, ascending. */
  shared: Part[];
}

/** `text` is what the chunks are of: white space between two of them belongs to neither. */
export function partsOf(chunks: readonly Pick<Chunk, 'start' | 'end'>[], text: string): Parts {
  const shared: Part[] = [];
  const own = chunks.map(({ start, end }, i) => {
    const before = chunks[i - 1]?.end ?? 0;
    if (before <= start) return { start, end };
    shared.push({ start, end: Math.min(before, end) });
    let at = before;
    while (at < end && /\s/.test(text.charAt(at))) at++;
    return { start: at, end };
  });
  return { own, shared };
}
