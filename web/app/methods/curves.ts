// Pictures of the methods with a curve: the bars of its gaps, the line, what gives the line,
// and below them the chunks.

import { svg } from '../ground/svg.ts';
import { deviation, mean, passing, percentile } from './rules.ts';

export const WIDTH = 160;
export const HEIGHT = 56;
/** The band of the chunks, at the foot. */
const BAND = { y: 48, height: 7 };
/** The curve, and beside it what gives the line. */
const CURVE = { width: 122, top: 3, bottom: 43 };
const SIDE = { x: 130, width: 29 };

export const rect = (name: string, x: number, y: number, width: number, height: number, radius = 0): SVGElement =>
  svg('rect', {
    class: name,
    x,
    y,
    width: Math.max(0, width),
    height: Math.max(0, height),
    ...(radius ? { rx: radius } : {}),
  });

export const line = (name: string, x1: number, y1: number, x2: number, y2: number): SVGElement =>
  svg('line', { class: name, x1, y1, x2, y2 });

export const picture = (...parts: Node[]): SVGElement =>
  svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'method-picture', 'aria-hidden': 'true' }, ...parts);

/** Chunks that end at `ends`, of a text that is `whole` long. */
export const band = (ends: readonly number[], whole: number, width = WIDTH): SVGElement[] =>
  ends.map((end, i) => {
    const at = i === 0 ? 0 : (ends[i - 1] ?? 0);
    return rect(`k${i % 5}`, (width * at) / whole + 0.5, BAND.y, (width * (end - at)) / whole - 1, BAND.height, 1.5);
  });

/** From a value to its place, with all of `values` in the picture. */
type Scale = (value: number) => number;

function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(...values)];
  return (v) => CURVE.bottom - ((CURVE.bottom - CURVE.top) * (v - low)) / (high - low);
}

/** What gives the line: `values` are those of the curve, `at` is the line. */
export type Side = (values: readonly number[], at: number, scale: Scale, below: boolean) => Node[];

/** All values in their order, and those beyond the line. */
export const inOrder: Side = (values, at, scale, below) => {
  const width = SIDE.width / values.length;
  return [...values]
    .sort((a, b) => a - b)
    .map((v, i) => bar(v, SIDE.x + i * width, width, scale, below ? v < at : v > at));
};

/** The mean, and steps of a standard deviation to the line. */
export const steps: Side = (values, at, scale) => {
  const [middle, step] = [mean(values), deviation(values)];
  const x = SIDE.x + SIDE.width / 2;
  const n = Math.round(Math.abs(at - middle) / step);
  const ticks = Array.from({ length: n }, (_, i) => scale(middle + Math.sign(at - middle) * (i + 1) * step));
  return [
    line('mean', SIDE.x, scale(middle), SIDE.x + SIDE.width, scale(middle)),
    line('stem', x, scale(middle), x, scale(at)),
    ...ticks.map((y) => line('stem', x - 4, y, x + 4, y)),
  ];
};

/** The middle half of the values as a box, and the way to the line from `from`. */
export const box =
  (from: (values: readonly number[]) => number): Side =>
  (values, at, scale) => {
    const [low, high] = [scale(percentile(values, 25)), scale(percentile(values, 75))];
    const x = SIDE.x + SIDE.width / 2;
    return [
      rect('half', SIDE.x + 5, high, SIDE.width - 10, low - high),
      line('mean', SIDE.x, scale(mean(values)), SIDE.x + SIDE.width, scale(mean(values))),
      line('stem', x, scale(from(values)), x, scale(at)),
    ];
  };

/** A curve with its line; `below`: what is under the line is cut. */
export function curve(values: readonly number[], at: number, side: Side, below = false): SVGElement {
  const scale = scaleOf([...values, at]);
  const width = CURVE.width / (values.length + 1);
  const cuts = passing(values, at, below);
  return picture(
    ...values.map((v, i) => bar(v, (i + 0.5) * width, width, scale, cuts.includes(i))),
    ...side(values, at, scale, below),
    line('threshold', 0, scale(at), WIDTH, scale(at)),
    ...band([...cuts.map((i) => i + 1), values.length + 1], values.length + 1, CURVE.width),
  );
}

/** A bar from nothing to its value. */
function bar(value: number, x: number, width: number, scale: Scale, cut: boolean): SVGElement {
  const [a, b] = [scale(value), scale(0)];
  return rect(cut ? 'cut' : 'gap', x + width * 0.15, Math.min(a, b), width * 0.7, Math.max(1, Math.abs(a - b)));
}
