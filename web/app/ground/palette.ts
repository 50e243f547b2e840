// The stylesheet's chunk colours, for canvases.

import { COLOURS } from '../../lib/colours.ts';
import { h } from './dom.ts';

export class Palette {
  /** Add these to the document: colours can be read from elements only. */
  readonly probes: readonly HTMLElement[] = Array.from({ length: COLOURS }, (_, i) => {
    const probe = h('i', { hidden: true });
    probe.style.color = `var(--k${i})`;
    return probe;
  });
  #colours: string[] = [];

  /** Returns a colour. Colours are read once because that recalculates styles. */
  at(colour: number): string {
    if (this.#colours.length === 0) this.#colours = this.probes.map((probe) => getComputedStyle(probe).color);
    return this.#colours[colour] ?? '';
  }

  /** Forgets the colours after the stylesheet changed. */
  forget(): void {
    this.#colours = [];
  }
}

/** Sizes a canvas for the screen's resolution and clears it. Returns null if it has no size. */
export function sharp(
  canvas: HTMLCanvasElement,
): { context: CanvasRenderingContext2D; width: number; height: number } | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return null;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}
