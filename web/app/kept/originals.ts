// Keeps the original files of documents if the user wants that, so that their pages can be
// shown on a later visit.

import { SeamError } from '../../lib/seam-error.ts';
import type { Copier } from './copier.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { keptFile, removeFile } from './keys.ts';

export class Originals {
  readonly #copier: Copier;
  /** Files that could not be kept. Each is reported once. */
  readonly #refused = new WeakSet<Blob>();

  constructor(copier: Copier) {
    this.#copier = copier;
  }

  /**
   * Stores a document's file and adds it to the record, unless it is there. Returns the
   * error, if any. A failed copy is deleted and not tried again.
   */
  async add(source: Blob | null, record: KeptDocument, name: () => string): Promise<SeamError | null> {
    if (!source || record.original || this.#refused.has(source)) return null;
    const file = name();
    try {
      await this.#copier.write(file, source);
      record.original = { file, bytes: source.size };
      return null;
    } catch (cause) {
      this.#refused.add(source);
      await removeFile(file).catch(() => undefined); // the next visit deletes it
      return new SeamError('storage', (cause as Error).message);
    }
  }
}

/**
 * Returns the original file, or null if it is not kept. Its bytes stay on the disk until
 * they are read.
 */
export async function original(record: KeptDocument | null | undefined): Promise<Blob | null> {
  return record?.original ? keptFile(record.original.file).catch(() => null) : null;
}
