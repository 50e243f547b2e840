// How long the chunks are, as bars, and which of them are listed: those of a bar that
// was pressed, or of a kind.

import type { Chunk } from '../lib/api.ts';
import { extent, histogram, median } from '../lib/histogram.ts';
import { h, setAttribute, setText } from './dom.ts';
import { shown } from './strings-views.ts';

const BINS = 12;

type Kind = keyof typeof shown.chunks.kinds;

const KINDS: Record<Kind, (chunk: Chunk, short: number) => boolean> = {
  all: () => true,
  short: ({ tokens }, short) => tokens < short,
  forced: ({ reason }) => reason.kind === 'max',
  hand: ({ reason }) => reason.kind === 'manual',
  pages: ({ pages }) => pages.length > 1,
};

export class ChunkSizes {
  readonly #changed: () => void;
  readonly #bars = h('div', { class: 'histogram', role: 'group' });
  readonly #sizes = h('p', { class: 'sizes' });
  readonly #kind = h('select', { id: 'chunk-kind', 'aria-label': shown.chunks.show });
  readonly element = h('div', {}, this.#bars, h('div', { class: 'sizes-line' }, this.#sizes, this.#kind));
  /** Of the bar that was pressed: tokens from, to, the last one excluded. */
  #range: { from: number; to: number } | null = null;
  /** Half of the typical length: what is below is short. */
  #short = 0;

  /** `changed` is told when others are to be listed. */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.#kind.append(...Object.entries(shown.chunks.kinds).map(([value, label]) => h('option', { value }, label)));
    this.#kind.addEventListener('change', () => {
      this.#range = null;
      this.#mark();
      changed();
    });
    this.#bars.addEventListener('keydown', (event) => this.#walk(event));
  }

  /** Whether a chunk is listed. */
  matches(chunk: Chunk): boolean {
    const { tokens } = chunk;
    if (this.#range) return tokens >= this.#range.from && tokens < this.#range.to;
    return KINDS[this.#kind.value as Kind](chunk, this.#short);
  }

  get all(): boolean {
    return this.#range === null && this.#kind.value === 'all';
  }

  /** All are listed. */
  reset(): void {
    this.#range = null;
    this.#kind.value = 'all';
  }

  /** The lengths are others: a bar of the former ones is none any more. */
  show(lengths: number[], unit: string): void {
    this.#range = null;
    const middle = median(lengths);
    this.#short = middle / 2;
    const bins = histogram(lengths, BINS);
    const most = Math.max(1, ...bins.map((bin) => bin.count));
    while (this.#bars.childElementCount < bins.length) this.#bars.append(this.#bar());
    while (this.#bars.childElementCount > bins.length) this.#bars.lastElementChild?.remove();
    bins.forEach(({ from, to, count }, i) => {
      const bar = this.#bars.children[i] as HTMLButtonElement;
      bar.title = shown.chunks.bin(from, to, count, unit);
      setAttribute(bar, 'aria-label', bar.title);
      Object.assign(bar.dataset, { from, to });
      bar.tabIndex = i === 0 ? 0 : -1;
      (bar.firstElementChild as HTMLElement).style.blockSize = count ? `${Math.max(6, (100 * count) / most)}%` : '1px';
    });
    const sizes = lengths.length ? shown.chunks.sizes(...extent(lengths), middle, unit) : '';
    this.#bars.setAttribute('aria-label', sizes);
    setText(this.#sizes, sizes);
    this.#mark();
  }

  #bar(): HTMLButtonElement {
    const bar = h('button', { type: 'button', 'aria-pressed': 'false' }, h('i'));
    bar.addEventListener('click', () => {
      const [from, to] = [Number(bar.dataset['from']), Number(bar.dataset['to'])];
      const same = this.#range?.from === from;
      this.reset();
      if (!same) this.#range = { from, to };
      this.#mark();
      this.#changed();
    });
    return bar;
  }

  #mark(): void {
    for (const bar of this.#bars.children) setAttribute(bar, 'aria-pressed', String(Number((bar as HTMLElement).dataset['from']) === this.#range?.from));
    this.element.classList.toggle('ranged', this.#range !== null);
  }

  /** The bars are one stop of Tab. */
  #walk(event: KeyboardEvent): void {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    const bars = [...this.#bars.children] as HTMLElement[];
    const next = bars[bars.findIndex((bar) => bar === document.activeElement) + way];
    if (!next) return;
    event.preventDefault();
    for (const bar of bars) bar.tabIndex = bar === next ? 0 : -1;
    next.focus();
  }
}
