// The vectors of an index's chunks: shared/site/shards/similar.go in TypeScript, to the last bit.

import { type Index, saturation, type Source } from '../index/open.ts';
import type { Found, Meaning, Near, Scores } from '../index/search.ts';
import { Damaged, inflate, Unpacker } from '../index/unpack.ts';

// The constants of similar.go and meaning.go.
const ofMeaning = 10;
const ofCovered = 1.5;
const mostNear = 48;
const leastNear = 0.3;
const mostWeighed = 8;
const perShard = 4;
const version = 1;

export class Vectors {
  model = '';
  /** Names of the parts of the encoder: its head, and hashes in those of the blocks of its table. */
  head = '';
  blocks: string[] = [];
  #dim = 0;
  #hashes: string[] = [];
  #mean = new Float64Array();
  #factors = new Float64Array();
  #signs: Uint8Array = new Uint8Array();
  readonly #files = new Map<number, Promise<Uint8Array>>();

  private constructor(readonly x: Index, readonly source: Source, readonly prefix: string) {}

  static async open(x: Index, source: Source, first: string): Promise<Vectors> {
    const v = new Vectors(x, source, first.slice(0, first.lastIndexOf('/') + 1));
    const u = new Unpacker(await inflate(await source(first)));
    if (u.uint() !== version) throw new Damaged('its version');
    v.model = u.string();
    v.head = u.string();
    for (let n = u.count(); n > 0; n--) v.blocks.push(u.hash());
    v.#dim = u.uint();
    const rows = u.uint();
    for (let n = u.count(); n > 0; n--) v.#hashes.push(u.hash());
    if (!v.#dim || v.#dim % 8 || rows !== x.chunks || v.#hashes.length !== Math.ceil(rows / perShard)) throw new Damaged('its vectors');
    v.#mean = Float64Array.from({ length: v.#dim }, () => float(u.take(4)));
    const step = float(u.take(4));
    v.#factors = Float64Array.from(u.take(rows), (code) => code * step);
    v.#signs = u.take(rows * v.#dim / 8);
    if (!u.done) throw new Damaged('its vectors');
    return v;
  }

  /** Ranks by words and by the vector of a query: by signs, then once more with the 8-bit numbers of the best. */
  async rank(query: Float32Array, found: Found, s: Scores, rank: Parameters<Meaning>[2]): Promise<void> {
    if (query.length !== this.#dim) throw new Damaged('its vectors');
    const similarity = this.#bySigns(query);
    const [mean, deviation] = spread(similarity);
    if (!deviation) return;
    const open = 1 - coverage(this.x, s, found);
    const weight = ofCovered + (ofMeaning - ofCovered) * (open * open);
    const near: Near = {
      score: (c) => weight * ((similarity[c]! - mean) / deviation),
      best: (allowed) => [...similarity.keys()].filter((c) => similarity[c]! >= leastNear && allowed(c)).sort((a, b) => similarity[b]! - similarity[a]! || a - b).slice(0, mostNear),
    };
    rank(near);
    const best = found.hits.slice(0, mostWeighed).map((h) => h.chunks[0]!);
    const weighed = await Promise.all(best.map((c) => this.#weigh(query, c)));
    best.forEach((c, i) => { similarity[c] = weighed[i]!; });
    rank(near);
  }

  #bySigns(query: Float32Array): Float64Array {
    const bytes = this.#dim / 8;
    let base = 0;
    this.#mean.forEach((m, k) => { base += query[k]! * m; });
    const sums = new Float64Array(bytes * 256); // of eight numbers, with all signs that they may have
    for (let i = 0; i < sums.length; i++) {
      let sum = 0;
      for (let k = 0; k < 8; k++) sum += (i >> k & 1 ? 1 : -1) * query[(i >> 8) * 8 + k]!;
      sums[i] = sum;
    }
    return this.#factors.map((f, c) => {
      let sum = 0;
      for (let i = 0; i < bytes; i++) sum += sums[i << 8 | this.#signs[c * bytes + i]!]!;
      return base + f * sum;
    });
  }

  /** How similar a chunk is, by its numbers of 8 bits. */
  async #weigh(query: Float32Array, chunk: number): Promise<number> {
    const i = Math.floor(chunk / perShard);
    let file = this.#files.get(i);
    if (!file) {
      file = this.source(`${this.prefix}n${i}.${this.#hashes[i]!}.bin`).then(inflate);
      this.#files.set(i, file);
      file.catch(() => this.#files.delete(i));
    }
    const rows = await file;
    const size = 4 + this.#dim;
    if (rows.length !== Math.min(perShard, this.x.chunks - i * perShard) * size) throw new Damaged('its vectors');
    const row = rows.subarray(chunk % perShard * size, (chunk % perShard + 1) * size);
    let sum = 0;
    for (let k = 0; k < this.#dim; k++) sum += query[k]! * (row[4 + k]! << 24 >> 24);
    return sum * float(row);
  }
}

/** A float32, which is a number. */
function float(b: Uint8Array): number {
  const n = new DataView(b.buffer, b.byteOffset).getFloat32(0, true);
  if (!Number.isFinite(n)) throw new Damaged('a number');
  return n;
}

function spread(all: Float64Array): [mean: number, deviation: number] {
  let sum = 0;
  let squares = 0;
  for (const v of all) {
    sum += v;
    squares += v * v;
  }
  const n = Math.max(1, all.length);
  return [sum / n, Math.sqrt(Math.max(0, squares / n - (sum / n) * (sum / n)))];
}

/** How well the words of a query cover the chunk that they cover best, 0 to 1. */
function coverage(x: Index, s: Scores, found: Found): number {
  const never = Math.round(1000 * Math.log(1 + (x.chunks + 0.5) / 0.5)) / 1000; // of a word that no chunk has
  const most = found.words.reduce((sum, w) => sum + w.rarity[0], 0) + found.unknown.length * never;
  const best = s.chunk.touched.reduce((n, c) => Math.max(n, s.chunk.score[c]!), 0);
  return most ? Math.min(1, best / (most * (saturation + 1))) : 0;
}

/** A query with what was taken for its misspelt words in their place. */
export function corrected(found: Found, query: string): string {
  for (const { word, taken } of found.corrections) {
    const i = query.toLowerCase().indexOf(word);
    if (i >= 0 && i + word.length <= query.length) query = query.slice(0, i) + taken + query.slice(i + word.length);
  }
  return query;
}
