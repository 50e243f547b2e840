// Draws pictures of the methods with a curve: the bars of its gaps, the threshold line, how
// the line is found, and the chunks below.

import { svg } from '../ground/svg.ts';
import { deviation, mean, passing, percentile } from './rules.ts';

export const WIDTH = 160;
export const HEIGHT = 56;
/** The band of the chunks at the bottom. */
const BAND = { y: 48, height: 7 };
/** The area of the curve, and the area next to it that shows how the line is found. */
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

/** Draws chunks that end at `ends` in a text of length `whole`. */
export const band = (ends: readonly number[], whole: number, width = WIDTH): SVGElement[] =>
  ends.map((end, i) => {
    const at = i === 0 ? 0 : (ends[i - 1] ?? 0);
    return rect(`k${i % 5}`, (width * at) / whole + 0.5, BAND.y, (width * (end - at)) / whole - 1, BAND.height, 1.5);
  });

/** Converts a value to a position, with all of `values` in the picture. */
type Scale = (value: number) => number;

function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(...values)];
  return (v) => CURVE.bottom - ((CURVE.bottom - CURVE.top) * (v - low)) / (high - low);
}

/** Draws how the line is found, from the `values` of the curve and the line `at`. */
export type Side = (values: readonly number[], at: number, scale: Scale, below: boolean) => Node[];

/** Draws all values in ascending order and marks those beyond the line. */
export const inOrder: Side = (values, at, scale, below) => {
  const width = SIDE.width / values.length;
  return [...values]
    .sort((a, b) => a - b)
    .map((v, i) => bar(v, SIDE.x + i * width, width, scale, below ? v < at : v > at));
};

/** Draws the mean, and steps of one standard deviation up to the line. */
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

/** Draws the middle half of the values as a box, and the distance from `from` to the line. */
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

/** Draws a curve with its line. With `below`, gaps under the line are cut. */
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

/** Draws a bar from zero to its value. */
function bar(value: number, x: number, width: number, scale: Scale, cut: boolean): SVGElement {
  const [a, b] = [scale(value), scale(0)];
  return rect(cut ? 'cut' : 'gap', x + width * 0.15, Math.min(a, b), width * 0.7, Math.max(1, Math.abs(a - b)));
}
