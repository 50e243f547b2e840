// Means over questions with their intervals, to the digit as shared/eval/bootstrap.go has them.

/** A mean and the bounds of its 95 % interval; with fewer than two values they are not known. */
export interface Interval {
  mean: number;
  low: number | null;
  high: number | null;
}

/** Samples of a bootstrap, as many as in Go. */
const ROUNDS = 4000;

/**
 * The mean and the 2.5th and 97.5th percentile of the means of 4,000 samples drawn with
 * replacement; the draws are the same each time. Efron and Tibshirani, An Introduction to
 * the Bootstrap (1993), chapter 13. At most 65,536 values.
 */
export function bootstrap(values: readonly number[]): Interval {
  const n = values.length;
  const mean = meanOf(values);
  if (n < 2) return { mean, low: null, high: null };
  if (last.n !== n) for (const _ of draw(n)); // all of it
  const { draws } = last;
  const means = new Float64Array(ROUNDS);
  for (let i = 0, at = 0; i < ROUNDS; i++) {
    let sum = 0;
    for (const end = at + n; at < end; at++) sum += values[draws[at] as number] as number;
    means[i] = sum / n;
  }
  means.sort();
  return { mean, low: means[ROUNDS / 40] ?? null, high: means[ROUNDS - 1 - ROUNDS / 40] ?? null };
}

/** Of the differences between two scores of the same questions. */
export const pairedBootstrap = (a: readonly number[], b: readonly number[]): Interval =>
  bootstrap(a.map((value, i) => value - (b[i] ?? 0)));

/** The interval of a difference holds zero, or there is none: neither side is better as far as these questions tell. */
export const isTie = ({ low, high }: Interval): boolean => low === null || high === null || !(low > 0 || high < 0);

/** The sum without the error of rounding (Shewchuk 1997), divided; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  const parts: number[] = [];
  for (let value of values) {
    let kept = 0;
    for (const part of parts) {
      const [large, small] = Math.abs(value) < Math.abs(part) ? [part, value] : [value, part];
      const sum = large + small;
      const rest = small - (sum - large);
      if (rest !== 0) parts[kept++] = rest;
      value = sum;
    }
    parts.length = kept;
    parts.push(value);
  }
  return values.length === 0 ? 0 : exactSum(parts) / values.length;
}

/** Of parts that do not overlap, ascending: the sum rounded once, half to even. */
function exactSum(parts: readonly number[]): number {
  let i = parts.length - 1;
  let sum = parts[i] ?? 0;
  let rest = 0;
  while (i > 0 && rest === 0) {
    const before = sum;
    const part = parts[--i] as number;
    sum = before + part;
    rest = part - (sum - before);
  }
  const next = parts[i - 1] ?? 0;
  if (i > 0 && ((rest < 0 && next < 0) || (rest > 0 && next > 0))) {
    const twice = rest * 2;
    const up = sum + twice;
    if (twice === up - sum) return up;
  }
  return sum;
}

/** Those of the last number of values: all intervals of a grid have the same. */
let last: { n: number; draws: Uint16Array } = { n: 0, draws: new Uint16Array(0) };

/** Numbers that are drawn in a step: a few milliseconds. */
const STEP = 100_000;

/**
 * Draws ROUNDS × n numbers below n for the next intervals, a step at a time: SplitMix64
 * (Steele, Lea and Flood 2014) from 1, of its product with n the upper word.
 */
export function* draw(n: number): Generator<void, void> {
  if (n < 2 || last.n === n) return;
  const draws = new Uint16Array(ROUNDS * n);
  const state = new Word(0, 1);
  const z = new Word(0, 0);
  for (let i = 0; i < draws.length; i++) {
    state.add(0x9e3779b9, 0x7f4a7c15);
    z.high = state.high;
    z.low = state.low;
    z.mix(30).multiply(0xbf58476d, 0x1ce4e5b9).mix(27).multiply(0x94d049bb, 0x133111eb).mix(31);
    draws[i] = Math.floor((z.high * n + Math.floor((z.low * n) / 2 ** 32)) / 2 ** 32);
    if (i % STEP === STEP - 1) yield;
  }
  last = { n, draws };
}

/** 64 bits without a sign, in two halves. */
class Word {
  high: number;
  low: number;

  constructor(high: number, low: number) {
    this.high = high;
    this.low = low;
  }

  add(high: number, low: number): void {
    const sum = this.low + low;
    this.low = sum >>> 0;
    this.high = (this.high + high + Number(sum >= 2 ** 32)) >>> 0;
  }

  /** x ^ x >> bits, for bits below 32. */
  mix(bits: number): this {
    this.low = (this.low ^ ((this.low >>> bits) | (this.high << (32 - bits)))) >>> 0;
    this.high = (this.high ^ (this.high >>> bits)) >>> 0;
    return this;
  }

  multiply(high: number, low: number): this {
    const [a, b, c, d] = [this.low >>> 16, this.low & 0xffff, low >>> 16, low & 0xffff];
    const middle = b * c + ((b * d) >>> 16);
    const upper = a * c + Math.floor(middle / 2 ** 16) + Math.floor(((middle % 2 ** 16) + a * d) / 2 ** 16);
    this.high = (upper + Math.imul(this.high, low) + Math.imul(this.low, high)) >>> 0;
    this.low = Math.imul(this.low, low) >>> 0;
    return this;
  }
}
