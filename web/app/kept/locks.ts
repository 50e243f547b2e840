// Of the tabs that have a document open, one makes its changes: the one that holds its
// lock. The others wait for it, and so the next one has it when that tab is closed.

import type { Doc } from '../session/doc.ts';

const PREFIX = 'seam document ';
/** Held by who writes files and the record that names them, so that none is taken for a stray one in between. */
const FILES = 'seam files';

interface Held {
  id: string;
  /** Lets go of the lock, or ends the waiting for it. */
  end: () => void;
}

export class Locks {
  readonly #held = new Map<Doc, Held>();
  readonly #changed: (doc: Doc, following: boolean) => void;

  /** `changed` is told when a document follows another tab, or does so no more. */
  constructor(changed: (doc: Doc, following: boolean) => void) {
    this.#changed = changed;
  }

  /** Whether this tab makes the changes; if not, it will when the other lets go. Rejects where the browser gives no locks. */
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
        // Another tab has taken it, or nobody waits for it any more.
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

  /** Does something with files while no tab sweeps. */
  among<T>(work: () => Promise<T>): Promise<Awaited<T>> {
    return navigator.locks.request(FILES, { mode: 'shared' }, async () => await work());
  }

  /** Does something while no tab writes files. `held` are the documents that tabs have open. */
  async alone(work: (held: string[]) => Promise<void>): Promise<void> {
    await navigator.locks.request(FILES, async () => {
      const { held = [] } = await navigator.locks.query();
      await work(held.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
    });
  }
}
