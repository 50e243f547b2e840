// A copy of each record as a file, beside the files that it names. Chromium begins a
// database anew that it cannot read, and says nothing: so it does on the second visit after
// one that was killed as it wrote, since LevelDB adds to a log that ends in half an entry.
// A copy that no record stands for is one of a record that was lost: who deletes a record
// deletes its copies first.

import type { Copier } from './copier.ts';
import { fileNames, keptFile, removeFile } from './keys.ts';

const ENDING = 'record';
const fileOf = (id: string, rev: number): string => `${id}.${rev}.${ENDING}`;

/** What a copy is of: the record's id, and how often it was written by then. */
export interface CopyOf {
  id: string;
  rev: number;
}

/** By the name of a file: none where it is no copy. */
export function copyOf(name: string): CopyOf[] {
  const [id = '', rev, ending] = name.split('.');
  return ending === ENDING ? [{ id, rev: Number(rev) }] : [];
}

export class Copies {
  readonly #copier: Copier;

  constructor(copier: Copier) {
    this.#copier = copier;
  }

  /** Those that there are, by their ids, the newest of each first. */
  async list(): Promise<Map<string, CopyOf[]>> {
    const found = new Map<string, CopyOf[]>();
    for (const copy of (await fileNames()).flatMap(copyOf)) found.set(copy.id, [...(found.get(copy.id) ?? []), copy]);
    for (const copies of found.values()) copies.sort((a, b) => b.rev - a.rev);
    return found;
  }

  /** The newest that is whole. */
  async read<T>(copies: readonly CopyOf[]): Promise<(CopyOf & { value: T }) | undefined> {
    for (const { id, rev } of copies) {
      try {
        return { id, rev, value: JSON.parse(await (await keptFile(fileOf(id, rev))).text()) as T };
      } catch {
        // It was being written when the page was killed: the one before is there still.
      }
    }
    return undefined;
  }

  /** Resolves when a power cut would spare it. */
  write({ id, rev }: CopyOf, value: unknown): Promise<void> {
    return this.#copier.write(fileOf(id, rev), new Blob([JSON.stringify(value)]));
  }

  async remove(copies: readonly CopyOf[]): Promise<void> {
    await Promise.all(copies.map(({ id, rev }) => removeFile(fileOf(id, rev))));
  }
}
