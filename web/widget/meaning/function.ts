// Functions of shared/embed/encoder/function.go: rows of float32, with each operation
// rounded separately and sums in eight lanes.

const f = Math.fround;
const lanes = 8;

export interface Norm {
  weight: Float32Array;
  bias: Float32Array;
  epsilon: number;
}

/** Adds eight lanes. */
function fold(s: Float32Array): number {
  return f(f(f(s[0]! + s[4]!) + f(s[2]! + s[6]!)) + f(f(s[1]! + s[5]!) + f(s[3]! + s[7]!)));
}

const sums = new Float32Array(lanes);

/** Sets x, a row of n numbers that begins at `at`, to the LayerNorm of x + y. */
export function normalize(x: Float32Array, at: number, y: Float32Array, from: number, n: number, by: Norm): void {
  sums.fill(0);
  for (let i = 0; i < n; i++) {
    const v = f(x[at + i]! + y[from + i]!);
    x[at + i] = v;
    sums[i & 7] = sums[i & 7]! + v;
  }
  const mean = f(fold(sums) / n);
  sums.fill(0);
  for (let i = 0; i < n; i++) {
    const v = f(x[at + i]! - mean);
    x[at + i] = v;
    sums[i & 7] = sums[i & 7]! + f(v * v);
  }
  const scale = f(1 / f(Math.sqrt(f(f(fold(sums) / n) + by.epsilon))));
  for (let i = 0; i < n; i++) x[at + i] = f(f(x[at + i]! * scale) * by.weight[i]!) + by.bias[i]!;
}

const log2e = f(1.44269504089);
const ln2High = f(0.693359375);
const ln2Low = f(-2.1219444e-4);
const ofExp = Float32Array.of(
  1.98756915e-4,
  1.3981999507e-3,
  8.3334519073e-3,
  4.1665795894e-2,
  1.6666665459e-1,
  5.0000001201e-1,
);
const toWhole = 12582912; // adding and subtracting it rounds to a whole number

/** Returns e to the power of x, for x up to 0. */
export function exp(x: number): number {
  if (!(x >= -87)) return 0;
  const n = f(f(f(x * log2e) + toWhole) - toWhole);
  let r = f(x - f(n * ln2High));
  r = f(r - f(n * ln2Low));
  let p = ofExp[0]!;
  for (let i = 1; i < 6; i++) p = f(f(p * r) + ofExp[i]!);
  p = f(f(p * f(r * r)) + r);
  return f(p + 1) * 2 ** n;
}

/**
 * Replaces n numbers of x by the exponentials of their differences from the largest, and
 * returns the sum.
 */
export function softmax(x: Float32Array, n: number): number {
  let most = -Infinity;
  for (let i = 0; i < n; i++) most = Math.max(most, x[i]!);
  sums.fill(0);
  for (let i = 0; i < n; i++) {
    const e = exp(f(x[i]! - most));
    x[i] = e;
    sums[i & 7] = sums[i & 7]! + e;
  }
  return fold(sums);
}

const ofErf = Float32Array.of(
  -2.72614225801306e-10,
  2.77068142495902e-8,
  -2.10102402082508e-6,
  -5.69250639462346e-5,
  -7.34990630326855e-4,
  -2.95459980854025e-3,
  -1.60960333262415e-2,
);
const underErf = Float32Array.of(
  -1.45660718464996e-5,
  -2.13374055278905e-4,
  -1.68282697438203e-3,
  -7.37332916720468e-3,
  -1.42647390514189e-2,
);
const sqrtHalf = f(0.7071067811865475244);

/** The error function, within 1e-6. */
function erf(x: number): number {
  x = Math.min(Math.max(x, -4), 4);
  const s = f(x * x);
  let p = ofErf[0]!;
  for (let i = 1; i < 7; i++) p = f(f(p * s) + ofErf[i]!);
  let q = underErf[0]!;
  for (let i = 1; i < 5; i++) q = f(f(q * s) + underErf[i]!);
  return f(f(x * p) / q);
}

/** Replaces n numbers from `at` by x·Φ(x), where Φ is the normal distribution. */
export function gelu(x: Float32Array, at: number, n: number): void {
  for (let i = at; i < at + n; i++) {
    const v = x[i]!;
    x[i] = f(0.5 * v) * f(1 + erf(f(v * sqrtHalf)));
  }
}
