// Products of 8-bit integers: shared/embed/encoder/quantize.go in JavaScript.
//
// Sums of products of bytes are exact in any order. Two tokens are multiplied at once in
// the two halves of a float64: one token's codes times 2²⁶, plus the other's. A sum of up
// to 2,048 products is below 2²⁵, so neither half overflows into the other, and both stay
// below 2⁵³.

import type { Turn } from './turn.ts';

const f = Math.fround;
const half = 2 ** 26;
const toWhole = 12582912; // adding and subtracting it in float32 rounds to a whole number
const atOnce = 8; // tokens
const products = 1 << 18; // products of two numbers each, between two checks of the time

/** Rows of bytes, each with a step, the value of code 1. */
export interface Matrix {
  rows: number;
  columns: number;
  codes: Int8Array;
  steps: Float32Array;
  bias: Float32Array;
}

/**
 * Reports whether numbers with this largest absolute value can be divided with enough
 * precision.
 */
export const inRange = (most: number) => most >= 2 ** -100 && most <= 2 ** 100;

/** Converts a number to a code; `scale` is 127 divided by the largest. */
export const codeOf = (x: number, scale: number) => f(f(x * scale) + toWhole) - toWhole;

/** Multiplies the rows of x, one for each of n tokens, by the matrix, and adds its bias. */
export async function apply(m: Matrix, x: Float32Array, n: number, turn: Turn): Promise<Float32Array> {
  const out = new Float32Array(n * m.rows);
  const pairs = new Float64Array((m.columns * atOnce) / 2);
  const steps = new Float32Array(atOnce);
  const rows = Math.max(2, (products / (m.columns * atOnce)) & ~1);
  for (let first = 0; first < n; first += atOnce) {
    const tokens = Math.min(atOnce, n - first);
    pack(x, first, tokens, m.columns, pairs, steps);
    for (let from = 0; from < m.rows; from += rows) {
      tile(m, pairs, steps, from, Math.min(m.rows, from + rows), out, first, tokens);
      if (turn.over) await turn.next();
    }
  }
  return out;
}

/** Writes the codes of some tokens as pairs, and their steps. */
function pack(
  x: Float32Array,
  first: number,
  tokens: number,
  columns: number,
  pairs: Float64Array,
  steps: Float32Array,
): void {
  pairs.fill(0);
  for (let t = 0; t < tokens; t++) {
    const at = (first + t) * columns;
    let most = 0;
    for (let i = 0; i < columns; i++) most = Math.max(most, Math.abs(x[at + i]!));
    steps[t] = 0;
    if (!inRange(most)) continue;
    steps[t] = most / 127;
    const scale = f(127 / most);
    const by = t % 2 ? half : 1;
    for (let i = 0, to = t >> 1; i < columns; i++, to += atOnce / 2)
      pairs[to] = pairs[to]! + codeOf(x[at + i]!, scale) * by;
  }
}

const found = new Float64Array(atOnce);

/** Computes the numbers [from, to) of the result for an even number of tokens. */
function tile(
  m: Matrix,
  pairs: Float64Array,
  steps: Float32Array,
  from: number,
  to: number,
  out: Float32Array,
  first: number,
  tokens: number,
): void {
  const { codes, columns } = m;
  for (let row = from; row < to; row += 2) {
    let a0 = 0,
      a1 = 0,
      a2 = 0,
      a3 = 0,
      b0 = 0,
      b1 = 0,
      b2 = 0,
      b3 = 0;
    let a = row * columns;
    let b = a + columns;
    for (let i = 0; i < pairs.length; i += 4, a++, b++) {
      const u = codes[a]!,
        v = codes[b]!;
      const x0 = pairs[i]!,
        x1 = pairs[i + 1]!,
        x2 = pairs[i + 2]!,
        x3 = pairs[i + 3]!;
      a0 += u * x0;
      a1 += u * x1;
      a2 += u * x2;
      a3 += u * x3;
      b0 += v * x0;
      b1 += v * x1;
      b2 += v * x2;
      b3 += v * x3;
    }
    found[0] = a0;
    found[1] = a1;
    found[2] = a2;
    found[3] = a3;
    found[4] = b0;
    found[5] = b1;
    found[6] = b2;
    found[7] = b3;
    for (let t = 0; t < tokens; t++) {
      for (let k = 0; k < 2; k++) {
        const both = found[4 * k + (t >> 1)]!;
        const high = Math.floor(both / half + 0.5);
        const sum = t % 2 ? high : both - high * half;
        out[(first + t) * m.rows + row + k] = f(f(f(sum) * m.steps[row + k]!) * steps[t]!) + m.bias[row + k]!;
      }
    }
  }
}
