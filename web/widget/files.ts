// Fetches the files of an index from its host. Pieces of a file are read by range, or from
// the whole file, if the host does not know ranges.

import type { Piece } from './index/unpack.ts';

/** A failure with its kind, which readers see in their language. */
export class Unavailable extends Error {
  constructor(
    readonly kind: 'missing' | 'network' | 'damaged' | 'busy',
    options?: ErrorOptions,
  ) {
    super(kind, options);
  }
}

export class Files {
  /** Whether the host knows ranges. The first piece shows it, and others wait for that. */
  #ranges: Promise<boolean> | undefined;
  readonly #whole = new Map<string, Promise<ArrayBuffer>>();

  constructor(readonly at: URL) {}

  async read(name: string, piece?: Piece): Promise<ArrayBuffer> {
    if (!piece) return (await this.#fetch(name)).arrayBuffer();
    if (this.#ranges && (await this.#ranges)) {
      const part = await this.#range(piece);
      if (part) return part;
    }
    if (!this.#ranges) {
      const first = this.#range(piece);
      this.#ranges = first.then(Boolean);
      this.#ranges.catch(() => {
        this.#ranges = undefined;
      });
      const part = await first;
      if (part) return part;
    }
    const all = await this.#all(name);
    return all.slice(piece.at, piece.at + piece.size);
  }

  /** Returns a piece, or undefined if the host does not answer with it. */
  async #range({ name, at, size }: Piece): Promise<ArrayBuffer | undefined> {
    let response: Response;
    try {
      response = await this.#fetch(name, { range: `bytes=${at}-${at + size - 1}` });
    } catch (e) {
      // Another host may not allow the header.
      if (this.at.origin !== location.origin && (e as Unavailable).kind === 'network') return undefined;
      throw e;
    }
    const bytes = await response.arrayBuffer();
    if (response.status === 206 && bytes.byteLength === size) return bytes;
    if (response.status === 200) this.#whole.set(name, Promise.resolve(bytes));
    return undefined;
  }

  #all(name: string): Promise<ArrayBuffer> {
    let file = this.#whole.get(name);
    if (!file) {
      file = this.#fetch(name).then((response) => response.arrayBuffer());
      this.#whole.set(name, file);
      file.catch(() => this.#whole.delete(name));
    }
    return file;
  }

  async #fetch(name: string, headers: Record<string, string> = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(new URL(name, this.at), { headers, cache: name === 'seam.json' ? 'no-cache' : 'default' });
    } catch (e) {
      throw new Unavailable('network', { cause: e });
    }
    if (!response.ok) throw new Unavailable(response.status < 500 ? 'missing' : 'busy');
    return response;
  }
}
