// Where the words of a text stand on the pages: read out of the document as the engine
// keeps it (its `keep`, shared/kept around shared/text), so that no other message and no
// search in the pages is needed.

import type { View } from '../../lib/api.ts';
import { lowest } from '../../lib/lowest.ts';

/** Of a page as it is shown, that is after rotation and cropping, in points. */
export interface PageSize {
  width: number;
  height: number;
}

/** A rectangle in points from the upper left corner of a page. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Words of one view in the order of its text, each as far as it is in it. */
export interface Words {
  pages: PageSize[];
  count: number;
  /** Offsets into the view's text, in UTF-16 units; starts ascend. */
  starts: Int32Array;
  ends: Int32Array;
  /** Indexes into `pages`. */
  page: Int32Array;
  /** Four numbers for each word. */
  boxes: Float32Array;
  /** The words of each page, as indexes. */
  onPage: number[][];
}

interface PageWords extends PageSize {
  starts: number[];
  ends: number[];
  boxes: number[];
}

/** The head of a kept file, and the checksum behind it. */
const HEAD = 'SEAMKEPT'.length + 2 + 8;
const TAIL = 4;
const MAGIC = 'SEAMDOC';
/** Versions that are read here, as shared/text has them. */
const OLDEST = 2;
const NEWEST = 4;

class Bytes {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(buffer: ArrayBuffer, at: number) {
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
    this.#at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError('a document that ends too soon');
    return byte;
  }

  /** A varint. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  real(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  /** The bytes of a string. */
  string(): Uint8Array {
    const length = this.number();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Reads the words of a view out of blob 0 of `keep`. */
export function wordsOf(kept: ArrayBuffer, view: View): Words {
  const from = new Bytes(kept.slice(0, kept.byteLength - TAIL), HEAD);
  const magic = Array.from(MAGIC, () => String.fromCharCode(from.byte())).join('');
  const version = from.byte();
  if (magic !== MAGIC || version < OLDEST || version > NEWEST)
    throw new RangeError('not a document that is known here');
  for (let i = 0; i < 4; i++) from.string(); // its name and what it says of itself
  for (let notes = from.number(); notes > 0; notes--) from.string();
  const pages = Array.from({ length: from.number() }, () => readPage(from));
  const content = readView(from);
  return place(pages, view === 'content' ? content : readView(from));
}

function readPage(from: Bytes): PageWords {
  from.number(); // counts from 1
  const page: PageWords = { width: from.real(), height: from.real(), starts: [], ends: [], boxes: [] };
  from.string();
  from.string(); // its label
  let at = 0;
  for (let words = from.number(); words > 0; words--) {
    at += from.number();
    page.starts.push(at);
    page.ends.push(at + from.number());
    page.boxes.push(from.real(), from.real(), from.real(), from.real());
  }
  for (let furniture = from.number(); furniture > 0; furniture--) {
    from.number();
    from.number();
  }
  return page;
}

interface Run {
  start: number;
  page: number;
  from: number;
  length: number;
}

function readView(from: Bytes): { text: Uint8Array; runs: Run[] } {
  const text = from.string();
  const runs = Array.from({ length: from.number() }, () => ({
    start: from.number(),
    page: from.number(),
    from: from.number(),
    length: from.number(),
  }));
  return { text, runs };
}

/** Puts the words of the pages in the order of a view. */
function place(pages: PageWords[], { text, runs }: { text: Uint8Array; runs: Run[] }): Words {
  const starts: number[] = [];
  const ends: number[] = [];
  const page: number[] = [];
  const boxes: number[] = [];
  const onPage = pages.map((): number[] => []);
  const units = new Units(text);
  for (const run of runs) {
    const words = pages[run.page];
    if (!words) continue;
    const end = run.from + run.length;
    for (let i = lowest(words.starts.length, (at) => (words.ends[at] ?? 0) > run.from); i < words.starts.length; i++) {
      const first = Math.max(words.starts[i] ?? 0, run.from);
      const last = Math.min(words.ends[i] ?? 0, end);
      if (first >= end) break;
      if (first >= last) continue;
      onPage[run.page]?.push(starts.length);
      starts.push(units.at(run.start + first - run.from));
      ends.push(units.at(run.start + last - run.from));
      page.push(run.page);
      boxes.push(...words.boxes.slice(4 * i, 4 * i + 4));
    }
  }
  return {
    pages: pages.map(({ width, height }) => ({ width, height })),
    count: starts.length,
    onPage,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    page: Int32Array.from(page),
    boxes: Float32Array.from(boxes),
  };
}

/** Turns offsets in bytes of UTF-8, asked for in about their order, into UTF-16 units. */
class Units {
  readonly #text: Uint8Array;
  #byte = 0;
  #unit = 0;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  at(byte: number): number {
    if (byte < this.#byte) this.#byte = this.#unit = 0;
    for (; this.#byte < byte; this.#byte++) {
      const b = this.#text[this.#byte] ?? 0;
      if ((b & 0xc0) !== 0x80) this.#unit += b >= 0xf0 ? 2 : 1; // what continues a character counts with its first byte
    }
    return this.#unit;
  }
}

export function boxOf({ boxes }: Words, i: number): Box {
  return { x0: boxes[4 * i] ?? 0, y0: boxes[4 * i + 1] ?? 0, x1: boxes[4 * i + 2] ?? 0, y1: boxes[4 * i + 3] ?? 0 };
}
