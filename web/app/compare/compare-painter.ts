// Draws several cuts of a text side by side, from top to bottom: a ribbon of chunks for
// each, and a thread between neighbours where both cut at the same place.

import type { Place } from '../../lib/compare.ts';
import { lowest } from '../../lib/lowest.ts';
import { h } from '../ground/dom.ts';
import { Palette, sharp } from '../ground/palette.ts';
import { number } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

export interface Ribbon {
  /** Drawn at the top. */
  letter: string;
  /** The starts of its chunks, ascending, and their colours. */
  starts: readonly number[];
  colours: readonly number[];
}

export interface Picture {
  ribbons: readonly Ribbon[];
  places: readonly Place[];
  /** The starts of the pages, with their printed numbers. */
  pages: readonly { number: number; label?: string; start: number }[];
  /** The length of the text, in the same units. */
  length: number;
}

/**
 * In pixels: the height of the letters, the width of a ribbon, the width of the page
 * numbers, the least distance between them, and the length of a loose end.
 */
const TOP = 20;
const RIBBON = 22;
const PAGES = 30;
const APART = 16;
const LOOSE = 7;
/** Printed numbers with more characters do not fit. */
const LABEL = 4;
/** The opacity, as in the ribbon below the curve. */
const SOFTLY = 0.65;

export class ComparePainter {
  readonly #palette = new Palette();
  readonly #canvas = h('canvas'); // an image once it is drawn and has a name
  /** On its own layer because it moves with each scroll. */
  readonly #window = h('div', { class: 'window', hidden: true });
  readonly element = h('div', { class: 'ribbons' }, this.#window, this.#canvas, ...this.#palette.probes);
  #picture: Picture = { ribbons: [], places: [], pages: [], length: 0 };
  #seen: [start: number, end: number] | null = null;

  constructor() {
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => {
        this.#palette.forget();
        this.#draw();
      });
    }
  }

  show(picture: Picture, label: string): void {
    this.#picture = picture;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', label);
    this.#draw();
  }

  /** Sets the part of the text in view. */
  see(seen: [start: number, end: number] | null): void {
    this.#seen = seen;
    this.#window.hidden = seen === null || this.#picture.length === 0;
    if (!seen) return;
    const [top, bottom] = seen.map((at) => this.#y(at)) as [number, number];
    this.#window.style.transform = `translateY(${top}px)`;
    this.#window.style.height = `${Math.max(4, bottom - top)}px`;
  }

  /**
   * Returns the text offset at a point of the window and, on a ribbon, the ribbon and its
   * chunk.
   */
  at(x: number, y: number): { offset: number; ribbon: number; chunk: number } {
    const { left, top } = this.#canvas.getBoundingClientRect();
    const { ribbons, length } = this.#picture;
    const inner = Math.max(1, this.#canvas.clientHeight - TOP);
    const offset = Math.round(Math.min(1, Math.max(0, (y - top - TOP) / inner)) * length);
    const ribbon = ribbons.findIndex((_, i) => x - left >= this.#x(i) && x - left <= this.#x(i) + RIBBON);
    const starts = ribbons[ribbon]?.starts ?? [];
    return { offset, ribbon, chunk: lowest(starts.length, (i) => (starts[i] ?? 0) > offset) - 1 };
  }

  #y(at: number): number {
    return TOP + (at / Math.max(1, this.#picture.length)) * (this.#canvas.clientHeight - TOP);
  }

  /** Returns the left edge of a ribbon. */
  #x(ribbon: number): number {
    const { ribbons, pages } = this.#picture;
    const left = pages.length > 1 ? PAGES : 0;
    return (
      left + (ribbons.length < 2 ? 0 : (ribbon * (this.#canvas.clientWidth - left - RIBBON)) / (ribbons.length - 1))
    );
  }

  #draw(): void {
    const drawing = sharp(this.#canvas);
    if (!drawing) return;
    const { context } = drawing;
    const { color: soft, borderTopColor: accent, fontFamily } = getComputedStyle(this.#canvas);
    context.font = `11px ${fontFamily}`;
    context.textBaseline = 'top';
    context.fillStyle = soft;
    this.#drawPages(context);
    this.#picture.ribbons.forEach((ribbon, i) => this.#drawRibbon(context, ribbon, this.#x(i), soft));
    for (let i = 1; i < this.#picture.ribbons.length; i++) this.#drawThreads(context, i - 1, { soft, accent });
    this.see(this.#seen);
  }

  #drawPages(context: CanvasRenderingContext2D): void {
    const { pages, length } = this.#picture;
    if (pages.length < 2 || length === 0) return;
    let free = 0;
    for (const { number: sheet, label, start } of pages) {
      const page = label && label.length <= LABEL ? label : number.format(sheet);
      const y = this.#y(start);
      context.fillRect(PAGES - 8, Math.floor(y), 4, 1);
      if (y < free || y > this.#canvas.clientHeight - 12) continue;
      context.fillText(free === 0 ? shown.compare.page(page).replace(/\s/, '') : page, 0, y);
      free = y + APART;
    }
  }

  #drawRibbon(context: CanvasRenderingContext2D, { letter, starts, colours }: Ribbon, x: number, soft: string): void {
    context.fillStyle = soft;
    context.textAlign = 'center';
    context.fillText(letter, x + RIBBON / 2, 3);
    context.textAlign = 'start';
    context.globalAlpha = SOFTLY;
    starts.forEach((start, i) => {
      const [top, bottom] = [this.#y(i === 0 ? 0 : start), this.#y(starts[i + 1] ?? this.#picture.length)];
      context.fillStyle = this.#palette.at(colours[i] ?? 0);
      context.fillRect(x, top, RIBBON, Math.max(0.5, bottom - top - (bottom - top > 3 ? 1 : 0)));
    });
    context.globalAlpha = 1;
  }

  /**
   * Draws the connections to the next ribbon: a thread where both cut, a loose end where
   * only one does.
   */
  #drawThreads(
    context: CanvasRenderingContext2D,
    ribbon: number,
    { soft, accent }: { soft: string; accent: string },
  ): void {
    const [left, right] = [this.#x(ribbon) + RIBBON, this.#x(ribbon + 1)];
    const line = (from: number, y: number, to: number, end: number) => {
      context.beginPath();
      context.moveTo(from, y);
      context.lineTo(to, end);
      context.stroke();
    };
    for (const { cuts } of this.#picture.places) {
      const [a, b] = [cuts[ribbon] ?? null, cuts[ribbon + 1] ?? null];
      context.strokeStyle = a !== null && b !== null ? accent : soft;
      context.lineWidth = a !== null && a === b ? 2 : 1;
      if (a !== null && b !== null) line(left + 1, this.#y(a), right - 1, this.#y(b));
      else if (a !== null) line(left + 1, this.#y(a), left + LOOSE, this.#y(a));
      else if (b !== null) line(right - LOOSE, this.#y(b), right - 1, this.#y(b));
    }
  }
}
