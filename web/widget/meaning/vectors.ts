// The vectors of an index's chunks: shared/site/shards/similar.go in TypeScript, to the
// last bit.

import type { Found, Near } from '../index/found.ts';
import { type Index, saturation, type Source } from '../index/open.ts';
import type { Scores } from '../index/scores.ts';
import type { Meaning } from '../index/search.ts';
import { Damaged, inflate, type Piece, pieces, Unpacker } from '../index/unpack.ts';

// The constants of similar.go and meaning.go.
const ofMeaning = 12;
const ofCovered = 1.5;
const mostNear = 48;
const leastNear = 0.3;
const ofBest = 0.6;
const mostWeighed = 8;
const perShard = 2;
const version = 3;

export class Vectors {
  model = '';
  /** The encoder's head by its name, and the parts of its table. */
  head = '';
  blocks: Piece[] = [];
  #dim = 0;
  #rows: Piece[] = [];
  #mean = new Float64Array();
  #factors = new Float64Array();
  /** The first part of each chunk, and one more entry at the end. */
  #first = [0];
  /** The axes: a step for each, and 4 bits for each number. */
  #steps = new Float64Array();
  #axes: Uint8Array = new Uint8Array();
  #codes: Uint8Array = new Uint8Array();
  readonly #files = new Map<number, Promise<Uint8Array>>();

  private constructor(
    readonly x: Index,
    readonly source: Source,
    readonly prefix: string,
  ) {}

  static async open(x: Index, source: Source, first: string): Promise<Vectors> {
    const v = new Vectors(x, source, first.slice(0, first.lastIndexOf('/') + 1));
    const u = new Unpacker(await inflate(await source(first)));
    if (u.uint() !== version) throw new Damaged('its version');
    v.model = u.string();
    v.head = u.string();
    v.blocks = pieces(u, v.head.slice(0, v.head.lastIndexOf('/') + 1), 'w');
    v.#dim = u.uint();
    const axes = u.uint();
    for (let n = u.count(); n > 0; n--) v.#first.push(v.#first.at(-1)! + (u.uint() || broken()));
    v.#rows = pieces(u, v.prefix, 'n');
    const chunks = v.#first.length - 1;
    const rows = v.#first.at(-1)!;
    if (
      !v.#dim ||
      v.#dim % 8 ||
      !axes ||
      axes % 8 ||
      chunks !== x.chunks ||
      v.#rows.length !== Math.ceil(chunks / perShard)
    )
      broken();
    v.#mean = Float64Array.from({ length: v.#dim }, () => float(u.take(4)));
    v.#steps = new Float64Array(axes);
    v.#axes = new Uint8Array((axes * v.#dim) / 2);
    for (let k = 0; k < axes; k++) {
      v.#steps[k] = float(u.take(4));
      v.#axes.set(u.take(v.#dim / 2), (k * v.#dim) / 2);
    }
    const step = float(u.take(4));
    v.#factors = Float64Array.from(u.take(rows), (code) => code * step);
    v.#codes = u.take((rows * axes) / 4);
    if (!u.done) broken();
    return v;
  }

