// The chunks in view as blocks behind the text, each with its colour, and its number and
// size in the margin. Only chunks in view have a block, so that a long text costs no more.

import type { Part } from '../../lib/overlap.ts';
import { lowest } from '../../lib/lowest.ts';
import { h } from '../ground/dom.ts';
import { number } from '../words/en/page.ts';
import type { TextLayout } from './text-layout.ts';

/** A chunk as a block shows it. */
export interface Tinted extends Part {
  colour: number;
  /** In the unit of the cut. */
  size: number;
}

/** Pixels of a block above and below its words. */
const PAD = 8;
export class Tints {
  /** Its numbers are drawn by the stylesheet, so that they are not copied with the text. */
  readonly element = h('div', { class: 'tints', 'aria-hidden': 'true' });
  /** The start of the chunk that is marked as a whole; −1 marks none. */
  current = -1;
  /** Reused: while the line moves, the chunks in view change with each step. */
  readonly #blocks: HTMLElement[] = [];

  /**
   * Shows the chunks of the blocks of the layout from `from` up to `to`, which must have been
   * built. `above` is the top of the text in the window.
   */
  show(layout: TextLayout, chunks: readonly Tinted[], [from, to]: [number, number], above: number): void {
    const [start, end] = to > from ? [layout.blockSpan(from).start, layout.blockSpan(to - 1).end] : [0, 0];
    const first = lowest(chunks.length, (i) => (chunks[i]?.end ?? 0) > start);
    const after = lowest(chunks.length, (i) => (chunks[i]?.start ?? 0) >= end);
    const seen = chunks.slice(first, after);
    // All places are read before a block changes, so that the page is laid out once.
    const places = seen.map((chunk) => [
      chunk.start < start ? layout.block(from)?.getBoundingClientRect().top : edge(layout, chunk, 'top'),
      chunk.end > end ? layout.block(to - 1)?.getBoundingClientRect().bottom : edge(layout, chunk, 'bottom'),
    ]);
    places.forEach(([top, bottom], i) => {
      const { colour, size, start: at } = seen[i] as Tinted;
      const block = this.#block(i);
      const { style, dataset } = block;
      block.hidden = top === undefined || bottom === undefined;
      block.classList.toggle('current', at === this.current);
      if (top === undefined || bottom === undefined) return;
      style.insetBlockStart = `${Math.round(top - above - PAD)}px`;
      style.blockSize = `${Math.round(bottom - top + 2 * PAD)}px`;
      Object.assign(dataset, { colour, number: number.format(first + i + 1), size: number.format(size) });
    });
    for (const block of this.#blocks.slice(seen.length)) block.hidden = true;
  }

  clear(): void {
    for (const block of this.#blocks) block.hidden = true;
  }

  #block(i: number): HTMLElement {
    const block = (this.#blocks[i] ??= h('div', { class: 'tint' }));
    if (!block.parentNode) this.element.append(block);
    return block;
  }
}

/** Returns the first block between two heights of the window and the one after the last. */
export function blocksInView(layout: TextLayout, top = 0, bottom = innerHeight): [from: number, to: number] {
  const box = (i: number) => layout.block(i)?.getBoundingClientRect();
  const first = lowest(layout.blocks, (i) => (box(i)?.bottom ?? 0) > top);
  const from = Math.max(0, Math.min(layout.blocks - 1, first));
  return [
    from,
    Math.max(
      from + 1,
      lowest(layout.blocks, (i) => (box(i)?.top ?? 0) > bottom),
    ),
  ];
}

/**
 * Returns the top of a chunk's first words, or the bottom of its last ones or their row of a
 * table. Returns undefined if they cannot be seen, as the line below a table header.
 */
function edge(layout: TextLayout, { start, end }: Part, side: 'top' | 'bottom'): number | undefined {
  const sentence = layout.sentenceAt(side === 'top' ? start : end - 1);
  const [from, to] = [Math.max(start, layout.start(sentence)), Math.min(end, layout.end(sentence))];
  const range = layout.range(from < to ? from : start, from < to ? to : end);
  // The marks of Markdown are in the range, but not on the page.
  const seen = [...(range?.getClientRects() ?? [])].filter(({ width }) => width > 0);
  const words = side === 'top' ? seen[0] : seen.at(-1);
  const row = words && side === 'bottom' && range?.endContainer.parentElement?.closest('.row');
  return (row ? row.getBoundingClientRect() : words)?.[side];
}
