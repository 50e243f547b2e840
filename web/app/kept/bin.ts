// Removed documents: they are marked in the store, and go for good when that cannot be
// undone any more, at the latest on the next visit. What is removed in one go comes back
// in one go.

import { SeamError } from '../../lib/seam-error.ts';
import { newDoc, type Doc } from '../doc.ts';
import type { Session } from '../session.ts';
import type { Database, KeptDocument } from './database.ts';
import type { News } from './keeper.ts';
import type { Locks } from './locks.ts';
import { tellKept } from './memory.ts';
import { kept as words } from './strings.ts';

export interface BinOptions {
  session: Session;
  locks: Locks;
  open: () => Promise<Database>;
  /** Resolves when nothing of a document is being written. */
  settled: (doc: Doc) => Promise<void>;
  /** Tells the other tabs. */
  post: (news: News) => void;
  /** Deletes the files of a record. */
  forget: (record: KeptDocument) => Promise<void>;
  /** These were removed together, and `undo` brings them back. */
  removed: (docs: Doc[], undo: () => void) => void;
  tell: (text: string) => void;
}

interface Removed {
  doc: Doc;
  record: KeptDocument;
  undone: boolean;
}

export class Bin {
  readonly #options: BinOptions;
  /** Of this turn, which nobody has begun to remove. */
  readonly #coming: Doc[] = [];
  readonly #removed: Removed[] = [];

  constructor(options: BinOptions) {
    this.#options = options;
  }

  put(doc: Doc): void {
    if (this.#coming.push(doc) === 1) queueMicrotask(() => void this.#take(this.#coming.splice(0)));
  }

  async #take(docs: Doc[]): Promise<void> {
    const { open, removed: show, tell } = this.#options;
    const failed = (doc: Doc) => (cause: unknown): undefined => { tell(words.stillKept(doc.name, SeamError.from(cause))); };
    const marked = await Promise.all(docs.map((doc) => this.#mark(doc).catch(failed(doc))));
    const removed = marked.filter((each) => each !== undefined);
    if (removed.length === 0) return;
    await open().then(tellKept).catch(() => undefined); // the database itself tells, too
    show(removed.map(({ doc }) => doc), () => {
      for (const each of removed) {
        each.undone = true;
        this.#restore(each).catch((cause: unknown) => tell(words.notBack(each.doc.name, SeamError.from(cause))));
      }
    });
    this.#removed.push(...removed); // behind those whose time is over with what is shown now
  }

  /** Undefined where it was not kept. */
  async #mark(doc: Doc): Promise<Removed | undefined> {
    const { settled, locks, open, post } = this.#options;
    await settled(doc);
    const record = doc.kept?.record;
    if (!record) return undefined;
    await locks.hold(doc, record.id); // so that no other tab's sweep takes it while this can be undone
    await (await open()).change(record.id, (found) => { found.removed = Date.now(); });
    post({ what: 'removed', id: record.id });
    return { doc, record, undone: false };
  }

  async #restore({ doc, record }: Removed): Promise<void> {
    const { session, locks, open, post } = this.#options;
    const database = await open();
    const found = await database.change(record.id, (there) => { there.removed = 0; });
    locks.release(doc);
    if (!found) return;
    const back = newDoc(found.name, null, found);
    session.restore([back]);
    session.select(back);
    post({ what: 'changed', id: found.id });
    await tellKept(database);
  }

  /** What was removed goes for good. */
  async empty(): Promise<void> {
    const { locks, open, forget } = this.#options;
    for (const { doc, record, undone } of this.#removed.splice(0)) {
      if (undone) continue;
      await (await open()).delete(record.id);
      await forget(record);
      locks.release(doc);
    }
  }
}