  /**
   * Ranks by words and by the vector of a query: first by codes, then again with the 8-bit
   * numbers of the best.
   */
  async rank(query: Float32Array, found: Found, s: Scores, rank: Parameters<Meaning>[2]): Promise<void> {
    if (query.length !== this.#dim) broken();
    const similarity = this.#byCodes(query);
    const [mean, deviation] = spread(similarity);
    if (!deviation) return;
    const open = 1 - coverage(this.x, s, found);
    const weight = ofCovered + (ofMeaning - ofCovered) * (open * open);
    const near: Near = {
      score: (c) => weight * ((similarity[c]! - mean) / deviation),
      best: (allowed) =>
        [...similarity.keys()]
          .filter((c) => similarity[c]! >= leastNear && allowed(c))
          .sort((a, b) => similarity[b]! - similarity[a]! || a - b)
          .slice(0, mostNear),
    };
    rank(near);
    const best = found.hits.slice(0, mostWeighed).map((h) => h.chunks[0]!);
    const weighed = await Promise.all(best.map((c) => this.#weigh(query, c)));
    best.forEach((c, i) => {
      similarity[c] = weighed[i]!;
    });
    rank(near);
  }

  #byCodes(query: Float32Array): Float64Array {
    let base = 0;
    this.#mean.forEach((m, k) => {
      base += query[k]! * m;
    });
    const along = this.#along(query);
    const bytes = along.length / 4;
    const sums = new Float64Array(bytes * 256); // of four numbers, for every possible code
    for (let i = 0; i < sums.length; i++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += along[(i >> 8) * 4 + k]! * (2 * ((i >> (2 * k)) & 3) - 3);
      sums[i] = sum;
    }
    return Float64Array.from({ length: this.x.chunks }, (_, c) =>
      this.#ofParts(c, (part) => {
        let sum = 0;
        for (let i = 0; i < bytes; i++) sum += sums[(i << 8) | this.#codes[part * bytes + i]!]!;
        return base + this.#factors[part]! * sum;
      }),
    );
  }

  /** Projects a query onto the axes. */
  #along(query: Float32Array): Float64Array {
    const half = this.#dim / 2;
    return this.#steps.map((step, k) => {
      let sum = 0;
      for (let i = 0; i < half; i++) {
        const codes = this.#axes[k * half + i]!;
        sum += query[2 * i]! * ((codes & 15) - 8);
        sum += query[2 * i + 1]! * ((codes >> 4) - 8);
      }
      return sum * step;
    });
  }

  /** Returns the similarity of a chunk from its parts, with most weight on the best. */
  #ofParts(chunk: number, similarity: (part: number) => number): number {
    const from = this.#first[chunk]!;
    const end = this.#first[chunk + 1]!;
    let best = -Infinity;
    let sum = 0;
    for (let part = from; part < end; part++) {
      const s = similarity(part);
      if (s > best) best = s;
      sum += s;
    }
    return ofBest * best + (1 - ofBest) * (sum / (end - from));
  }

  /** Returns the similarity of a chunk by its 8-bit numbers. */
  async #weigh(query: Float32Array, chunk: number): Promise<number> {
    const i = Math.floor(chunk / perShard);
    let file = this.#files.get(i);
    if (!file) {
      file = this.source(this.#rows[i]!.name, this.#rows[i]).then(inflate);
      this.#files.set(i, file);
      file.catch(() => this.#files.delete(i));
    }
    const rows = await file;
    const size = 4 + this.#dim;
    const from = this.#first[i * perShard]!;
    if (rows.length !== (this.#first[Math.min(this.x.chunks, (i + 1) * perShard)]! - from) * size) broken();
    return this.#ofParts(chunk, (part) => {
      const row = rows.subarray((part - from) * size, (part - from + 1) * size);
      let sum = 0;
      for (let k = 0; k < this.#dim; k++) sum += query[k]! * ((row[4 + k]! << 24) >> 24);
      return sum * float(row);
    });
  }
}

function broken(): never {
  throw new Damaged('its vectors');
}

/** Reads a finite float32. */
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

/** Returns how well the query's words cover the best chunk, from 0 to 1. */
function coverage(x: Index, s: Scores, found: Found): number {
  const never = Math.round(1000 * Math.log(1 + (x.chunks + 0.5) / 0.5)) / 1000; // of a word that no chunk has
  const most = found.words.reduce((sum, w) => sum + w.rarity[0], 0) + found.unknown.length * never;
  const best = s.chunk.touched.reduce((n, c) => Math.max(n, s.chunk.score[c]!), 0);
  return most ? Math.min(1, best / (most * (saturation + 1))) : 0;
}

/** Returns a query with its misspelt words corrected. */
export function corrected(found: Found, query: string): string {
  for (const { word, taken } of found.corrections) {
    const i = query.toLowerCase().indexOf(word);
    if (i >= 0 && i + word.length <= query.length) query = query.slice(0, i) + taken + query.slice(i + word.length);
  }
  return query;
}
