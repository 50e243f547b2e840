// Draws the curve: bars of the values between neighbouring sentences and the
// line above (or below) which the text is cut.

import type { CurveKind } from '../lib/api.ts';
import { downsample, type Bar } from '../lib/downsample.ts';

export interface Curve {
  kind: CurveKind;
  values: Float32Array;
  boundaries: Int32Array;
  /** Where the line is, on the scale of the values. */
  cut: number;
}

/** The least width of a bar with its gap, in CSS pixels. */
const PITCH = 3;
const PADDING = { top: 12, bottom: 0 };

export class CurvePainter {
  readonly #canvas: HTMLCanvasElement;
  #curve: Curve | null = null;
  #bars: Bar[] = [];
  #isBoundary = new Uint8Array(0);
  #low = 0;
  #high = 1;
  #width = 0;
  #height = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  get bars(): readonly Bar[] {
    return this.#bars;
  }

  show(curve: Curve | null): void {
    this.#curve = curve;
    this.measure();
  }

  /** Takes the size of the canvas and draws anew. */
  measure(): void {
    const { width, height } = this.#canvas.getBoundingClientRect();
    const scale = devicePixelRatio || 1;
    this.#width = width;
    this.#height = height;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    const values = this.#curve?.values ?? new Float32Array(0);
    this.#bars = downsample(values, width / PITCH, this.#curve?.kind === 'similarity');
    this.#isBoundary = new Uint8Array(values.length);
    for (const gap of this.#curve?.boundaries ?? []) this.#isBoundary[gap] = 1;
    this.#low = Math.min(0, ...this.#bars.map((bar) => bar.value));
    this.#high = Math.max(this.#low + 1e-6, ...this.#bars.map((bar) => bar.value));
    this.draw(null);
  }

  isBoundary(gap: number): boolean {
    return this.#isBoundary[gap] === 1;
  }

  /** The gap to speak of for a bar: its boundary if it has one, else its extreme. */
  gapOf(bar: Bar): number {
    for (let gap = bar.first; gap < bar.last; gap++) {
      if (this.isBoundary(gap)) return gap;
    }
    return bar.gap;
  }

  barAt(x: number): Bar | undefined {
    const index = Math.floor((x / Math.max(1, this.#width)) * this.#bars.length);
    return this.#bars[Math.min(this.#bars.length - 1, Math.max(0, index))];
  }

  /** From a value to pixels from the top, and back. */
  y(value: number): number {
    const inner = this.#height - PADDING.top - PADDING.bottom;
    return PADDING.top + inner * (1 - (value - this.#low) / (this.#high - this.#low));
  }

  value(y: number): number {
    const inner = Math.max(1, this.#height - PADDING.top - PADDING.bottom);
    const share = 1 - (y - PADDING.top) / inner;
    return this.#low + Math.min(1, Math.max(0, share)) * (this.#high - this.#low);
  }

  /** Draws everything; `pointed` is the bar under the pointer. `line` moves the line ahead of the engine. */
  draw(pointed: Bar | null, line = this.#curve?.cut): void {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    // The stylesheet says the colours: text colour for bars, border colour for cuts and the line.
    const style = getComputedStyle(this.#canvas);
    const base = this.y(Math.max(0, this.#low));
    const pitch = this.#width / Math.max(1, this.#bars.length);
    const gap = pitch >= PITCH ? 1 : 0;
    this.#bars.forEach((bar, i) => {
      const cut = this.isBoundary(this.gapOf(bar));
      context.globalAlpha = cut || bar === pointed ? 1 : 0.45;
      context.fillStyle = cut ? style.borderTopColor : style.color;
      const top = this.y(bar.value);
      context.fillRect(i * pitch, Math.min(top, base), Math.max(1, Math.min(pitch - gap, 8)), Math.max(1, Math.abs(base - top)));
    });
    context.globalAlpha = 1;
    if (line === undefined || this.#bars.length === 0) return;
    context.fillStyle = style.borderTopColor;
    context.fillRect(0, Math.round(Math.min(this.#height - 2, Math.max(0, this.y(line) - 1))), this.#width, 2);
  }
}
