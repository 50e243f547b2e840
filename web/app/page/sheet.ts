// One page: room for it from the start, its picture while it is near, its marks above.

import { h } from '../ground/dom.ts';
import type { Box, PageSize } from './words.ts';
import { words } from '../words/en/pages.ts';

/** What is marked, the lowest first. Bars are beside chunks, lines below the words. */
export interface Mark {
  kind: 'bar' | 'bar now' | 'chunk' | 'passage' | 'word';
  box: Box;
  /** Of a chunk; -1: none. */
  colour: number;
}

/** Points between the words and the bar beside them, and how wide that is; the chunk that is selected has a wider one. */
const BAR_GAP = 9;
const BAR = { bar: 2, 'bar now': 5 };
/** Points by which marks stand out from the words. */
const OUT = 1.5;

export class Sheet {
  readonly paper = h('div', { class: 'paper' });
  readonly element: HTMLElement;
  readonly #index: number;
  readonly size: PageSize;
  readonly #layer = h('div', { class: 'marks', 'aria-hidden': 'true' });
  #canvas: HTMLCanvasElement | null = null;
  /** Pixels of the screen that the picture was drawn for; 0: there is none. */
  #width = 0;
  failed = false;

  constructor(index: number, of: number, size: PageSize) {
    this.#index = index;
    this.size = size;
    this.paper.style.aspectRatio = `${size.width} / ${size.height}`;
    this.element = h(
      'figure',
      { class: 'sheet', 'aria-label': words.page(index + 1, of) },
      h('span', { class: 'number', 'aria-hidden': 'true' }, words.short(index + 1, of)),
      this.paper,
    );
  }

  /** Pixels of the screen that a sharp picture needs. */
  get wanted(): number {
    return Math.round(this.paper.clientWidth * devicePixelRatio);
  }

  /** The picture is not there, or not sharp. */
  get stale(): boolean {
    return !this.failed && this.wanted > 0 && this.#width !== this.wanted;
  }

  /** Takes a picture that was drawn for a width. */
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

  /** Far from what is seen: only its room stays. */
  free(): void {
    this.#drop();
    this.failed = false;
    this.#layer.replaceChildren();
    this.paper.replaceChildren();
    delete this.element.dataset['state'];
  }

  #drop(): void {
    // The memory of a canvas is free at once where it has no pixels.
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

  /** Where a point of the screen is on the page, in points. */
  point({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const { left, top, width, height } = this.paper.getBoundingClientRect();
    return { x: ((clientX - left) / width) * this.size.width, y: ((clientY - top) / height) * this.size.height };
  }

  /** Where a height on the page is, in pixels below the top of what the pages are in. */
  below(y: number): number {
    return this.paper.offsetTop + (y / this.size.height) * this.paper.clientHeight;
  }
}
