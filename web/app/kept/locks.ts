// Makes sure that one tab changes a document: the tab that holds its lock. Other tabs wait
// for the lock, so one of them takes over when that tab closes.

import type { Doc } from '../session/doc.ts';

const PREFIX = 'seam document ';
/**
 * Held while files and the record that names them are written, so that a sweep does not
 * delete them in between.
 */
const FILES = 'seam files';

interface Held {
  id: string;
  /** Releases the lock, or stops waiting for it. */
  end: () => void;
}

export class Locks {
  readonly #held = new Map<Doc, Held>();
  readonly #changed: (doc: Doc, following: boolean) => void;

  /** `changed` is called when a document begins or stops following another tab. */
  constructor(changed: (doc: Doc, following: boolean) => void) {
    this.#changed = changed;
  }

  /**
   * Resolves to whether this tab makes the changes. If not, it will when the other tab
   * releases the lock. Rejects if the browser has no locks.
   */
  async hold(doc: Doc, id: string): Promise<boolean> {
    if (this.#held.has(doc)) return !doc.following;
    return new Promise<boolean>((resolve, reject) => {
      this.#request(doc, id, { ifAvailable: true }, resolve, reject);
    });
  }

  #request(
    doc: Doc,
    id: string,
    options: LockOptions,
    first: (mine: boolean) => void = () => {},
    refused: (cause: unknown) => void = () => {},
  ): void {
    let end = () => {};
    const released = new Promise<void>((resolve) => {
      end = resolve;
    });
    const waiting = new AbortController();
    this.#held.set(doc, {
      id,
      end: () => {
        end();
        waiting.abort();
      },
    });
    const signal = options.ifAvailable || options.steal ? {} : { signal: waiting.signal };
    navigator.locks
      .request(PREFIX + id, { ...options, ...signal }, async (lock) => {
        first(lock !== null);
        if (lock) {
          if (doc.following) this.#changed(doc, false);
          await released;
          return;
        }
        this.#changed(doc, true);
        if (this.#held.has(doc)) this.#request(doc, id, {});
      })
      .catch((cause: unknown) => {
        if ((cause as DOMException).name !== 'AbortError') {
          this.#held.delete(doc);
          refused(cause);
          return;
        }
        // Another tab took it, or this tab no longer waits for it.
        if (waiting.signal.aborted || this.#held.get(doc)?.id !== id) return;
        this.#changed(doc, true);
        this.#request(doc, id, {});
      });
  }

  steal(doc: Doc): void {
    const held = this.#held.get(doc);
    if (!held || !doc.following) return;
    held.end();
    this.#request(doc, held.id, { steal: true });
  }

  release(doc: Doc): void {
    const held = this.#held.get(doc);
    this.#held.delete(doc);
    held?.end();
  }

  /** Works with files while no tab sweeps. */
  among<T>(work: () => Promise<T>): Promise<Awaited<T>> {
    return navigator.locks.request(FILES, { mode: 'shared' }, async () => await work());
  }

  /** Works while no tab writes files. `held` are the IDs of documents open in any tab. */
  async alone(work: (held: string[]) => Promise<void>): Promise<void> {
    await navigator.locks.request(FILES, async () => {
      const { held = [] } = await navigator.locks.query();
      await work(held.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
    });
  }
}
