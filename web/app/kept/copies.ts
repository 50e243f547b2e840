// Copies each record to a file next to the files it names. Chromium silently replaces a
// database that it cannot read. This happens on the second visit after one that was killed
// during a write, because LevelDB appends to a log that ends in half an entry.
//
// A copy without a record belongs to a lost record. Deleting a record therefore deletes its
// copies first.

import type { Copier } from './copier.ts';
import { fileNames, keptFile, removeFile } from './keys.ts';

const ENDING = 'record';
const fileOf = (id: string, rev: number): string => `${id}.${rev}.${ENDING}`;

/** The record that a copy is of, and its revision. */
export interface CopyOf {
  id: string;
  rev: number;
}

/** Parses the name of a copy; returns an empty list for other files. */
export function copyOf(name: string): CopyOf[] {
  const [id = '', rev, ending] = name.split('.');
  return ending === ENDING ? [{ id, rev: Number(rev) }] : [];
}

export class Copies {
  readonly #copier: Copier;

  constructor(copier: Copier) {
    this.#copier = copier;
  }

  /** Lists the copies by record ID, newest first. */
  async list(): Promise<Map<string, CopyOf[]>> {
    const found = new Map<string, CopyOf[]>();
    for (const copy of (await fileNames()).flatMap(copyOf)) found.set(copy.id, [...(found.get(copy.id) ?? []), copy]);
    for (const copies of found.values()) copies.sort((a, b) => b.rev - a.rev);
    return found;
  }

  /** Reads the newest complete copy. */
  async read<T>(copies: readonly CopyOf[]): Promise<(CopyOf & { value: T }) | undefined> {
    for (const { id, rev } of copies) {
      try {
        return { id, rev, value: JSON.parse(await (await keptFile(fileOf(id, rev))).text()) as T };
      } catch {
        // The page was killed while writing it; the previous copy is still there.
      }
    }
    return undefined;
  }

  /** Writes a copy. Resolves when it would survive a power cut. */
  write({ id, rev }: CopyOf, value: unknown): Promise<void> {
    return this.#copier.write(fileOf(id, rev), new Blob([JSON.stringify(value)]));
  }

  async remove(copies: readonly CopyOf[]): Promise<void> {
    await Promise.all(copies.map(({ id, rev }) => removeFile(fileOf(id, rev))));
  }
}
