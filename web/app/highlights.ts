// Colours on ranges of text by the CSS Custom Highlight API, which touches no
// element. Where it is missing, sentences get classes instead.

import { COLOURS } from '../lib/colours.ts';
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

  setChunks(layout: TextLayout, chunks: Coloured[]): void {
    for (let colour = 0; colour < COLOURS; colour++) this.#byName.get(`seam-${colour}`)?.clear();
    if (!this.#supported) {
      this.#classChunks(layout, chunks);
      return;
    }
    for (const { start, end, colour } of chunks) {
      const range = layout.staticRange(start, end);
      if (range) this.#byName.get(`seam-${colour}`)?.add(range);
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

  #classChunks(layout: TextLayout, chunks: Coloured[]): void {
    let at = 0;
    for (const { end, colour } of chunks) {
      for (; at < layout.count && layout.start(at) < end; at++) {
        const span = layout.span(at);
        if (span) span.dataset['colour'] = String(colour);
      }
    }
  }
}
