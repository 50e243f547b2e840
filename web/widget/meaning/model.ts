// Reads the parts of a packed encoder, as written by shared/embed/encoder/parts.go.

import type { Norm } from './function.ts';
import { codeOf, inRange, type Matrix } from './product.ts';
import { type Shape as TokenShape, Tokens } from './tokens.ts';
import type { Turn } from './turn.ts';

const f = Math.fround;
const version = 1;
const group = 32; // 4-bit numbers with a common step
const groupSize = 2 + group / 2;

interface Shape extends TokenShape {
  version: number;
  id: string;
  width: number;
  heads: number;
  inner: number;
  layers: number;
  vocabulary: number;
  positions: number;
  window: number;
  epsilon: number;
  rows: number;
  first: number;
}

export interface Layer {
  in: Matrix;
  out: Matrix;
  norm1: Norm;
  up: Matrix;
  down: Matrix;
  norm2: Norm;
}

export interface Model {
  shape: Shape;
  tokens: Tokens;
  first: Uint8Array;
  positions: Float32Array;
  norm: Norm;
  layers: Layer[];
}

/** Returns the size of a row in bytes. */
export const rowSize = (columns: number) => Math.ceil(columns / group) * groupSize;

/** Reads a head. It yields between tasks, because it takes long. */
export async function readHead(head: Uint8Array, turn: Turn): Promise<Model> {
  const lengths = new DataView(head.buffer, head.byteOffset, 16);
  let at = 16;
  const [about, words, first, numbers] = [0, 4, 8, 12].map((i) =>
    head.subarray(at, (at += lengths.getUint32(i, true))),
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const text = new TextDecoder();
  const shape = at === head.length ? (JSON.parse(text.decode(about)) as Shape) : undefined;
  if (shape?.version !== version || first.length !== shape.first * rowSize(shape.width))
    throw new Error('the head of the encoder is damaged or of another version');
  const tokens = new Tokens(text.decode(words).split('\n'), shape);
  await turn.next();
  const reader = new Reader(numbers, turn);
  const { width, inner, epsilon } = shape;
  const positions = await reader.table(shape.positions, width);
  const norm = reader.norm(width, epsilon);
  const layers: Layer[] = [];
  for (let i = 0; i < shape.layers; i++) {
    const matrices = {
      in: await reader.matrix(3 * width, width),
      out: await reader.matrix(width, width),
      up: await reader.matrix(inner, width),
      down: await reader.matrix(width, inner),
    };
    layers.push({ ...matrices, norm1: reader.norm(width, epsilon), norm2: reader.norm(width, epsilon) });
  }
  if (!reader.done) throw new Error('the head of the encoder is damaged: it holds more than its numbers');
  return { shape, tokens, first, positions, norm, layers };
}

/** Expands n 4-bit numbers, from a byte offset to a number offset. */
export function expand(bytes: Uint8Array, from: number, out: Float32Array, to: number, n: number): void {
  for (let i = 0; i < n; i += group, from += groupSize) {
    const step = stepAt(bytes, from);
    for (let k = 0; k < group && i + k < n; k++)
      out[to + i + k] = (((bytes[from + 2 + (k >> 1)]! >> ((k & 1) * 4)) & 15) - 8) * step;
  }
}

const bits = new Uint32Array(1);
const asNumber = new Float32Array(bits.buffer);

/** Returns the step of a group, the upper half of a float32. */
function stepAt(bytes: Uint8Array, at: number): number {
  bits[0] = (bytes[at]! | (bytes[at + 1]! << 8)) << 16;
  return asNumber[0]!;
}

class Reader {
  #at = 0;
  constructor(
    readonly bytes: Uint8Array,
    readonly turn: Turn,
  ) {}

  get done(): boolean {
    return this.#at === this.bytes.length;
  }

  #take(n: number): number {
    const at = this.#at;
    this.#at += n;
    if (this.#at > this.bytes.length) throw new Error('the head of the encoder is damaged: its end is missing');
    return at;
  }

  #vector(n: number): Float32Array {
    const at = this.#take(4 * n);
    return new Float32Array(this.bytes.slice(at, this.#at).buffer);
  }

  norm(n: number, epsilon: number): Norm {
    return { weight: this.#vector(n), bias: this.#vector(n), epsilon: f(epsilon) };
  }

  async table(rows: number, columns: number): Promise<Float32Array> {
    const at = this.#take(rows * rowSize(columns));
    const out = new Float32Array(rows * columns);
    for (let i = 0; i < rows; i++) {
      expand(this.bytes, at + i * rowSize(columns), out, i * columns, columns);
      if (this.turn.over) await this.turn.next();
    }
    return out;
  }

  /** Reads a matrix with its bias. Rows of 4 bits are converted to 8, as in unpack.go. */
  async matrix(rows: number, columns: number): Promise<Matrix> {
    const at = this.#take(rows * rowSize(columns));
    const m: Matrix = {
      rows,
      columns,
      codes: new Int8Array(rows * columns),
      steps: new Float32Array(rows),
      bias: this.#vector(rows),
    };
    for (let i = 0; i < rows; i++) {
      m.steps[i] = round(this.bytes, at + i * rowSize(columns), m.codes, i * columns, columns);
      if (this.turn.over) await this.turn.next();
    }
    return m;
  }
}

const codes = new Int8Array(16);

/** Converts a row from 4 bits to 8 and returns its step. */
function round(bytes: Uint8Array, from: number, out: Int8Array, to: number, n: number): number {
  let most = 0;
  for (let i = 0, at = from; i < n; i += group, at += groupSize) {
    const step = Math.abs(stepAt(bytes, at));
    let largest = 0;
    for (let k = 0; k < group && i + k < n; k++)
      largest = Math.max(largest, Math.abs(((bytes[at + 2 + (k >> 1)]! >> ((k & 1) * 4)) & 15) - 8));
    most = Math.max(most, largest * step);
  }
  if (!inRange(most)) return 0;
  const scale = f(127 / most);
  for (let i = 0, at = from; i < n; i += group, at += groupSize) {
    const step = stepAt(bytes, at);
    for (let c = 0; c < 16; c++) codes[c] = codeOf((c - 8) * step, scale);
    for (let k = 0; k < group && i + k < n; k++)
      out[to + i + k] = codes[(bytes[at + 2 + (k >> 1)]! >> ((k & 1) * 4)) & 15]!;
  }
  return f(most / 127);
}
