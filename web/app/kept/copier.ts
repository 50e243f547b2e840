// Writes files in a worker (worker/copy.ts). The worker keeps running, so later writes need
// no network.

import type { Copied, Copy } from '../../worker/copy.ts';
import { FOLDER } from './keys.ts';

interface Waiting {
  done: () => void;
  fail: (cause: Error) => void;
}

export class Copier {
  readonly #spawn: () => Worker;
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
  }

  /**
   * Writes a file. Resolves when it would survive a power cut. A failed write may leave a
   * part of the file.
   */
  write(name: string, blob: Blob): Promise<void> {
    return new Promise<void>((done, fail) => {
      this.#worker ??= this.#begin();
      const id = ++this.#last;
      this.#waiting.set(id, { done, fail });
      this.#worker.postMessage({ id, folder: FOLDER, name, blob } satisfies Copy);
    });
  }

  #begin(): Worker {
    const worker = this.#spawn();
    worker.addEventListener('message', ({ data: { id, failed } }: MessageEvent<Copied>) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failed) waiting?.fail(new Error(failed));
      else waiting?.done();
    });
    worker.addEventListener('error', () => {
      for (const { fail } of this.#waiting.values()) fail(new Error('what copies files could not be loaded'));
      this.#waiting.clear();
      worker.terminate();
      this.#worker = null; // the next file tries again
    });
    return worker;
  }
}
