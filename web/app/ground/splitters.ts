// The edges of the side columns. Dragging changes the width; a double press or Enter hides
// the column or shows it again. Remembered.

import { h, setAttribute } from './dom.ts';
import { remember, remembered } from './remembered.ts';
import { shown } from '../words/en/views.ts';

/**
 * In pixels: the least width of a column, and a key's step. A column dragged below half the
 * least width is hidden.
 */
const LEAST = 180;
const STEP = 16;
/** The greatest width as a share of the window. */
const MOST = 0.45;

export class Splitter {
  readonly #name: 'side' | 'rail';
  readonly #column: HTMLElement;
  readonly #element: HTMLElement;
  /** The chosen width, or 0 for the stylesheet's. */
  #width: number;
  #hidden: boolean;

  /** `name` is the custom property with the column's width. */
  constructor(name: 'side' | 'rail', column: HTMLElement) {
    this.#name = name;
    this.#column = column;
    this.#element = h('div', {
      class: 'splitter',
      role: 'separator',
      tabindex: 0,
      'aria-orientation': 'vertical',
      'aria-label': shown.columns[name],
      title: shown.columns.how,
    });
    column.append(this.#element);
    const [width = '', hidden = ''] = remembered(`seam.${name}`).split(' ');
    this.#width = Number(width) || 0;
    this.#hidden = hidden === 'hidden';
    this.#apply();
    this.#listen();
  }

  #listen(): void {
    let from: { x: number; width: number } | null = null;
    this.#element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      from = { x: event.clientX, width: this.#column.offsetWidth };
      this.#element.setPointerCapture(event.pointerId);
    });
    this.#element.addEventListener('pointermove', ({ clientX }) => {
      if (from) this.#resize(from.width + (clientX - from.x) * this.#outward);
    });
    this.#element.addEventListener('lostpointercapture', () => {
      from = null;
      this.#save();
    });
    this.#element.addEventListener('dblclick', () => this.#toggle());
    this.#element.addEventListener('keydown', (event) => this.#key(event));
    addEventListener('resize', () => this.#apply());
  }

  /** Returns the sign of the pointer movement that widens the column. */
  get #outward(): number {
    const leftToRight = getComputedStyle(document.body).direction === 'ltr';
    return (this.#name === 'side') === leftToRight ? 1 : -1;
  }

  #key(event: KeyboardEvent): void {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way) this.#resize(this.#column.offsetWidth + way * STEP * this.#outward);
    else if (event.key === 'Enter') this.#toggle();
    else return;
    event.preventDefault();
    this.#save();
  }

  #resize(width: number): void {
    this.#hidden = width < LEAST / 2;
    if (!this.#hidden) this.#width = Math.round(Math.max(LEAST, Math.min(innerWidth * MOST, width)));
    this.#apply();
  }

  #toggle(): void {
    this.#hidden = !this.#hidden;
    this.#apply();
    this.#save();
  }

  #apply(): void {
    document.body.classList.toggle(`no-${this.#name}`, this.#hidden);
    const width = Math.min(this.#width, Math.round(innerWidth * MOST));
    if (width > 0) document.body.style.setProperty(`--${this.#name}`, `${width}px`);
    const now = this.#hidden ? 0 : this.#column.offsetWidth;
    setAttribute(this.#element, 'aria-valuenow', now);
    setAttribute(this.#element, 'aria-valuemin', 0);
    setAttribute(this.#element, 'aria-valuemax', Math.round(innerWidth * MOST));
    setAttribute(this.#element, 'aria-valuetext', this.#hidden ? shown.columns.hidden : shown.columns.width(now));
  }

  #save(): void {
    remember(
      `seam.${this.#name}`,
      this.#width > 0 || this.#hidden ? `${this.#width}${this.#hidden ? ' hidden' : ''}` : '',
    );
    this.#apply();
  }
}
