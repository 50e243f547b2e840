// Keeps copies of all indexes in one file, because the first search of a visit reads them
// all, and a file takes several milliseconds to open. An index that the file lacks, or has in
// an older version, is read from its own file.

import { measure } from '../ground/timing.ts';
import type { GivenIndexes, IndexReader } from '../session/shelf.ts';
import type { Copier } from './copier.ts';
import type { Database } from './database.ts';
import { joined, listOf, placesOf, type Index, type Place } from './indexes-file.ts';
import { keptFile, removeFile } from './keys.ts';
import type { Locks } from './locks.ts';

/** The name of the file. */
export const INDEXES = 'indexes';
/** Held while the file is written or deleted. */
const LOCK = 'seam indexes';
/** How long no index must have been written, in milliseconds. */
const REST_MS = 3000;
/** So many indexes must be missing before the file is written again. */
const MISSING = 8;
/** The most bytes of the file. More would take long to write. */
const MOST_BYTES = 32 << 20;

export interface IndexesOptions {
  copier: Copier;
  locks: Locks;
  open: () => Promise<Database>;
  /** Whether files may be written now. */
  permits: () => boolean;
}

/** Opens the file and finds its indexes. Rejects if the file is missing or damaged. */
async function read(): Promise<[file: File, places: Map<string, Place>]> {
  const file = await keptFile(INDEXES);
  const places = await placesOf(file);
  if (!places) throw new Error('the file with all indexes is damaged');
  return [file, places];
}

export class Indexes implements IndexReader {
  readonly #options: IndexesOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: IndexesOptions) {
    this.#options = options;
  }

  async read(wanted: readonly Index[]): Promise<GivenIndexes | null> {
    try {
      const [file, places] = await read();
      const found = wanted.flatMap(({ file: name, bytes }) => {
        const place = places.get(name);
        return place?.bytes === bytes ? [place] : [];
      });
      const bytes = await joined(file, found).arrayBuffer();
      return { bytes, files: new Set(found.map(({ file: name }) => name)) };
    } catch {
      return null; // another tab may be writing it
    }
  }

  /** Writes the file once no index has been written for a while, if it lacks many. */
  later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write().catch(() => undefined), REST_MS); // the indexes are there
  }

  async #write(): Promise<void> {
    const { copier, locks, open, permits } = this.#options;
    if (!permits()) return;
    await locks.among(() =>
      navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
        if (!lock) {
          this.later(); // another tab writes it, but may not know all
          return;
        }
        const indexes = await this.#current(await open());
        const there = await read().then(
          ([, places]) => places,
          () => new Map<string, Index>(),
        );
        if (indexes.filter(({ file }) => !there.has(file)).length < MISSING) return;
        const start = performance.now();
        const found = await Promise.all(
          indexes.map(async (each) => ({ ...each, blob: await keptFile(each.file).catch(() => null) })),
        );
        const whole = found.filter(({ blob, bytes }) => blob?.size === bytes);
        const all = new Blob([await listOf(whole), ...whole.flatMap(({ blob }) => blob ?? [])]);
        await copier.write(INDEXES, all).then(
          () => measure('indexes-kept', start),
          () => removeFile(INDEXES), // there may be no room
        );
      }),
    );
  }

  /** Returns the indexes that belong into the file. */
  async #current(database: Database): Promise<Index[]> {
    let room = MOST_BYTES;
    return (await database.documents())
      .filter(({ removed }) => removed === 0)
      .sort((a, b) => a.added - b.added)
      .flatMap(({ index }) => {
        if (!index || index.bytes > room) return [];
        room -= index.bytes;
        return [{ file: index.file, bytes: index.bytes }];
      });
  }

  /** Deletes the file, because it has words of a document that was deleted. */
  async drop(): Promise<void> {
    await navigator.locks.request(LOCK, () => removeFile(INDEXES));
    this.later();
  }
}

/** Deletes the file if it has an index of a document that is not among these. Call it only while no tab writes files. */
export async function sweepIndexes(ids: readonly string[]): Promise<void> {
  const known = new Set(ids);
  const [, places] = await read().catch(() => [null, null] as const);
  const names = [...(places?.keys() ?? [''])];
  if (names.some((name) => !known.has(name.split('.')[0] ?? ''))) await removeFile(INDEXES);
}
