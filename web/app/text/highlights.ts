// Colours ranges of text with the CSS Custom Highlight API, which changes no element.
// Browsers without it get classes on the sentences.

import { COLOURS } from '../../lib/colours.ts';
import { lowest } from '../../lib/lowest.ts';
import type { Part } from '../../lib/overlap.ts';
import type { TextLayout } from './text-layout.ts';

export interface Coloured {
  start: number;
  end: number;
  colour: number;
}

/** The highlights defined in styles/text.css, lowest first. */
const NAMES = [
  ...Array.from({ length: COLOURS }, (_, i) => `seam-${i}`),
  'seam-shared',
  'seam-passage',
  'seam-sentence',
  'seam-word',
];

export class Highlights {
  readonly #byName = new Map<string, Highlight>();
  readonly #supported = typeof CSS !== 'undefined' && 'highlights' in CSS;

  constructor() {
    if (!this.#supported) return;
    NAMES.forEach((name, priority) => {
      const highlight = new Highlight();
      highlight.priority = priority;
      this.#byName.set(name, highlight);
      CSS.highlights.set(name, highlight);
    });
  }

  clearChunks(): void {
    for (let colour = 0; colour < COLOURS; colour++) this.#byName.get(`seam-${colour}`)?.clear();
    this.#byName.get('seam-shared')?.clear();
  }

  /**
   * Colours the parts of the chunks that one block shows, and marks the parts that two
   * chunks share.
   */
  addChunks(layout: TextLayout, block: number, chunks: readonly Coloured[], shared: readonly Part[]): void {
    const shown = layout.blockSpan(block);
    for (const { start, end, colour } of within(chunks, shown)) {
      if (this.#supported) this.#addStatic(layout.staticRange(start, end), `seam-${colour}`);
      else this.#classChunk(layout, start, end, colour);
    }
    for (const { start, end } of within(shared, shown)) this.#addStatic(layout.staticRange(start, end), 'seam-shared');
  }

  /**
   * Marks a passage. `best` is the sentence that answers best; `words` are the matched
   * words, relative to `start`.
   */
  setPassage(
    layout: TextLayout,
    start: number,
    end: number,
    best: [number, number] | null,
    words: [number, number][],
  ): void {
    this.clearPassage(layout);
    if (!this.#supported) {
      for (let i = layout.sentenceAt(start); i < layout.sentenceAt(end); i++)
        for (const part of layout.parts(i)) part.classList.add('passage');
      return;
    }
    this.#add('seam-passage', layout, start, end);
    if (best) this.#add('seam-sentence', layout, start + best[0], start + best[1]);
    for (const [from, to] of words) this.#add('seam-word', layout, start + from, start + to);
  }

  clearPassage(layout: TextLayout | null): void {
    for (const name of ['seam-passage', 'seam-sentence', 'seam-word']) this.#byName.get(name)?.clear();
    if (this.#supported || !layout) return;
    for (const span of layout.element.querySelectorAll('.passage')) span.classList.remove('passage');
  }

  #add(name: string, layout: TextLayout, start: number, end: number): void {
    const range = layout.range(start, end);
    if (range) this.#byName.get(name)?.add(range);
  }

  #addStatic(range: StaticRange | null, name: string): void {
    if (range) this.#byName.get(name)?.add(range);
  }

  #classChunk(layout: TextLayout, start: number, end: number, colour: number): void {
    for (let at = layout.sentenceAt(start); at < layout.count && layout.start(at) < end; at++) {
      for (const part of layout.parts(at)) part.dataset['colour'] = String(colour);
    }
  }
}

/** Yields the parts that overlap a span. Starts and ends must ascend. */
function* within<T extends Part>(parts: readonly T[], { start, end }: Part): Generator<T> {
  for (let i = lowest(parts.length, (at) => (parts[at]?.end ?? 0) > start); i < parts.length; i++) {
    const part = parts[i];
    if (!part || part.start >= end) return;
    yield { ...part, start: Math.max(part.start, start), end: Math.min(part.end, end) };
  }
}
