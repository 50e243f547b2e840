// Computes the marks of a page: bars next to all chunks, the lines of the selected chunk,
// the passage or its best sentence, and matched words.

import { lowest } from '../../lib/lowest.ts';
import { partsOf } from '../../lib/overlap.ts';
import type { Chunking, Passage } from '../session/doc.ts';
import { blocksOf, linesOf, wordsWithin } from './marks.ts';
import type { Mark } from './sheet.ts';
import type { Words } from './words.ts';

interface Stretch {
  start: number;
  end: number;
}

export class Markings {
  readonly #words: Words;
  readonly #chunks: { start: number; end: number; colour: number }[];
  /** The index of the chunk that is shown as a whole or contains the passage. */
  readonly #whole: number;
  readonly #passage: Passage | null;

  constructor(
    words: Words,
    { result: { chunks }, text: { text } }: Chunking,
    passage: Passage | null,
    colourOf: (start: number) => number,
  ) {
    this.#words = words;
    this.#passage = passage;
    const { own } = partsOf(chunks, text);
    this.#chunks = own.map(({ start, end }, i) => ({ start, end, colour: colourOf(chunks[i]?.start ?? 0) }));
    this.#whole = passage ? chunks.findIndex(({ start, end }) => start === passage.start && end === passage.end) : -1;
  }

  /** Returns the marks of a page by its index. */
  of(page: number): Mark[] {
    const tints: Mark[] = [];
    const bars: Mark[] = [];
    const lines: Mark[] = [];
    const all = this.#words.onPage[page] ?? [];
    for (let i = 0; i < all.length; ) {
      const offset = this.#words.starts[all[i] ?? 0] ?? 0;
      const at = lowest(this.#chunks.length, (chunk) => (this.#chunks[chunk]?.end ?? 0) > offset);
      const chunk = this.#chunks[at];
      if (!chunk) break;
      const from = i++;
      while (i < all.length && (this.#words.starts[all[i] ?? 0] ?? 0) < chunk.end) i++;
      const found = linesOf(this.#words, all.slice(from, i));
      const now = this.#selects(at, chunk);
      for (const box of blocksOf(found)) {
        if (!now) tints.push({ kind: 'calm', box, colour: chunk.colour });
        bars.push({ kind: now ? 'bar now' : 'bar', box, colour: chunk.colour });
      }
      if (now) lines.push(...found.map((box) => ({ kind: 'chunk' as const, box, colour: chunk.colour })));
    }
    return [...tints, ...lines, ...this.#strong(page), ...bars];
  }

  #selects(at: number, { start, end }: Stretch): boolean {
    if (this.#whole >= 0) return at === this.#whole;
    return this.#passage !== null && this.#passage.start < end && this.#passage.end > start;
  }

  /**
   * Returns the marks of the passage. A passage that is a whole chunk needs none beyond the
   * chunk's.
   */
  #strong(page: number): Mark[] {
    if (!this.#passage) return [];
    const { start, end, passage: best, marks } = this.#passage;
    const stretch = best ? { start: start + best[0], end: start + best[1] } : this.#whole < 0 ? { start, end } : null;
    const found: Mark[] = stretch
      ? this.#boxes(page, stretch).map((box) => ({ kind: 'passage', box, colour: -1 }))
      : [];
    for (const [from, to] of marks) {
      found.push(
        ...this.#boxes(page, { start: start + from, end: start + to }).map((box) => ({
          kind: 'word' as const,
          box,
          colour: -1,
        })),
      );
    }
    return found;
  }

  #boxes(page: number, stretch: Stretch) {
    return linesOf(this.#words, wordsWithin(this.#words, page, stretch));
  }
}
