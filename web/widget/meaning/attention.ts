// Attention, as in shared/embed/encoder/attention.go.

import { softmax } from './function.ts';
import type { Turn } from './turn.ts';

const f = Math.fround;

/**
 * Computes attention among n tokens from their queries, keys and values. The queries must
 * be divided by the square root of a head's width.
 */
export async function attend(
  qkv: Float32Array,
  n: number,
  heads: number,
  width: number,
  turn: Turn,
): Promise<Float32Array> {
  const out = new Float32Array(n * width);
  const scores = new Float32Array(n);
  const d = width / heads;
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < n; i++) {
      look(qkv, n, width, i, h * d, d, scores, out);
      if (turn.over) await turn.next();
    }
  }
  return out;
}

/** Computes the attention of token i with the head at offset `at`. */
function look(
  qkv: Float32Array,
  n: number,
  width: number,
  i: number,
  at: number,
  d: number,
  scores: Float32Array,
  out: Float32Array,
): void {
  const query = i * 3 * width + at;
  for (let j = 0; j < n; j++) {
    const key = j * 3 * width + width + at;
    let sum = 0;
    for (let k = 0; k < d; k++) sum = f(sum + f(qkv[query + k]! * qkv[key + k]!));
    scores[j] = sum;
  }
  const scale = f(1 / softmax(scores, n));
  for (let k = 0; k < d; k++) {
    let sum = 0;
    for (let j = 0, value = 2 * width + at + k; j < n; j++, value += 3 * width)
      sum = f(sum + f(scores[j]! * qkv[value]!));
    out[i * width + at + k] = sum * scale;
  }
}
