// Draws the chunk lengths as bars, and chooses the chunks to list and their order. Pressing
// a bar lists only its chunks.

import type { Chunk, ViewText } from '../../lib/api.ts';
import { elementCuts, hasBlocks } from '../../lib/block-cuts.ts';
import { isForMaximum } from '../../lib/gaps.ts';
import { extent, histogram, median } from '../../lib/histogram.ts';
import type { Chunking } from '../session/doc.ts';
import { h, setAttribute, setText } from '../ground/dom.ts';
import { shown } from '../words/en/views.ts';
import { Explain } from '../ground/terms.ts';

const BINS = 12;

type Kind = keyof typeof shown.chunks.kinds;

const KINDS: Record<Kind, (chunk: Chunk, view: ChunkSizes) => boolean> = {
  all: () => true,
  short: ({ tokens }, { short }) => tokens < short,
  forced: ({ reason }) => isForMaximum(reason),
  hand: ({ reason }) => reason.kind === 'manual',
  pages: ({ pages }) => pages.length > 1,
  block: ({ end }, { cutsBlock }) => cutsBlock(end),
};

/** The longest text, in characters, for which all cuts are checked without being asked. */
const MOST_WATCHED = 300_000;

type Order = keyof typeof shown.chunks.orders;

/** Compares two chunks in each order. Ties keep the order of the text. */
const ORDERS: Record<Order, (a: Chunk, b: Chunk) => number> = {
  text: (a, b) => a.start - b.start,
  short: (a, b) => a.tokens - b.tokens || a.start - b.start,
  long: (a, b) => b.tokens - a.tokens || a.start - b.start,
};

export class ChunkSizes {
  readonly #changed: () => void;
  readonly #bars = h('div', { class: 'histogram', role: 'group' });
  readonly #sizes = h('p', { class: 'sizes' });
  readonly #kind = h('select', { id: 'chunk-kind', 'aria-label': shown.chunks.show });
  readonly #order = h('select', { id: 'chunk-order', 'aria-label': shown.chunks.order });
  readonly element = h(
    'div',
    { class: 'chunk-sizes' },
    this.#bars,
    this.#sizes,
    h('div', { class: 'sizes-line' }, this.#kind, this.#order, new Explain('reason-explained', () => 'reason').element),
  );
  /** The token range of the pressed bar, without `to`. */
  #range: { from: number; to: number } | null = null;
  /** Half of the median length. Shorter chunks count as short. */
  short = 0;
  /** Reports whether a cut splits a table or a listing. Built on first use. */
  cutsBlock: (at: number) => boolean = () => false;
  #text: ViewText | null = null;

  /** Calls `changed` when other chunks are to be listed, and `ordered` when their order changes. */
  constructor(changed: () => void, ordered: () => void) {
    this.#changed = changed;
    this.#order.append(...Object.entries(shown.chunks.orders).map(([value, label]) => h('option', { value }, label)));
    this.#order.addEventListener('change', () => {
      this.#mark();
      ordered();
    });
    this.#kind.append(...Object.entries(shown.chunks.kinds).map(([value, label]) => h('option', { value }, label)));
    this.#kind.addEventListener('change', () => {
      this.#range = null;
      this.#mark();
      changed();
    });
    this.#bars.addEventListener('keydown', (event) => this.#walk(event));
  }

  /**
   * Reports whether a cut splits a table or a listing. Always false for a text too long to
   * check each cut.
   */
  warns(at: number): boolean {
    return (this.#text?.text.length ?? 0) <= MOST_WATCHED && this.cutsBlock(at);
  }

  /** Reports whether a chunk is listed. */
  matches(chunk: Chunk): boolean {
    const { tokens } = chunk;
    if (this.#range) return tokens >= this.#range.from && tokens < this.#range.to;
    return KINDS[this.#kind.value as Kind](chunk, this);
  }

  /** The comparison of the chosen order. */
  get order(): (a: Chunk, b: Chunk) => number {
    return ORDERS[this.#order.value as Order];
  }

  get asInText(): boolean {
    return this.#order.value === 'text';
  }

  get all(): boolean {
    return this.#range === null && this.#kind.value === 'all';
  }

  /** Lists all chunks in the order of the text. */
  reset(): void {
    this.#range = null;
    this.#kind.value = 'all';
    this.#order.value = 'text';
    this.#mark();
  }

  /** Shows new chunks. A bar pressed before no longer applies. */
  show({ result, text, unit }: Chunking): void {
    this.#range = null;
    const lengths = result.chunks.map((chunk) => chunk.tokens);
    const middle = median(lengths);
    this.short = middle / 2;
    this.#watchBlocks(text);
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

  #watchBlocks(text: ViewText): void {
    if (text === this.#text) return;
    this.#text = text;
    const known = hasBlocks(text.elements);
    let cuts: ((at: number) => boolean) | null = null;
    this.cutsBlock = (at) => (cuts ??= elementCuts(text.elements))(at);
    const choice = this.#kind.querySelector<HTMLOptionElement>('[value=block]');
    if (choice) choice.hidden = !known;
    if (!known && this.#kind.value === 'block') this.#kind.value = 'all';
  }

  #bar(): HTMLButtonElement {
    const bar = h('button', { type: 'button', 'aria-pressed': 'false' }, h('i'));
    bar.addEventListener('click', () => {
      const [from, to] = [Number(bar.dataset['from']), Number(bar.dataset['to'])];
      const same = this.#range?.from === from;
      this.#kind.value = 'all';
      this.#range = same ? null : { from, to };
      this.#mark();
      this.#changed();
    });
    return bar;
  }

  #mark(): void {
    for (const bar of this.#bars.children)
      setAttribute(bar, 'aria-pressed', String(Number((bar as HTMLElement).dataset['from']) === this.#range?.from));
    this.element.classList.toggle('ranged', this.#range !== null);
    this.element.classList.toggle('filtered', !this.all || !this.asInText);
  }

  /** Moves between the bars with the arrow keys. All bars are one tab stop. */
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
