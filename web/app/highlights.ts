// Colours on ranges of text by the CSS Custom Highlight API, which touches no
// element. Where it is missing, sentences get classes instead.

import { COLOURS } from '../lib/colours.ts';
import { lowest } from '../lib/lowest.ts';
import type { TextLayout } from './text-layout.ts';

export interface Coloured {
  start: number;
  end: number;
  colour: number;
}

/** The highlights that styles/text.css knows, lowest first. */
const NAMES = [...Array.from({ length: COLOURS }, (_, i) => `seam-${i}`), 'seam-passage', 'seam-word'];

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
  }

  /** Colours what one block shows of the chunks. */
  addChunks(layout: TextLayout, block: number, chunks: readonly Coloured[]): void {
    const shown = layout.blockSpan(block);
    for (let i = firstEndingAfter(chunks, shown.start); i < chunks.length; i++) {
      const chunk = chunks[i];
      if (!chunk || chunk.start >= shown.end) return;
      const start = Math.max(chunk.start, shown.start);
      const end = Math.min(chunk.end, shown.end);
      if (this.#supported) this.#addStatic(layout.staticRange(start, end), chunk.colour);
      else this.#classChunk(layout, start, end, chunk.colour);
    }
  }

  setPassage(layout: TextLayout, start: number, end: number, words: [number, number][]): void {
    this.clearPassage(layout);
    if (!this.#supported) {
      for (let i = layout.sentenceAt(start); i < layout.sentenceAt(end); i++) layout.span(i)?.classList.add('passage');
      return;
    }
    this.#add('seam-passage', layout, start, end);
    for (const [from, to] of words) this.#add('seam-word', layout, start + from, start + to);
  }

  clearPassage(layout: TextLayout | null): void {
    this.#byName.get('seam-passage')?.clear();
    this.#byName.get('seam-word')?.clear();
    if (this.#supported || !layout) return;
    for (const span of layout.element.querySelectorAll('.passage')) span.classList.remove('passage');
  }

  #add(name: string, layout: TextLayout, start: number, end: number): void {
    const range = layout.range(start, end);
    if (range) this.#byName.get(name)?.add(range);
  }

  #addStatic(range: StaticRange | null, colour: number): void {
    if (range) this.#byName.get(`seam-${colour}`)?.add(range);
  }

  #classChunk(layout: TextLayout, start: number, end: number, colour: number): void {
    for (let at = layout.sentenceAt(start); at < layout.count && layout.start(at) < end; at++) {
      const span = layout.span(at);
      if (span) span.dataset['colour'] = String(colour);
    }
  }
}

/** Chunks may overlap, but their ends ascend as their starts do. */
function firstEndingAfter(chunks: readonly Coloured[], offset: number): number {
  return lowest(chunks.length, (i) => (chunks[i]?.end ?? 0) > offset);
}
