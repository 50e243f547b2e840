// The files that documents were read from: kept where a person wants that, so that their
// pages can be shown on a later visit.

import type { Copied, Copy } from '../../worker/copy.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { KeptDocument } from './database.ts';
import { FOLDER, keptFile, removeFile } from './keys.ts';

export class Originals {
  readonly #spawn: () => Worker;
  /** Those that could not be kept: each is told once. */
  readonly #refused = new WeakSet<Blob>();

  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
  }

  /** Puts a document's file on the disk and into its record, if it is not there; returns what went wrong. What fails leaves none, and is not tried again. */
  async add(source: Blob | null, record: KeptDocument, name: () => string): Promise<SeamError | null> {
    if (!source || record.original || this.#refused.has(source)) return null;
    const file = name();
    try {
      await this.#write(file, source);
      record.original = { file, bytes: source.size };
      return null;
    } catch (cause) {
      this.#refused.add(source);
      await removeFile(file).catch(() => undefined); // the next visit sweeps
      return new SeamError('storage', (cause as Error).message);
    }
  }

  async #write(name: string, source: Blob): Promise<void> {
    const worker = this.#spawn();
    try {
      const failed = await new Promise<string>((done, fail) => {
        worker.addEventListener('message', ({ data }: MessageEvent<Partial<Copied>>) => { if (data.copied !== undefined) done(data.copied); });
        worker.addEventListener('error', () => fail(new Error('what copies files could not be loaded')));
        worker.postMessage({ folder: FOLDER, name, blob: source } satisfies Copy);
      });
      if (failed) throw new Error(failed);
    } finally {
      worker.terminate();
    }
  }
}

/** The file that a document was read from; null where it is not kept. Its bytes stay on the disk until they are read. */
export async function original(record: KeptDocument | null | undefined): Promise<Blob | null> {
  return record?.original ? keptFile(record.original.file).catch(() => null) : null;
}
