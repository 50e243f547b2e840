// One page: an empty sheet from the start, its picture while it is near, and its marks
// above.

import { h } from '../ground/dom.ts';
import type { Box, PageSize } from './words.ts';
import { words } from '../words/en/pages.ts';

/** The kinds of marks, lowest first. Bars are next to chunks, lines below the words. */
export interface Mark {
  kind: 'calm' | 'bar' | 'bar now' | 'chunk' | 'passage' | 'word';
  box: Box;
  /** The colour of a chunk, or -1. */
  colour: number;
}

/**
 * Points between the words and their bar, and the width of a bar. The selected chunk's bar
 * is wider.
 */
const BAR_GAP = 9;
const BAR = { bar: 2, 'bar now': 5 };
/** Points by which marks extend beyond the words. */
const OUT = 1.5;

export class Sheet {
  readonly paper = h('div', { class: 'paper' });
  readonly element: HTMLElement;
  readonly #index: number;
  readonly size: PageSize;
  readonly #layer = h('div', { class: 'marks', 'aria-hidden': 'true' });
  #canvas: HTMLCanvasElement | null = null;
  /** The width in device pixels that the picture was drawn for, or 0 without a picture. */
  #width = 0;
  failed = false;

  constructor(index: number, of: number, printed: string, size: PageSize) {
    this.#index = index;
    this.size = size;
    this.paper.style.aspectRatio = `${size.width} / ${size.height}`;
    this.element = h(
      'figure',
      { class: 'sheet', 'aria-label': words.page(index + 1, of, printed) },
      h('span', { class: 'number', 'aria-hidden': 'true' }, words.short(index + 1, of, printed)),
      this.paper,
    );
  }

  /** Returns the width in device pixels that a sharp picture needs. */
  get wanted(): number {
    return Math.round(this.paper.clientWidth * devicePixelRatio);
  }

  /** Reports whether the picture is missing or not sharp. */
  get stale(): boolean {
    return !this.failed && this.wanted > 0 && this.#width !== this.wanted;
  }

  /** Shows a picture that was drawn for a width. */
  take(canvas: HTMLCanvasElement, width: number): void {
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', words.picture(this.#index + 1));
    this.#drop();
    this.#canvas = canvas;
    this.#width = width;
    this.paper.replaceChildren(canvas, this.#layer);
    this.element.dataset['state'] = 'drawn';
  }

  fail(): void {
    this.#drop();
    this.failed = true;
    this.paper.replaceChildren(h('p', { class: 'trouble' }, words.pageDamaged), this.#layer);
    this.element.dataset['state'] = 'failed';
  }

  /** Frees the picture and the marks of a page that is far away. */
  free(): void {
    this.#drop();
    this.failed = false;
    this.#layer.replaceChildren();
    this.paper.replaceChildren();
    delete this.element.dataset['state'];
  }

  #drop(): void {
    // A canvas without pixels frees its memory immediately.
    if (this.#canvas) this.#canvas.width = this.#canvas.height = 0;
    this.#canvas?.remove();
    this.#canvas = null;
    this.#width = 0;
  }

  mark(marks: readonly Mark[]): void {
    this.#layer.replaceChildren(...marks.map((mark) => this.#element(mark)));
    if (!this.#layer.parentNode) this.paper.append(this.#layer);
  }

  #element({ kind, box, colour }: Mark): HTMLElement {
    const element = h('i', { class: kind, 'data-colour': colour < 0 ? null : colour });
    const { width, height } = this.size;
    const bar = kind === 'bar' || kind === 'bar now' ? BAR[kind] : 0;
    const x0 = bar ? Math.max(0, box.x0 - BAR_GAP - bar) : box.x0 - OUT;
    const across = bar || box.x1 - box.x0 + 2 * OUT;
    const { style } = element;
    style.left = `${(100 * x0) / width}%`;
    style.top = `${(100 * (box.y0 - OUT)) / height}%`;
    style.width = `${(100 * across) / width}%`;
    style.height = `${(100 * (box.y1 - box.y0 + 2 * OUT)) / height}%`;
    return element;
  }

  /** Converts a point of the screen to points on the page. */
  point({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const { left, top, width, height } = this.paper.getBoundingClientRect();
    return { x: ((clientX - left) / width) * this.size.width, y: ((clientY - top) / height) * this.size.height };
  }

  /** Returns the position of a height on the page, in pixels from the top of the list of pages. */
  below(y: number): number {
    return this.paper.offsetTop + (y / this.size.height) * this.paper.clientHeight;
  }
}
