// Draws the curve: a bar for each value between neighbouring sentences. Where there is no
// room for that, each pixel shows the range of its values. The threshold line is a separate
// element.

import type { CurveKind } from '../../lib/api.ts';
import { downsample, type Bar } from '../../lib/downsample.ts';
import { STATES, type GapState } from '../../lib/gaps.ts';
import { extent } from '../../lib/histogram.ts';

export interface Curve {
  kind: CurveKind;
  values: Float32Array;
  /** The state of each gap, as an index into STATES. */
  states: Uint8Array;
  /** The threshold on the scale of the values. */
  threshold: number;
}

/** The visible range of strengths, the same for every text: from never a boundary to always one. */
const STRENGTHS = [-6, 3] as const;
/** The least width of a bar including its gap, in CSS pixels. */
const PITCH = 3;
/** With more values per bar than this, columns of one pixel replace the bars. */
const MOST_BEHIND = 4;
/**
 * Marks that distinguish cuts without colour: the radius of a disk, of a ring, and the
 * width of a zigzag, in CSS pixels.
 */
const DISK = 3.5;
const RING = 2.5;
const ZIGZAG = 3;
/** Size of the triangle over a search result, and over the one shown. */
const FOUND = { plain: 4, current: 6 };
/** Least height of the mark of a cut that the maximum needed. */
const FOOT = 6;
/** The dashes of a bar at an inner boundary, and the space between them. */
const DASH = [3, 2] as const;
const PADDING = { top: 12, bottom: 0 };

