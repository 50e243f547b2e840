// Writes files by a worker, which is there as long as one is being written: worker/copy.ts.

import type { Copied, Copy } from '../../worker/copy.ts';
import { FOLDER } from './keys.ts';

interface Waiting {
  done: () => void;
  fail: (cause: Error) => void;
}

export class Copier {
  readonly #spawn: () => Worker;
  #worker: Worker | null = null;
  readonly #waiting = new Map<string, Waiting>();

  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
  }

  /** Writes a file below a name of its own. Resolves when a power cut would spare it; what fails may leave a part of it. */
  write(name: string, blob: Blob): Promise<void> {
    return new Promise<void>((done, fail) => {
      this.#worker ??= this.#begin();
      this.#waiting.set(name, { done, fail });
      this.#worker.postMessage({ folder: FOLDER, name, blob } satisfies Copy);
    });
  }

  #begin(): Worker {
    const worker = this.#spawn();
    worker.addEventListener('message', ({ data: { name, failed } }: MessageEvent<Copied>) => {
      const waiting = this.#waiting.get(name);
      this.#waiting.delete(name);
      if (failed) waiting?.fail(new Error(failed));
      else waiting?.done();
      if (this.#waiting.size === 0) this.#end();
    });
    worker.addEventListener('error', () => {
      for (const { fail } of this.#waiting.values()) fail(new Error('what copies files could not be loaded'));
      this.#waiting.clear();
      this.#end();
    });
    return worker;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
