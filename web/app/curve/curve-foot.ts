// Draws the strip below the bars of the curve: headings as ticks, higher levels longer; the
// chunks as a ribbon; page starts; and the part of the text in view.

import { sentenceAt } from '../../lib/sentence-at.ts';
import type { Chunking } from '../session/doc.ts';
import { h } from '../ground/dom.ts';
import { Palette, sharp } from '../ground/palette.ts';
import { number, strings } from '../words/en/page.ts';

/**
 * In pixels: the ribbon, its top margin (more where there are headings), a page tick, and
 * the least distance between page numbers.
 */
const RIBBON = { top: 3, below: 10, height: 7 };
/**
 * Tick heights by heading level; the last is for all deeper levels. Below ROOM pixels of
 * height, headings are left out.
 */
const HEADINGS = [8, 5, 3];
const ROOM = 20;
const TICK = 4;
const APART = 30;

export class CurveFoot {
  readonly canvas = h('canvas', { class: 'foot', 'aria-hidden': 'true' });
  /** On its own layer because it moves with each scroll. */
  readonly window = h('div', { class: 'window', hidden: true });
  readonly #palette = new Palette();
  readonly element = h('div', { class: 'footing' }, this.canvas, ...this.#palette.probes);
  /** The first sentence and colour of each chunk, and the first sentence of each page. */
  #chunks: { first: number; colour: number }[] = [];
  #pages: { first: number; page: number }[] = [];
  #headings: { first: number; level: number }[] = [];
  #from = 0;
  #to = 1;
  #current = -1;
  #seen: [first: number, last: number] | null = null;

  show({ result, sentences, text }: Chunking, colourOf: (start: number) => number): void {
    this.#chunks = result.chunks.map(({ start }) => ({ first: sentenceAt(sentences, start), colour: colourOf(start) }));
    this.#pages = text.pages.map(({ number, start }) => ({ first: sentenceAt(sentences, start), page: number }));
    this.#headings = text.headings.map(({ level, start }) => ({ first: sentenceAt(sentences, start), level }));
    this.#current = -1;
  }

  /** Sets the range of gaps that the curve shows. */
  look(from: number, to: number): void {
    [this.#from, this.#to] = [from, Math.max(from + 1, to)];
    this.draw();
    this.see(this.#seen);
  }

  /** Sets the sentences of the text that are in view. */
  see(seen: [first: number, last: number] | null): void {
    this.#seen = seen;
    this.window.hidden = seen === null;
    if (!seen) return;
    const [left, right] = [this.#share(seen[0]), this.#share(seen[1] + 1)];
    this.window.hidden = right <= 0 || left >= 1;
    this.window.style.left = `${Math.max(0, left) * 100}%`;
    this.window.style.width = `max(6px, ${(Math.min(1, right) - Math.max(0, left)) * 100}%)`;
  }

  /** Marks the chunk that is marked in the list; −1 marks none. */
  mark(chunk: number): void {
    if (chunk === this.#current) return;
    this.#current = chunk;
    this.draw();
  }

  recolour(): void {
    this.#palette.forget();
    this.draw();
  }

  /** Returns the start of a sentence as a share of the width. */
  #share(sentence: number): number {
    return (sentence - 0.5 - this.#from) / (this.#to - this.#from);
  }

  draw(): void {
    const drawing = sharp(this.canvas);
    if (!drawing) return;
    const { context, width, height } = drawing;
    const above = height > ROOM && this.#headings.length > 0 ? RIBBON.below : RIBBON.top;
    const x = (sentence: number) => Math.min(1, Math.max(0, this.#share(sentence))) * width;
    this.#chunks.forEach(({ first, colour }, i) => {
      const next = this.#chunks[i + 1];
      const [left, right] = [i === 0 ? 0 : x(first), next ? x(next.first) : width];
      if (right <= left) return;
      context.fillStyle = this.#palette.at(colour);
      const current = i === this.#current;
      context.globalAlpha = current ? 1 : 0.55;
      context.fillRect(
        left,
        above - (current ? 3 : 0),
        Math.max(1, right - left - 1),
        RIBBON.height + (current ? 3 : 0),
      );
    });
    context.globalAlpha = 1;
    if (above === RIBBON.below) this.#drawHeadings(context, x);
    this.#drawPages(context, x, { width, top: above + RIBBON.height + 2 });
  }

  #drawHeadings(context: CanvasRenderingContext2D, x: (sentence: number) => number): void {
    context.fillStyle = getComputedStyle(this.canvas).color;
    for (const { first, level } of this.#headings) {
      const share = this.#share(first);
      const long = HEADINGS[Math.min(level, HEADINGS.length) - 1] ?? 0;
      if (first === 0 || (share >= 0 && share <= 1))
        context.fillRect(x(first), RIBBON.below - 1 - long, level === 1 ? 2 : 1, long);
    }
  }

  #drawPages(
    context: CanvasRenderingContext2D,
    x: (sentence: number) => number,
    { width, top }: { width: number; top: number },
  ): void {
    if (this.#pages.length < 2) return;
    const { color, fontFamily } = getComputedStyle(this.canvas);
    context.fillStyle = color;
    context.font = `11px ${fontFamily}`;
    context.textBaseline = 'top';
    let free = 0;
    for (const { first, page } of this.#pages) {
      const share = this.#share(first);
      if (first > 0 && (share < 0 || share > 1)) continue;
      const left = x(first);
      context.fillRect(left, top, 1, TICK);
      const words = free === 0 ? strings.pagesOf([page]) : number.format(page);
      if (left < free || left + 20 > width) continue;
      context.fillText(words, left + 3, top + 2);
      free = left + APART + (free === 0 ? 12 : 0);
    }
  }
}