export class CurvePainter {
  readonly #canvas: HTMLCanvasElement;
  #curve: Curve | null = null;
  #bars: Bar[] = [];
  /** The gaps shown, without `#to`. */
  #from = 0;
  #to = 0;
  #low = 0;
  #high = 1;
  #width = 0;
  #height = 0;
  #dense = false;
  /** The sentences found, and the one shown. */
  #found: readonly number[] = [];
  #current = -1;
  /** The colours of the stylesheet, cached because reading them recalculates styles. */
  #colours: { bar: string; cut: string; forced: string } | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  get bars(): readonly Bar[] {
    return this.#bars;
  }

  get width(): number {
    return this.#width;
  }

  get height(): number {
    return this.#height;
  }

  get from(): number {
    return this.#from;
  }

  get to(): number {
    return this.#to;
  }

  /** Whether there are more values than bars, so that zooming in shows more. */
  get dense(): boolean {
    return this.#dense;
  }

  /** Shows another curve in full. */
  show(curve: Curve | null): void {
    const same = curve?.values.length === this.#curve?.values.length;
    this.#curve = curve;
    const { values = new Float32Array(0) } = curve ?? {};
    const [low, high] = curve?.kind === 'strength' ? STRENGTHS : values.length > 0 ? extent(values) : [0, 1];
    this.#low = Math.min(0, low);
    this.#high = Math.max(this.#low + 1e-6, high);
    if (!same) [this.#from, this.#to] = [0, values.length]; // a new cut keeps the zoom
    this.#divide();
    this.draw(null);
  }

  /** Moves the line of the same curve. */
  move(states: Uint8Array, threshold: number): void {
    if (!this.#curve) return;
    Object.assign(this.#curve, { states, threshold });
    this.draw(null);
  }

  /** Marks the sentences that a search found, and the one shown; −1 means none. */
  find(found: readonly number[], current: number): void {
    this.#found = found;
    this.#current = current;
    this.draw(null);
  }

  /** Shows only these gaps. */
  look(from: number, to: number): void {
    [this.#from, this.#to] = [from, to];
    this.#divide();
    this.draw(null);
  }

  resize(width: number, height: number): void {
    const scale = devicePixelRatio || 1;
    this.#width = width;
    this.#height = height;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    this.#divide();
    this.recolour();
  }

  /** Redraws with the current colours of the stylesheet. */
  recolour(): void {
    this.#colours = null;
    this.draw(null);
  }

  stateOf(gap: number): GapState {
    return STATES[this.#curve?.states[gap] ?? 0] ?? 'none';
  }

  /** Reports whether a chunk ends at a gap. */
  isCut(gap: number): boolean {
    const state = this.stateOf(gap);
    return state !== 'none' && state !== 'joined';
  }

  /** Counts the cuts that a bar covers. */
  cutsOf({ first, last }: Bar): number {
    let sum = 0;
    for (let gap = first; gap < last; gap++) sum += Number(this.isCut(gap));
    return sum;
  }

  /**
   * Returns the gap to describe for a bar: its extreme if that is a cut, otherwise its
   * first cut, otherwise its extreme.
   */
  gapOf(bar: Bar): number {
    if (this.isCut(bar.gap)) return bar.gap;
    for (let gap = bar.first; gap < bar.last; gap++) {
      if (this.isCut(gap)) return gap;
    }
    return bar.gap;
  }

  barAt(x: number): Bar | undefined {
    const index = Math.floor((x / Math.max(1, this.#width)) * this.#bars.length);
    return this.#bars[Math.min(this.#bars.length - 1, Math.max(0, index))];
  }

  /** Converts a value to pixels from the top, and back. */
  y(value: number): number {
    const inner = this.#height - PADDING.top - PADDING.bottom;
    return PADDING.top + inner * (1 - (value - this.#low) / (this.#high - this.#low));
  }

  value(y: number): number {
    const inner = Math.max(1, this.#height - PADDING.top - PADDING.bottom);
    const share = 1 - (y - PADDING.top) / inner;
    return this.#low + Math.min(1, Math.max(0, share)) * (this.#high - this.#low);
  }

  /**
   * The base line of the bars: zero, except that strengths, which are logarithms, use the lowest
   * value shown.
   */
  get #base(): number {
    return this.y(this.#curve?.kind === 'strength' ? this.#low : 0);
  }

  #divide(): void {
    const values = this.#curve?.values.subarray(this.#from, this.#to) ?? new Float32Array(0);
    this.#dense = values.length > (MOST_BEHIND * this.#width) / PITCH;
    const columns = this.#dense ? this.#width : this.#width / PITCH;
    this.#bars = downsample(values, columns, this.#curve?.kind === 'similarity', this.#from);
  }

  /** Draws everything. `pointed` is the bar under the pointer. */
  draw(pointed: Bar | null): void {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    if (this.#dense) this.#drawColumns(context, pointed);
    else this.#drawBars(context, pointed);
    context.globalAlpha = 1;
    this.#drawFound(context);
  }

  #drawFound(context: CanvasRenderingContext2D): void {
    context.fillStyle = this.#colour().cut;
    for (const sentence of this.#found) {
      const share = (sentence - 0.5 - this.#from) / Math.max(1, this.#to - this.#from);
      if (sentence > 0 && (share < 0 || share > 1)) continue;
      const x = Math.max(0, share) * this.#width;
      const size = sentence === this.#current ? FOUND.current : FOUND.plain;
      context.beginPath();
      context.moveTo(x - size, 0);
      context.lineTo(x + size, 0);
      context.lineTo(x, 1.5 * size);
      context.fill();
    }
  }

  #drawBars(context: CanvasRenderingContext2D, pointed: Bar | null): void {
    const { bar: plain, cut: accent, forced } = this.#colour();
    const base = this.#base;
    const pitch = this.#width / Math.max(1, this.#bars.length);
    const gap = pitch >= PITCH ? 1 : 0;
    this.#bars.forEach((bar, i) => {
      const state = this.stateOf(this.gapOf(bar));
      const width = Math.max(1, Math.min(pitch - gap, 5));
      if (state === 'forced' || state === 'hand' || state === 'joined')
        this.#drawForm(context, state, i * pitch + width / 2, this.y(bar.value));
      if (state === 'hand') return;
      context.globalAlpha = state !== 'none' || bar === pointed ? 1 : 0.8;
      context.fillStyle = state === 'forced' ? forced : state === 'none' || state === 'joined' ? plain : accent;
      const top = this.y(bar.value);
      if (state === 'inner') this.#drawDashes(context, i * pitch, width, top);
      else context.fillRect(i * pitch, Math.min(top, base), width, Math.max(1, Math.abs(base - top)));
    });
  }

  /** Draws the bar of an inner boundary, which the line does not reach: dashes from its value to the base line. */
  #drawDashes(context: CanvasRenderingContext2D, x: number, width: number, top: number): void {
    const base = this.#base;
    const [from, to] = [Math.min(top, base), Math.max(top, base)];
    const start = Math.min(from, to - FOOT);
    for (let y = start; y < to; y += DASH[0] + DASH[1]) context.fillRect(x, y, width, Math.min(DASH[0], to - y));
  }

  /**
   * Draws the mark of a state. A cut by hand is a full-height stem with a disk, a forced
   * cut a zigzag up to the line, a joined gap a ring at its top.
   */
  #drawForm(context: CanvasRenderingContext2D, state: GapState, x: number, top: number): void {
    const { bar: plain, cut: accent, forced } = this.#colour();
    context.globalAlpha = 1;
    context.strokeStyle = context.fillStyle = state === 'forced' ? forced : state === 'hand' ? accent : plain;
    context.lineWidth = 1.5;
    context.beginPath();
    if (state === 'hand') {
      context.fillRect(x - 1, PADDING.top, 2, this.#height - PADDING.top);
      context.arc(x, PADDING.top, DISK, 0, 2 * Math.PI);
      context.fill();
      return;
    }
    if (state === 'joined') {
      context.setLineDash([2, 2]);
      context.moveTo(x, this.#height);
      context.lineTo(x, top);
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      context.arc(x, Math.max(RING, top - RING), RING, 0, 2 * Math.PI);
    } else {
      const end = Math.max(0, Math.min(top, this.y(this.#curve?.threshold ?? 0)));
      context.moveTo(x, this.#height);
      for (let y = this.#height, side = 1; y > end; y -= 4, side = -side) context.lineTo(x + side * ZIGZAG, y - 4);
    }
    context.stroke();
  }

  /**
   * Draws one column per pixel, from its least to its greatest value. If a column has a
   * cut, only the part beyond the line gets the colour of cuts, because nearly every column
   * of a long text has one. A cut that the maximum needed is not beyond the line. It gets a
   * mark at its value if it is an inner boundary, and otherwise at the foot.
   */
  #drawColumns(context: CanvasRenderingContext2D, pointed: Bar | null): void {
    const { bar: plain, cut: accent, forced } = this.#colour();
    const base = this.#base;
    const line = this.y(this.#curve?.threshold ?? 0);
    const pitch = this.#width / Math.max(1, this.#bars.length);
    const column = (i: number, y: number, end: number) =>
      context.fillRect(i * pitch, Math.min(y, end), pitch, Math.max(1, Math.abs(end - y)));
    context.fillStyle = plain;
    context.globalAlpha = 0.2;
    this.#bars.forEach((bar, i) => column(i, this.y(bar.min), base));
    context.globalAlpha = 0.45;
    this.#bars.forEach((bar, i) => column(i, this.y(bar.max), this.y(bar.min)));
    context.globalAlpha = 1;
    if (pointed) column(this.#bars.indexOf(pointed), 0, this.#height);
    this.#bars.forEach((bar, i) => {
      const gap = this.gapOf(bar);
      if (!this.isCut(gap)) return;
      const state = this.stateOf(gap);
      const top = this.y(this.#curve?.values[gap] ?? 0);
      context.fillStyle = state === 'forced' ? forced : accent;
      if (state === 'forced') column(i, this.#height - FOOT, this.#height);
      else if (state === 'inner') column(i, Math.min(top, this.#height - FOOT), Math.min(top + FOOT, this.#height));
      else column(i, top, line);
    });
  }

  #colour(): { bar: string; cut: string; forced: string } {
    // The canvas carries the colours in its style: text colour for bars, border colours for
    // cuts.
    if (this.#colours) return this.#colours;
    const { color, borderTopColor, borderBottomColor } = getComputedStyle(this.#canvas);
    this.#colours = { bar: color, cut: borderTopColor, forced: borderBottomColor };
    return this.#colours;
  }
}
