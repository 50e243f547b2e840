// The contestants: careful plain JavaScript, and packages for vector search in the page.

import { create, insertMultiple, searchVector } from '/npm/@orama/orama/dist/browser/index.js';
import * as voy from '/npm/voy-search/voy_search_bg.js';

export const NEAREST = 10;

/** Returns the rows with the largest scores, by insertion above a threshold. */
function best(scores, n) {
  const top = new Float64Array(NEAREST).fill(-Infinity);
  const ids = new Int32Array(NEAREST);
  for (let i = 0; i < n; i++) {
    const s = scores[i];
    if (s <= top[NEAREST - 1]) continue;
    let at = NEAREST - 1;
    for (; at > 0 && top[at - 1] < s; at--) {
      top[at] = top[at - 1];
      ids[at] = ids[at - 1];
    }
    top[at] = s;
    ids[at] = i;
  }
  return [...ids];
}

/** Searches with a Float32Array and four partial sums. */
export function plainSearch(rows, n, dim) {
  const scores = new Float64Array(n);
  return (q) => {
    for (let i = 0, at = 0; i < n; i++, at += dim) {
      let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      for (let j = 0; j < dim; j += 4) {
        s0 += rows[at + j] * q[j];
        s1 += rows[at + j + 1] * q[j + 1];
        s2 += rows[at + j + 2] * q[j + 2];
        s3 += rows[at + j + 3] * q[j + 3];
      }
      scores[i] = s0 + s1 + s2 + s3;
    }
    return best(scores, n);
  };
}

/** Computes the similarities of neighbours, and cuts by mean and quartiles. */
export function plainNeighbours(rows, n, dim) {
  const distances = new Float64Array(n - 1);
  return () => {
    let square = 0;
    for (let j = 0; j < dim; j++) square += rows[j] * rows[j];
    let sum = 0;
    for (let i = 0, at = 0; i + 1 < n; i++, at += dim) {
      const next = at + dim;
      let dot = 0, length = 0;
      for (let j = 0; j < dim; j++) {
        const y = rows[next + j];
        dot += rows[at + j] * y;
        length += y * y;
      }
      distances[i] = 1 - dot / Math.sqrt(square * length);
      sum += distances[i];
      square = length;
    }
    const sorted = distances.slice().sort();
    const percentile = (p) => {
      const at = (n - 2) * p;
      const i = Math.floor(at);
      return sorted[i] + (sorted[Math.min(i + 1, n - 2)] - sorted[i]) * (at - i);
    };
    const line = sum / (n - 1) + 1.5 * (percentile(0.75) - percentile(0.25));
    let cuts = 0;
    for (let i = 0; i + 1 < n; i++) if (distances[i] > line) cuts++;
    return cuts;
  };
}

const row = (rows, dim, i) => Array.from(rows.subarray(i * dim, (i + 1) * dim));

export async function orama(rows, n, dim) {
  const db = create({ schema: { embedding: `vector[${dim}]` } });
  await insertMultiple(db, Array.from({ length: n }, (_, i) => ({ id: String(i), embedding: row(rows, dim, i) })), 1000);
  return async (q) => (await searchVector(db, { vector: { value: Array.from(q), property: 'embedding' }, similarity: 0.3, limit: NEAREST })).hits.map(({ id }) => Number(id));
}

export async function voySearch(rows, n, dim) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/npm/voy-search/voy_search_bg.wasm'), { './voy_search_bg.js': voy });
  voy.__wbg_set_wasm(instance.exports);
  const embeddings = Array.from({ length: n }, (_, i) => ({ id: String(i), title: '', url: '', embeddings: row(rows, dim, i) }));
  const index = new voy.Voy({ embeddings });
  return (q) => index.search(q, NEAREST).neighbors.map(({ id }) => Number(id));
}
