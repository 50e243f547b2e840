// Computes the vector of a question: shared/embed/encoder in JavaScript, for a page whose
// policy forbids WebAssembly. The numbers are the same to the bit; tests of both read the
// same golden file.

import { attend } from './attention.ts';
import { gelu, normalize } from './function.ts';
import { expand, type Layer, type Model, readHead, rowSize } from './model.ts';
import { apply } from './product.ts';
import { Turn } from './turn.ts';

/** Returns the bytes of a part by its name: `head`, or the number of a block from `0`. */
export type Parts = (name: string) => Promise<Uint8Array>;

export class QueryEncoder {
  readonly #blocks = new Map<number, Promise<Uint8Array>>();
  private constructor(
    readonly model: Model,
    readonly parts: Parts,
  ) {}

  static async open(parts: Parts, signal?: AbortSignal): Promise<QueryEncoder> {
    const head = await parts('head');
    return new QueryEncoder(await readHead(head, new Turn(signal)), parts);
  }

  /** The ID of the model. Only vectors of the same model can be compared. */
  get id(): string {
    return this.model.shape.id;
  }

  /** Reports whether the vector of a text is meaningful. */
  knows(text: string): boolean {
    return this.model.tokens.knows(text);
  }

  /**
   * Returns the vector of a text with length 1, or zeros without a token. Text beyond the
   * window is cut off.
   */
  async encode(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const { shape, tokens } = this.model;
    const ids = tokens.ids(text, shape.window - shape.before.length - shape.after.length);
    if (!ids.length) return new Float32Array(shape.width);
    const all = [...shape.before, ...ids, ...shape.after];
    const x = await this.#words(all);
    signal?.throwIfAborted();
    const turn = new Turn(signal);
    for (let i = 0; i < all.length; i++)
      normalize(x, i * shape.width, this.model.positions, i * shape.width, shape.width, this.model.norm);
    for (const layer of this.model.layers) await this.#through(layer, x, all.length, turn);
    return pooled(x, all.length, shape.width);
  }

  /** Returns rows of the word table. Missing blocks are requested together. */
  async #words(ids: number[]): Promise<Float32Array> {
    const { shape, first } = this.model;
    const blocks = await Promise.all(
      ids.map((id) => (id < shape.first ? first : this.#block(Math.floor((id - shape.first) / shape.rows)))),
    );
    const out = new Float32Array(ids.length * shape.width);
    ids.forEach((id, i) => {
      const row = id < shape.first ? id : (id - shape.first) % shape.rows;
      expand(blocks[i]!, row * rowSize(shape.width), out, i * shape.width, shape.width);
    });
    return out;
  }

  /** Returns a block, which is read once. If reading failed, the next call tries again. */
  #block(n: number): Promise<Uint8Array> {
    let block = this.#blocks.get(n);
    if (!block) {
      block = this.parts(String(n)).then((bytes) => {
        const { shape } = this.model;
        const rows = Math.min(shape.rows, shape.vocabulary - shape.first - n * shape.rows);
        if (bytes.length !== rows * rowSize(shape.width))
          throw new Error(`block ${n} of the table of words is damaged`);
        return bytes;
      });
      this.#blocks.set(n, block);
      block.catch(() => this.#blocks.delete(n));
    }
    return block;
  }

  /** Applies a layer to n tokens. */
  async #through(l: Layer, x: Float32Array, n: number, turn: Turn): Promise<void> {
    const { width, inner, heads } = this.model.shape;
    const seen = await attend(await apply(l.in, x, n, turn), n, heads, width, turn);
    const told = await apply(l.out, seen, n, turn);
    for (let i = 0; i < n; i++) normalize(x, i * width, told, i * width, width, l.norm1);
    const up = await apply(l.up, x, n, turn);
    for (let i = 0; i < n; i++) {
      gelu(up, i * inner, inner);
      if (turn.over) await turn.next();
    }
    const down = await apply(l.down, up, n, turn);
    for (let i = 0; i < n; i++) normalize(x, i * width, down, i * width, width, l.norm2);
  }
}

/** Returns the sum of n rows, scaled to length 1. */
function pooled(x: Float32Array, n: number, width: number): Float32Array {
  const out = new Float32Array(width);
  for (let i = 0; i < n; i++) for (let k = 0; k < width; k++) out[k] = out[k]! + x[i * width + k]!;
  const s = [0, 0, 0, 0];
  for (let k = 0; k < width; k++) s[k % 4] = s[k % 4]! + out[k]! * out[k]!;
  const square = s[0]! + s[1]! + (s[2]! + s[3]!);
  if (!(square > 0 && square < Infinity)) return out.fill(0);
  const length = Math.sqrt(square);
  for (let k = 0; k < width; k++) out[k] = out[k]! / length;
  return out;
}
