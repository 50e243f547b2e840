// Lets searches cover kept documents without opening them, by the index that is kept with
// each. So a search of thousands of documents needs little memory.

import type { View } from '../../lib/api.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { measure } from '../ground/timing.ts';
import type { Doc } from './doc.ts';

/** Whether a search covers a document: it is open, or its index is. */
export const isCovered = ({ state, shelf }: Doc): boolean => state === 'ready' || shelf > 0;

/** The engine's number for a document that a search covers, or 0. */
export const numberOf = ({ id, state, shelf }: Doc): number => (state === 'ready' ? id : shelf);

/** Notes after which no word is missing, as in shared/text/unread.go. */
const CERTAIN = /hidden text is |options of list boxes |as the file declares|as chosen|read as UTF-16|NUL characters /;

/** Returns the notes after which words of a document may be missing or wrong. */
export const unread = (notes: readonly string[]): string[] => notes.filter((note) => !CERTAIN.test(note));

/**
 * Returns the notes about parts of a document that could not be read, or null if there are none.
 * An index of earlier versions knows that there are some, but not which.
 */
export function unreadOf({ opened, kept }: Doc): readonly string[] | null {
  const index = kept?.record?.index;
  const notes = opened ? unread(opened.notes) : (index?.unread ?? []);
  return notes.length > 0 || (!opened && index?.partly) ? notes : null;
}

/** An index: the name of its file, and its size. */
interface Index {
  file: string;
  bytes: number;
}

/** Indexes that were read together, one after another. `files` are their names. */
export interface GivenIndexes {
  bytes: ArrayBuffer;
  files: ReadonlySet<string>;
}

/** Reads many indexes from one file: see kept/indexes.ts. */
export interface IndexReader {
  /** Returns the wanted indexes that the file has, in their order, or null if it cannot be read. */
  read(wanted: readonly Index[]): Promise<GivenIndexes | null>;
  /** Called when it lacked some. */
  later(): void;
}

export class Shelf {
  readonly #engine: EngineClient;
  /** Null while the parts that keep documents are not loaded. */
  indexes: IndexReader | null = null;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  /**
   * Opens the indexes of kept documents that were last cut in the view wanted now. Others
   * have to be opened.
   */
  async put(docs: readonly Doc[], viewOf: (doc: Doc) => View): Promise<void> {
    const able = docs.flatMap((doc) => {
      const index = doc.kept?.record?.index;
      return doc.state === 'kept' && !doc.shelf && index?.view === viewOf(doc) ? [{ doc, index }] : [];
    });
    if (able.length === 0) return;
    const start = performance.now();
    const given = (await this.indexes?.read(able.map(({ index }) => index))) ?? null;
    const shelved = able.map(({ doc: { name, saved }, index: { file, head, bytes } }) => ({
      name,
      saved,
      file,
      head,
      ...(given?.files.has(file) && { given: bytes }),
    }));
    const { result } = await this.#engine.call('shelve', { docs: shelved }, { blobs: given ? [given.bytes] : [] });
    measure('shelved', start);
    able.forEach(({ doc, index }, i) => {
      const number = result.docs[i] ?? 0;
      if (doc.state === 'kept' && doc.kept?.record?.index?.file === index.file) doc.shelf = number;
      else this.#close(number);
    });
    if ((given?.files.size ?? 0) < able.length) this.indexes?.later();
  }

  /** Drops the index of a document, or forgets it if the engine has dropped it. */
  drop(doc: Doc, gone = false): void {
    if (!gone) this.#close(doc.shelf);
    doc.shelf = 0;
  }

  #close(number: number): void {
    if (number > 0) void this.#engine.call('close', { doc: number }).catch(() => undefined); // then it is gone already
  }
}
