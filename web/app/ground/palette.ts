// The colours of chunks for a canvas, as the stylesheet says them.

import { COLOURS } from '../../lib/colours.ts';
import { h } from './dom.ts';

export class Palette {
  /** To be put into the document: a colour is known of an element only. */
  readonly probes: readonly HTMLElement[] = Array.from({ length: COLOURS }, (_, i) => {
    const probe = h('i', { hidden: true });
    probe.style.color = `var(--k${i})`;
    return probe;
  });
  #colours: string[] = [];

  /** Asked once: it costs a look at all styles. */
  at(colour: number): string {
    if (this.#colours.length === 0) this.#colours = this.probes.map((probe) => getComputedStyle(probe).color);
    return this.#colours[colour] ?? '';
  }

  /** The stylesheet says others now. */
  forget(): void {
    this.#colours = [];
  }
}

/** Makes a canvas as sharp as the screen, and clears it. Null where it has no size yet. */
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
