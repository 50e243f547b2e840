// Below the bars of the curve: the chunks as a ribbon, where pages begin, and which
// part of the text is in view.

import { lowest } from '../lib/lowest.ts';
import type { Chunking } from './doc.ts';
import { h } from './dom.ts';

/** Pixels: the ribbon, with room above it; a tick of a page; from one number of a page to the next at least. */
const RIBBON = { top: 3, height: 7 };
const TICK = 4;
const APART = 30;
const COLOURS = 5;

export class CurveFoot {
  readonly canvas = h('canvas', { class: 'foot', 'aria-hidden': 'true' });
  /** On its own layer: it moves with each scroll. */
  readonly window = h('div', { class: 'window', hidden: true });
  readonly #probes = Array.from({ length: COLOURS }, (_, i) => {
    const probe = h('i', { hidden: true });
    probe.style.color = `var(--k${i})`;
    return probe;
  });
  readonly element = h('div', { class: 'footing' }, this.canvas, ...this.#probes);
  /** Sentences that chunks begin with, and their colours; sentences that pages begin with. */
  #chunks: { first: number; colour: number }[] = [];
  #pages: { first: number; page: number }[] = [];
  #from = 0;
  #to = 1;
  #current = -1;
  #seen: [first: number, last: number] | null = null;
  #colours: string[] = [];

  show({ result, sentences, text }: Chunking, colourOf: (start: number) => number): void {
    const count = sentences.length / 2;
    const sentenceAt = (offset: number) => lowest(count, (i) => (sentences[2 * i + 1] ?? 0) > offset);
    this.#chunks = result.chunks.map(({ start }) => ({ first: sentenceAt(start), colour: colourOf(start) }));
    this.#pages = text.pages.map(({ number, start }) => ({ first: sentenceAt(start), page: number }));
    this.#current = -1;
  }

  /** The gaps that the curve shows. */
  look(from: number, to: number): void {
    [this.#from, this.#to] = [from, Math.max(from + 1, to)];
    this.draw();
    this.see(this.#seen);
  }

  /** The sentences of the text that are in view. */
  see(seen: [first: number, last: number] | null): void {
    this.#seen = seen;
    this.window.hidden = seen === null;
    if (!seen) return;
    const [left, right] = [this.#share(seen[0]), this.#share(seen[1] + 1)];
    this.window.hidden = right <= 0 || left >= 1;
    this.window.style.left = `${Math.max(0, left) * 100}%`;
    this.window.style.width = `max(6px, ${(Math.min(1, right) - Math.max(0, left)) * 100}%)`;
  }

  /** The chunk that is marked in the list; −1: none. */
  mark(chunk: number): void {
    if (chunk === this.#current) return;
    this.#current = chunk;
    this.draw();
  }

  recolour(): void {
    this.#colours = [];
    this.draw();
  }

  /** Where a sentence begins, as a share of the width. */
  #share(sentence: number): number {
    return (sentence - 0.5 - this.#from) / (this.#to - this.#from);
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const context = this.canvas.getContext('2d');
    if (!context || width === 0) return;
    const scale = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * scale)) this.canvas.width = Math.round(width * scale);
    if (this.canvas.height !== Math.round(height * scale)) this.canvas.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    if (this.#colours.length === 0) this.#colours = this.#probes.map((probe) => getComputedStyle(probe).color);
    const x = (sentence: number) => Math.min(1, Math.max(0, this.#share(sentence))) * width;
    this.#chunks.forEach(({ first, colour }, i) => {
      const next = this.#chunks[i + 1];
      const [left, right] = [i === 0 ? 0 : x(first), next ? x(next.first) : width];
      if (right <= left) return;
      context.fillStyle = this.#colours[colour] ?? '';
      const current = i === this.#current;
      context.globalAlpha = current ? 1 : 0.55;
      context.fillRect(left, RIBBON.top - (current ? 3 : 0), Math.max(1, right - left - 1), RIBBON.height + (current ? 3 : 0));
    });
    context.globalAlpha = 1;
    this.#drawPages(context, x, width);
  }

  #drawPages(context: CanvasRenderingContext2D, x: (sentence: number) => number, width: number): void {
    if (this.#pages.length < 2) return;
    const { color, fontFamily } = getComputedStyle(this.canvas);
    const top = RIBBON.top + RIBBON.height + 2;
    context.fillStyle = color;
    context.font = `11px ${fontFamily}`;
    context.textBaseline = 'top';
    let free = 0;
    for (const { first, page } of this.#pages) {
      const share = this.#share(first);
      if (first > 0 && (share < 0 || share > 1)) continue;
      const left = x(first);
      context.fillRect(left, top, 1, TICK);
      const words = free === 0 ? `p. ${page}` : String(page);
      if (left < free || left + 20 > width) continue;
      context.fillText(words, left + 3, top + 2);
      free = left + APART + (free === 0 ? 12 : 0);
    }
  }
}
