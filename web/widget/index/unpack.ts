// Reads files of the index. shared/site/shards/README.md describes their format.

/** The error for a file that was not written by `seam index`. */
export class Damaged extends Error {}

const text = new TextDecoder();

/** Reads numbers (unsigned LEB128), and words, which share a prefix with the previous word. */
export class Unpacker {
  #at = 0;
  #last = new Uint8Array(0);
  constructor(readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.#at >= this.bytes.length;
  }

  byte(): number {
    if (this.done) throw new Damaged('its end is missing');
    return this.bytes[this.#at++]!;
  }

  uint(): number {
    let n = 0;
    for (let shift = 1; shift <= 0x10000000; shift *= 128) {
      const b = this.byte();
      n += (b & 127) * shift;
      if (b < 128) return n;
    }
    throw new Damaged('a number');
  }

  take(n: number): Uint8Array {
    if (this.#at + n > this.bytes.length) throw new Damaged('its end is missing');
    return this.bytes.subarray(this.#at, (this.#at += n));
  }

  string(): string {
    return text.decode(this.take(this.uint()));
  }

  forget(): void {
    this.#last = new Uint8Array(0);
  }

  word(): string {
    const shared = this.uint();
    const rest = this.take(this.uint());
    if (shared > this.#last.length) throw new Damaged('a word');
    const word = new Uint8Array(shared + rest.length);
    word.set(this.#last.subarray(0, shared));
    word.set(rest, shared);
    this.#last = word;
    return text.decode(word);
  }

  /** Returns the number of following items, each at least one byte long. */
  count(): number {
    const n = this.uint();
    if (n > this.bytes.length - this.#at) throw new Damaged('a count');
    return n;
  }

  hash(): string {
    return Array.from(this.take(3), (b) => b.toString(16).padStart(2, '0')).join('');
  }
}

/**
 * A part of a file that packs several: shared/site/shards/packs.go. Each part is compressed
 * by itself.
 */
export interface Piece {
  name: string;
  at: number;
  size: number;
}

/** Reads the places of the pieces of one kind. */
export function pieces(u: Unpacker, prefix: string, kind: string): Piece[] {
  const packs = Array.from({ length: u.count() }, () => ({ hash: u.hash(), count: u.uint() }));
  const sizes = Array.from({ length: u.count() }, () => u.uint());
  const out: Piece[] = [];
  packs.forEach(({ hash, count }, i) => {
    if (out.length + count > sizes.length) throw new Damaged('its pieces');
    for (let at = 0, end = out.length + count; out.length < end; ) {
      const size = sizes[out.length]!;
      out.push({ name: `${prefix}${kind}${i}.${hash}.bin`, at, size });
      at += size;
    }
  });
  if (out.length < sizes.length) throw new Damaged('its pieces');
  return out;
}

/** Returns the length that a byte encodes. */
export function lengthOf(code: number): number {
  if (code < 32) return code;
  const e = (code - 16) >> 4;
  return ((16 + ((code - 16) & 15)) << e) + ((1 << e) >> 1);
}

export async function inflate(packed: ArrayBuffer): Promise<Uint8Array> {
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (e) {
    throw new Damaged(String(e));
  }
}
