// One column of the comparison: the whole text with the chunks of one method as blocks, and
// above it all chunks in a strip.

import type { Part } from '../../lib/overlap.ts';
import { lowest } from '../../lib/lowest.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { Chunking } from '../session/doc.ts';
import { h, setAttribute } from '../ground/dom.ts';
import { svg } from '../ground/svg.ts';
import type { Cut, TextLayout } from '../text/text-layout.ts';
import { layoutOf, selectedIn } from '../text/text-view.ts';
import { blocksInView, Tints, type Tinted } from '../text/tints.ts';
import { shown } from '../words/en/views.ts';

const words = shown.compare.place;

/** A part of the text and its distance from the top of the column, in pixels. */
export interface Anchor {
  at: number;
  y: number;
}

/** Builds blocks within this distance of the column. */
const NEAR = '100%';
/** The frames in which blocks near a new place get their heights. */
const SETTLING = 4;
/** Pixels from the top of the column to a place that was followed. */
export const READ = 44;
/** A strip of more chunks has no room for gaps. */
const GAPS = 200;
const WIDTH = 1000;

export interface ColumnText {
  letter: string;
  chunking: Chunking;
  chunks: readonly Tinted[];
  /** The lines before the chunks. */
  cuts: readonly Cut[];
}

export class TextColumn {
  readonly #tints = new Tints();
  readonly pane = h('div', { class: 'pane', tabindex: 0, role: 'region' }, this.#tints.element);
  readonly #strip = h('div', { class: 'strip', role: 'img' });
  readonly element = h('div', { class: 'column' }, this.#strip, this.pane);
  #layout: TextLayout | null = null;
  #shown: ColumnText | null = null;
  readonly #painted = new Set<number>();
  readonly #near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) this.#paint(target);
    },
    { root: this.pane, rootMargin: NEAR },
  );
  /** Moves the text back to its place when blocks get other heights. */
  readonly #heights = new ResizeObserver(() => {
    if (this.#followed) this.follow(this.#followed, 0);
  });
  /** The place brought here from another column, until the reader scrolls this one. */
  #followed: Anchor | null = null;
  #frame = 0;
  #settling = 0;
  #expected = 0;

  /** `goTo` shows a place in all columns; `moved` is called after the reader scrolls this one. */
  constructor(goTo: (at: number) => void, moved: () => void) {
    this.pane.addEventListener(
      'scroll',
      () => {
        this.#tintSoon();
        if (this.#settling === 0 && Math.abs(this.pane.scrollTop - this.#expected) > 1) moved();
      },
      { passive: true },
    );
    this.pane.addEventListener('copy', (event) => this.#copy(event));
    this.#strip.addEventListener('click', ({ clientX }) => goTo(this.#offsetAt(clientX)));
    new ResizeObserver(() => this.#tintSoon()).observe(this.pane);
  }

  show(shownNow: ColumnText): void {
    const { letter, chunking, chunks, cuts } = shownNow;
    this.#shown = shownNow;
    setAttribute(this.pane, 'aria-label', words.text(letter));
    this.#drawStrip(letter, chunks, chunking.text.text.length);
    if (!this.#layout?.fits(chunking.text.text, chunking.sentences))
      this.#begin(layoutOf(chunking.text, chunking.sentences));
    const layout = this.#layout as TextLayout;
    layout.setCuts(cuts);
    this.#painted.clear();
    const [from, to] = this.#inView(layout);
    for (let i = from; i < to; i++) this.#paintBlock(layout, i);
    // The observer reports only changes, so blocks must be observed anew to be reported again.
    this.#near.disconnect();
    for (let i = 0; i < layout.blocks; i++) this.#near.observe(layout.block(i) as HTMLElement);
    this.#tintSoon();
  }

  #begin(layout: TextLayout): void {
    this.#layout = layout;
    this.pane.replaceChildren(this.#tints.element, layout.element);
    this.#heights.disconnect();
    this.#heights.observe(layout.element);
    this.#followed = null;
    this.pane.scrollTop = 0;
    this.#expected = 0;
    layout.element.dir = 'auto';
    this.#tints.element.dir = getComputedStyle(layout.element).direction;
  }

  /** The selected part of its text, or null. */
  get selected(): Part | null {
    return this.#layout && this.#shown ? selectedIn(this.#layout, this.#shown.chunking.text.text.length) : null;
  }

  #copy(event: ClipboardEvent): void {
    const part = this.selected;
    if (!part || !this.#shown) return;
    event.clipboardData?.setData('text/plain', this.#shown.chunking.text.text.slice(part.start, part.end));
    event.preventDefault();
  }

  // ---- the place in the text

  /** The first sentence that begins in view, otherwise the one that fills the view. */
  get anchor(): Anchor | null {
    const layout = this.#layout;
    if (!layout) return null;
    const { top } = this.pane.getBoundingClientRect();
    const [block] = this.#inView(layout);
    const { start, sentences } = layout.blockSpan(block);
    const first = layout.sentenceAt(start);
    const i = lowest(sentences, (n) => (this.#top(layout.start(first + n)) ?? top) >= top);
    const at = layout.start(Math.min(first + i, layout.count - 1));
    const y = this.#top(at);
    return y === null ? null : { at, y: y - top };
  }

  /** Returns the height of a character in the window. */
  #top(at: number): number | null {
    return this.#layout?.range(at, at + 1)?.getClientRects()[0]?.top ?? null;
  }

  /**
   * Scrolls so that a place has the same distance from the top as in another column. It does so again
   * within some frames, because blocks get their heights when they come into view.
   */
  follow({ at, y }: Anchor, frames = SETTLING): void {
    this.settle();
    this.#followed = { at, y };
    const top = this.#top(at);
    if (top === null) return;
    const off = top - this.pane.getBoundingClientRect().top - y;
    if (Math.abs(off) >= 1) this.pane.scrollTop += off;
    this.#expected = this.pane.scrollTop;
    if (frames > 0) this.#settling = requestAnimationFrame(() => this.follow({ at, y }, frames - 1));
  }

  /** Stops following. */
  settle(): void {
    cancelAnimationFrame(this.#settling);
    this.#settling = 0;
    this.#followed = null;
  }

  /** Marks the chunk that contains a place; null marks none. Returns the range of a passage. */
  mark(passage: Part | null): Range | null {
    const chunk = passage && this.#shown?.chunks.findLast(({ start }) => start <= passage.start);
    this.#tints.current = chunk?.start ?? -1;
    this.#tintSoon();
    return (passage && this.#layout?.range(passage.start, passage.end)) ?? null;
  }

  #offsetAt(x: number): number {
    const { left, width } = this.#strip.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (x - left) / Math.max(1, width)));
    const { chunking } = this.#shown ?? {};
    const length = chunking?.text.text.length ?? 0;
    const at = Math.round((getComputedStyle(this.#strip).direction === 'rtl' ? 1 - share : share) * length);
    const { sentences } = chunking ?? {};
    return sentences ? (sentences[2 * Math.min(sentenceAt(sentences, at), (sentences.length >> 1) - 1)] ?? 0) : 0;
  }

  // ---- drawing

  #drawStrip(letter: string, chunks: readonly Tinted[], length: number): void {
    const x = (at: number) => (WIDTH * at) / Math.max(1, length);
    setAttribute(this.#strip, 'aria-label', words.strip(letter, chunks.length));
    this.#strip.replaceChildren(
      svg(
        'svg',
        {
          viewBox: `0 0 ${WIDTH} 8`,
          preserveAspectRatio: 'none',
          'aria-hidden': 'true',
          ...(chunks.length <= GAPS && { class: 'gaps' }),
        },
        ...chunks.map(({ start, end, colour }) =>
          svg('rect', { x: x(start), y: 0, width: x(end) - x(start), height: 8, 'data-colour': colour }),
        ),
      ),
    );
  }

  #inView(layout: TextLayout): [from: number, to: number] {
    const { top, bottom } = this.pane.getBoundingClientRect();
    return blocksInView(layout, top, bottom);
  }

  #paint(block: Element): void {
    const layout = this.#layout;
    const index = layout?.blockOf(block) ?? -1;
    if (layout && index >= 0 && this.#paintBlock(layout, index)) this.#tintSoon();
  }

  /** Returns false if the block was painted already. */
  #paintBlock(layout: TextLayout, index: number): boolean {
    if (this.#painted.has(index)) return false;
    this.#painted.add(index);
    layout.refresh(index);
    return true;
  }

  /** Draws the chunks in view before the next frame is painted. */
  #tintSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#tint();
    });
  }

  #tint(): void {
    const layout = this.#layout;
    if (!layout || !this.#shown || layout.element.getClientRects().length === 0) return;
    let [from, to] = this.#inView(layout);
    // Building a block would move the text.
    while (from < to && !this.#painted.has(from)) from++;
    while (to > from && !this.#painted.has(to - 1)) to--;
    const above = this.pane.getBoundingClientRect().top - this.pane.scrollTop;
    this.#tints.show(layout, this.#shown.chunks, [from, to], above);
  }
}
