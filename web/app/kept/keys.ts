// One key for each document and one for the questions, each in a file. Deleting the file
// makes everything sealed with the key unreadable.

import type { EngineClient } from '../../lib/workers.ts';
import { DATABASE } from '../session/memory.ts';

/** The folder of all kept files. */
export const FOLDER = DATABASE;
/** The name of the key of all questions. */
export const QUESTIONS = 'questions';
const ALGORITHM = 'AES-GCM';
const KEY_BYTES = 32;

/** An encrypted JSON value; `iv` is unique to it. */
export interface Secret {
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

export const keyFile = (id: string): string => `${id}.key`;

export class Keys {
  readonly #engine: EngineClient;
  readonly #known = new Map<string, Promise<CryptoKey>>();

  /** The engine writes the files, because only a worker can flush them. */
  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async seal(id: string, value: unknown): Promise<Secret> {
    const key = await this.#get(id, true);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    return {
      iv,
      sealed: await crypto.subtle.encrypt(
        { name: ALGORITHM, iv },
        key,
        new TextEncoder().encode(JSON.stringify(value)),
      ),
    };
  }

  /** Decrypts a value. Returns undefined if the key is gone or is another one. */
  async unseal<T>(id: string, { iv, sealed }: Secret): Promise<T | undefined> {
    try {
      const text = await crypto.subtle.decrypt({ name: ALGORITHM, iv }, await this.#get(id, false), sealed);
      return JSON.parse(new TextDecoder().decode(text)) as T;
    } catch {
      return undefined;
    }
  }

  async remove(id: string): Promise<void> {
    this.#known.delete(id);
    await removeFile(keyFile(id));
  }

  clear(): void {
    this.#known.clear();
  }

  #get(id: string, make: boolean): Promise<CryptoKey> {
    const known = this.#known.get(id) ?? (make ? this.#readOrMake(id) : read(id));
    this.#known.set(id, known);
    known.catch(() => this.#known.delete(id));
    return known;
  }

  /**
   * Reads a key or makes one, in one tab at a time. An unreadable key is never replaced,
   * because its data would be lost.
   */
  async #readOrMake(id: string): Promise<CryptoKey> {
    return (
      (await readIfThere(id)) ??
      (await navigator.locks.request(`seam-key-${id}`, async () => (await readIfThere(id)) ?? (await this.#make(id))))
    );
  }

  async #make(id: string): Promise<CryptoKey> {
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    const key = await imported(bytes);
    await this.#engine.call('keep', { file: keyFile(id), what: 'bytes' }, { blobs: [bytes.buffer] });
    return key;
  }
}

export async function folder(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
}

/**
 * Reports whether the browser allows files. Tried out, because each browser fails
 * differently in private windows.
 */
export function canKeep(): Promise<boolean> {
  return folder().then(
    () => true,
    () => false,
  );
}

/** Returns the names of all kept files. */
export async function fileNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (await folder()).keys()) names.push(name);
  return names;
}

/**
 * Deletes a file from the page itself, because the engine may be busy. A missing file is no
 * error.
 */
export async function removeFile(name: string): Promise<void> {
  await (await folder()).removeEntry(name).catch((cause: unknown) => {
    if ((cause as DOMException).name !== 'NotFoundError') throw cause;
  });
}

/** Opens a kept file. */
export async function keptFile(name: string): Promise<File> {
  return (await (await folder()).getFileHandle(name)).getFile();
}

async function read(id: string): Promise<CryptoKey> {
  return imported(await (await keptFile(keyFile(id))).arrayBuffer());
}

/**
 * Reads a key. Returns undefined for a missing file, or one that a killed browser left half
 * written: nothing had been sealed with that.
 */
async function readIfThere(id: string): Promise<CryptoKey | undefined> {
  try {
    const bytes = await (await keptFile(keyFile(id))).arrayBuffer();
    return bytes.byteLength === KEY_BYTES ? await imported(bytes) : undefined;
  } catch (cause) {
    if ((cause as DOMException).name === 'NotFoundError') return undefined;
    throw cause;
  }
}

function imported(bytes: BufferSource): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['encrypt', 'decrypt']);
}
