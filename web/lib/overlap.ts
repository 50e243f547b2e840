// Splits overlapping chunks: the start of each chunk's new text, and the part it shares
// with the previous chunk.

import type { Chunk } from './api.ts';

export interface Part {
  /** The start of its new text, which is the boundary before it. */
  start: number;
  end: number;
}

export interface Parts {
  /** One for each chunk. */
  own: Part[];
  /** The parts in two chunks, ascending. */
  shared: Part[];
}

/** `text` is the text of the chunks. White space between two chunks belongs to neither. */
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
