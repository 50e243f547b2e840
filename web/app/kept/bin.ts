// Removed documents. They are marked in the store, and deleted for good when undo is no
// longer possible, at the latest on the next visit. Documents that are not kept are reread
// from their file on undo. Documents removed together come back together.

import { SeamError } from '../../lib/seam-error.ts';
import { newDoc, type Doc } from '../session/doc.ts';
import type { Events } from '../session/session-events.ts';
import type { Session } from '../session/session.ts';
import type { Database } from './database.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import type { Locks } from './locks.ts';
import { tellKept } from '../session/memory.ts';
import type { News } from './news.ts';
import { kept as words } from '../words/en/kept.ts';

export interface BinOptions {
  session: Session;
  locks: Locks;
  open: () => Promise<Database>;
  /** Resolves when no write of a document is pending. */
  settled: (doc: Doc) => Promise<void>;
  /** Notifies the other tabs. */
  post: (news: News) => void;
  /** Deletes the files of a record. */
  forget: (record: KeptDocument) => Promise<void>;
  /** Called with documents removed together; `undo` brings them back. */
  removed: (docs: Doc[], undo: () => void) => void;
  tell: (text: string) => void;
}

type Discarded = Events['discarded'];

interface Removed extends Discarded {
  /** Null if it was not kept. */
  record: KeptDocument | null;
  undone: boolean;
}

export class Bin {
  readonly #options: BinOptions;
  /** Removed in this turn and not processed so far. */
  readonly #coming: Discarded[] = [];
  readonly #removed: Removed[] = [];

  constructor(options: BinOptions) {
    this.#options = options;
  }

  put(discarded: Discarded): void {
    if (this.#coming.push(discarded) === 1) queueMicrotask(() => void this.#take(this.#coming.splice(0)));
  }

  async #take(all: Discarded[]): Promise<void> {
    const { open, removed: show, tell } = this.#options;
    const failed =
      (doc: Doc) =>
      (cause: unknown): undefined => {
        tell(words.stillKept(doc.name, SeamError.from(cause)));
      };
    const marked = await Promise.all(all.map((each) => this.#mark(each).catch(failed(each.doc))));
    const removed = marked.filter((each) => each !== undefined);
    if (removed.length === 0) return;
    if (removed.some(({ record }) => record))
      await open()
        .then(tellKept)
        .catch(() => undefined); // the database reports it too
    show(
      removed.map(({ doc }) => doc),
      () => {
        for (const each of removed) {
          each.undone = true;
          this.#restore(each).catch((cause: unknown) => tell(words.notBack(each.doc.name, SeamError.from(cause))));
        }
      },
    );
    this.#removed.push(...removed); // after `show` has made the earlier ones permanent
  }

  /**
   * Marks a document as removed. Returns undefined if nothing is lost or nothing could
   * restore it.
   */
  async #mark(discarded: Discarded): Promise<Removed | undefined> {
    const { settled, locks, open, post } = this.#options;
    const { doc } = discarded;
    await settled(doc);
    const record = doc.kept?.record;
    if (!record)
      return doc.state === 'failed' || !(doc.source ?? doc.packed)
        ? undefined
        : { ...discarded, record: null, undone: false };
    await locks.hold(doc, record.id); // no other tab may sweep it while undo is possible
    await (await open()).change(record.id, (found) => {
      found.removed = Date.now();
    });
    post({ what: 'removed', id: record.id });
    return { ...discarded, record, undone: false };
  }

  /** Reads a document again that was not kept, and repeats its changes by hand. */
  async #again({ doc, byHand }: Removed): Promise<void> {
    const { session } = this.#options;
    const back = newDoc(doc.name, doc.source);
    const { packed, given, password, own, tags, questions, statements, asked } = doc;
    const log = await byHand;
    let done = !log;
    session.on('chunked', (read) => {
      if (read !== back || done) return;
      done = true;
      void session.edit(back, { action: 'load', log }).catch(() => undefined); // its offsets refer to the same text
    });
    session.restore([Object.assign(back, { packed, given, password, own, tags, questions, statements, asked })]);
    session.retry(back);
  }

  async #restore(removed: Removed): Promise<void> {
    const { session, locks, open, post } = this.#options;
    const { doc, record } = removed;
    if (!record) return this.#again(removed);
    const database = await open();
    const found = await database.change(record.id, (there) => {
      there.removed = 0;
    });
    locks.release(doc);
    if (!found) return;
    const back = newDoc(found.name, null, found);
    session.restore([back]);
    session.select(back);
    post({ what: 'changed', id: found.id });
    await tellKept(database);
  }

  /** Deletes the removed documents for good. */
  async empty(): Promise<void> {
    const { locks, open, forget } = this.#options;
    for (const { doc, record, undone } of this.#removed.splice(0)) {
      if (undone || !record) continue;
      await (await open()).delete(record.id);
      await forget(record);
      locks.release(doc);
    }
  }
}
