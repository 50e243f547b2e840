// Keeps documents between visits: the document when it has been read, its sentence vectors
// when they change, and each change by hand. The record is written last and names complete
// files, so a crash in between leaves the previous state. Files that no record names are
// deleted on the next visit.

import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { newDoc, type Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { Bin } from './bin.ts';
import { Copier } from './copier.ts';
import { Copies } from './copies.ts';
import { Database, ofHand } from './database.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { Indexes } from './indexes.ts';
import { Indexer } from './indexer.ts';
import { canKeep, fileNames, Keys, removeFile } from './keys.ts';
import { Labels } from './labels.ts';
import { Locks } from './locks.ts';
import { keeping, last, setLast, tellKept } from '../session/memory.ts';
import type { News } from './news.ts';
import { OtherTabs } from './other-tabs.ts';
import { original, Originals } from './originals.ts';
import { another, recordOf } from './record.ts';
import { dropOriginals, forget } from './forget.ts';
import { fillBlock } from './spacing.ts';
import { deleted, Writer } from './writer.ts';
import { kept as words } from '../words/en/kept.ts';
import { documentsOf, sweep } from './sweep.ts';

export interface KeeperOptions {
  engine: EngineClient;
  session: Session;
  /** Creates a worker that copies files: worker/copy.ts. */
  copier: () => Worker;
  /** Called with documents removed together; `undo` restores them all. */
  removed: (docs: Doc[], undo: () => void) => void;
  /** Shows a message about the storage as a whole. */
  tell: (text: string) => void;
}

export class Keeper {
  readonly #engine: EngineClient;
  readonly #session: Session;
  readonly #options: KeeperOptions;
  readonly #locks: Locks;
  readonly #keys: Keys;
  readonly #writer: Writer;
  readonly #copies: Copies;
  readonly #indexes: Indexes;
  readonly #indexer: Indexer;
  readonly #labels: Labels;
  readonly #others: OtherTabs;
  /** Removed documents that can still be restored. */
  readonly bin: Bin;
  readonly #channel = new BroadcastChannel('seam-documents');
  /** The pending writes of each document, in order. */
  readonly #queues = new Map<Doc, Promise<void>>();
  #database: Promise<Database> | null = null;
  #filled: Promise<void> | null = null;
  /** The ID of this tab, set in the records of documents that it changes. */
  readonly #tab: string = crypto.randomUUID?.() ?? ''; // without it, nothing is kept
  /** Documents with this tab's ID in their records. */
  readonly #claimed = new WeakSet<Doc>();
  #hearing = Promise.resolve();
  /** Whether this tab has deleted everything, or may keep nothing. */
  #off = false;

  constructor(options: KeeperOptions) {
    const { engine, session } = options;
    this.#engine = engine;
    this.#session = session;
    this.#options = options;
    this.#keys = new Keys(engine);
    const copier = new Copier(options.copier);
    const fileNotKept = (name: string, trouble: SeamError) => options.tell(words.fileNotKept(name, trouble));
    this.#writer = new Writer(engine, new Originals(copier), this.#tab, fileNotKept);
    this.#copies = new Copies(copier);
    this.#locks = new Locks((doc, following) => void this.#lead(doc, following));
    this.#indexes = new Indexes({
      copier,
      locks: this.#locks,
      open: () => this.open(),
      permits: () => !this.#off && keeping(),
    });
    session.shelf.indexes = this.#indexes;
    session.fileOf = ({ kept }) => original(kept?.record);
    this.bin = new Bin({
      session,
      locks: this.#locks,
      tell: options.tell,
      removed: options.removed,
      open: () => this.open(),
      settled: async (doc) => {
        await this.#queues.get(doc);
        this.#queues.delete(doc);
      },
      post: (news) => this.#channel.postMessage(news),
      forget: async (record) => {
        await forget(record, null);
        if (record.index) await this.#indexes.drop();
      },
    });
    this.#indexer = new Indexer({
      engine,
      tab: this.#tab,
      permits: (doc) =>
        !this.#off && keeping() && doc.state === 'ready' && !doc.following && session.docs.includes(doc),
      enqueue: async (doc, write) => {
        for (let before; before !== this.#queues.get(doc); await before) before = this.#queues.get(doc);
        await this.#enqueue(doc, async () => {
          if (doc.kept?.state === 'saved') await this.#locks.among(write);
          return false; // it does not change what the page shows
        });
      },
      change: async (id, change) => {
        const next = await (await this.open()).change(id, change);
        if (!next) return undefined;
        this.#tell(id);
        this.#indexes.later();
        return next;
      },
      forget,
    });
    this.#labels = new Labels({
      session,
      open: () => this.open(),
      enqueue: (doc, write) => this.#enqueue(doc, write),
      show: (doc, state, reason) => this.#show(doc, state, reason),
      tell: (id) => this.#tell(id),
      refusal: () => (this.#off ? words.outdated : keeping() ? '' : words.chosen),
      warn: options.tell,
    });
    this.#others = new OtherTabs({
      engine,
      session,
      locks: this.#locks,
      open: () => this.open(),
      cleared: () => {
        this.#database = null;
        this.#keys.clear();
        this.#forgetAll();
      },
    });
    for (const event of ['chunked', 'questions', 'statements'] as const)
      session.on(event, (doc) => {
        void this.save(doc);
        this.#indexer.later(doc);
      });
    session.on('tagged', (docs) => {
      for (const doc of docs) void this.#labels.keepTags(doc);
    });
    session.on('asked', ({ doc, kept }) => kept.push(this.#labels.keepAnswers(doc)));
    session.on('twins', (docs) => {
      for (const doc of docs) void this.save(doc);
    }); // their files may be missing so far
    session.on('discarded', (discarded) => this.bin.put(discarded));
    session.on('selected', (doc) => {
      setLast(doc?.kept?.record?.id ?? last());
      if (!doc?.searched) return;
      doc.searched = false;
      if (doc.state === 'ready') void this.save(doc); // it gets its lock
    });
    // In order, so that older news is not applied last.
    this.#channel.onmessage = ({ data }) => {
      this.#hearing = this.#hearing.then(() => this.#others.hear(data as News)).catch(() => undefined);
    };
  }

  /** Lists the documents of earlier visits. */
  async restore(): Promise<void> {
    const all = await documentsOf(await this.open(), this.#locks);
    const docs = all
      .filter(({ removed }) => removed === 0)
      .sort((a, b) => a.added - b.added)
      .map((record) => newDoc(record.name, null, record));
    const known = new Set(this.#session.docs.map(({ kept }) => kept?.record?.id));
    this.#session.restore(docs.filter(({ kept }) => !known.has(kept?.record?.id)));
    void sweep(this.#locks, () => this.open())
      .catch(() => undefined) // then on another visit
      .then(() => this.#indexes.later());
  }

  /** Selects the document shown last. */
  resume(): void {
    const doc = this.#session.docs.find(({ kept }) => kept?.record?.id === last()) ?? this.#session.docs[0];
    if (doc && !this.#session.selected) this.#session.select(doc);
  }

  /** Writes the changes of a document. */
  save(doc: Doc): Promise<void> {
    const keeps = !this.#off && keeping();
    return this.#enqueue(doc, () => (keeps ? this.#save(doc) : this.#leave(doc)));
  }

  /**
   * Queues a write of a document. It shows as saved after the last successful write, unless
   * another version is being read, which is saved later.
   */
  #enqueue(doc: Doc, write: () => Promise<boolean>): Promise<void> {
    const next: Promise<void> = (this.#queues.get(doc) ?? Promise.resolve()).then(async () => {
      const { opened } = doc;
      if ((await write()) && this.#queues.get(doc) === next && doc.opened === opened) this.#show(doc, 'saved');
    });
    this.#queues.set(doc, next);
    return next;
  }

  /** Saves a document. Returns false if it should not show as saved. */
  async #save(doc: Doc): Promise<boolean> {
    if (doc.state !== 'ready' || !this.#session.docs.includes(doc) || doc.following) return false;
    if (doc.searched && doc.kept?.state === 'saved') return true; // nothing changed, and another tab may change it
    const fresh = !doc.kept?.record;
    if (fresh || doc.kept?.state === 'failed') this.#show(doc, 'saving');
    try {
      // Neither exists on an insecure address.
      if (!navigator.locks || !globalThis.indexedDB) throw new SeamError('storage', words.blocked);
      const begun = doc.kept?.record ?? recordOf(doc, this.#tab);
      if (!(await this.#locks.hold(doc, begun.id))) return false; // another tab has it
      if (!fresh && !this.#claimed.has(doc)) await this.#claim(doc);
      this.#claimed.add(doc);
      if (doc.state !== 'ready') return false; // another version of its file is being read
      if (!(await this.#locks.among(() => this.#put(doc, doc.kept?.record ?? begun)))) return false;
      if (fresh) void navigator.storage.persist?.().catch(() => undefined);
      return true;
    } catch (cause) {
      const denied = (cause as Partial<DOMException>)?.name === 'SecurityError' || !(await canKeep()); // all storage is denied, or files are
      this.#show(doc, 'failed', words.failed(denied ? new SeamError('storage', words.blocked) : SeamError.from(cause)));
      return false;
    }
  }

  /**
   * Handles a document while nothing is kept. If it has unsaved content in this tab, shows
   * that and returns false.
   */
  async #leave(doc: Doc): Promise<boolean> {
    const { record, state = 'failed' } = doc.kept ?? {};
    if (state === 'failed' || doc.state !== 'ready' || doc.following) return false;
    if (record && !(await another(doc, record))) {
      const log = await this.#engine.call('history', { doc: doc.id, since: 0 }).then(
        ({ result }) => result.log,
        () => undefined,
      ); // unknown: it may have changed
      if (log !== undefined && ofHand({ ...doc, log }) === ofHand(record)) return true;
    }
    this.#show(doc, 'failed', this.#off ? words.outdated : words.chosen);
    return false;
  }

  /**
   * Writes the files of a document, then the record that names them. Returns false if
   * another tab makes the changes now.
   */
  async #put(doc: Doc, old: KeptDocument): Promise<boolean> {
    const database = await this.open(); // first, because files without a database are never swept
    await (this.#filled ??= fillBlock().catch(() => undefined));
    const made = await this.#writer.write(doc, old);
    if (!made) return true;
    let next: KeptDocument | undefined = made;
    let other = false;
    if (doc.kept?.record) {
      next = await database.change(made.id, (found) => {
        other = found.leader !== this.#tab;
        if (other) return false;
        const { name, removed, tags, asked } = found; // any tab may change these
        const index = made.file === found.file ? (found.index ?? null) : null; // see Indexer
        const original = deleted(made, old) || (old.original && !found.original) ? null : made.original;
        Object.assign(
          found,
          made,
          { name, removed, index, ...(tags && { tags }), ...(asked && { asked }) },
          original !== undefined && { original },
        );
        return true;
      });
    } else {
      if (deleted(made, old)) next = { ...made, original: null };
      await database.put(next);
    }
    if (!next) {
      await forget(made, old);
      if (other) return false;
      if (doc.kept) doc.kept.record = null; // the next change keeps it anew
      throw new SeamError('storage', words.deletedInOtherTab);
    }
    if (doc.kept) doc.kept.record = next;
    for (const before of [old, made]) await forget(before, next);
    this.#tell(next.id);
    void tellKept();
    if (doc === this.#session.selected) setLast(next.id);
    return true;
  }

  /** Deletes the original files. The documents read from them stay. */
  async dropOriginals(): Promise<void> {
    await Promise.all(this.#queues.values()); // a write under way may name a file
    await dropOriginals(await this.open(), this.#session.docs, (id) => this.#tell(id));
    this.#session.touched();
  }

  #show(doc: Doc, state: 'saving' | 'saved' | 'failed', reason = ''): void {
    if (doc.kept?.state === state && doc.kept.reason === reason) return;
    doc.kept = { record: doc.kept?.record ?? null, state, reason };
    if (state === 'failed') this.#options.tell(words.notKept(doc.name, reason));
    this.#session.touched();
  }

  rename(doc: Doc, name: string): Promise<void> {
    return this.#labels.rename(doc, name);
  }

  // ---- deleting

  /** Deletes all kept documents, and the vectors of hosted models. Open documents stay open. */
  async clear(): Promise<void> {
    this.#off = true;
    await this.#clearAll().finally(() => {
      this.#off = false;
    });
  }

  async #clearAll(): Promise<void> {
    await Promise.all(this.#queues.values());
    await this.#locks.alone(async () => {
      await (await this.open()).destroy();
      this.#database = null;
      for (const name of await fileNames()) await removeFile(name);
    });
    this.#keys.clear();
    await this.#engine.call('clear', {});
    this.#channel.postMessage({ what: 'cleared' } satisfies News);
    this.#forgetAll();
  }

  #forgetAll(): void {
    setLast('');
    for (const doc of [...this.#session.docs]) {
      this.#locks.release(doc);
      if (doc.state === 'kept') this.#session.drop(doc);
      else Object.assign(doc, { kept: null, following: false });
    }
    this.#session.touched();
    void tellKept();
  }

  // ---- other tabs

  #tell(id: string): void {
    this.#channel.postMessage({ what: 'changed', id } satisfies News);
  }

  /** Handles that this tab begins or stops making the changes of a document. */
  async #lead(doc: Doc, following: boolean): Promise<void> {
    doc.following = following;
    this.#claimed.delete(doc);
    this.#session.touched();
    if (!following) {
      await this.save(doc);
      return;
    }
    const id = doc.kept?.record?.id;
    const record = id && (await (await this.open()).document(id));
    if (record && doc.following) await this.#others.follow(doc, record); // unsaved changes of this tab are dropped
  }

  /** Takes over the record from other tabs, and applies their changes. */
  async #claim(doc: Doc): Promise<void> {
    const mine = doc.kept?.record;
    const record =
      mine &&
      (await (
        await this.open()
      ).change(mine.id, (found) => {
        found.leader = this.#tab;
      }));
    if (!record || !doc.kept) return;
    this.#tell(record.id); // a tab closed during a write may not have notified others
    const { file, vectors, seen = null } = mine;
    if (ofHand(record) !== ofHand(mine) || (file && file !== record.file)) await this.#others.follow(doc, record);
    else doc.kept.record = file ? record : { ...record, file, vectors, seen }; // its files are gone and must be rewritten
  }

  /** Makes this tab the one that changes a document, in place of another. */
  lead(doc: Doc): void {
    this.#locks.steal(doc);
  }

  // ---- the database

  open(): Promise<Database> {
    this.#database ??= Database.open(this.#keys, this.#copies, (outdated) => {
      this.#database = null;
      this.#off ||= outdated;
      if (outdated) this.#options.tell(words.outdated);
    }).catch((cause: unknown) => {
      this.#database = null;
      throw (cause as Partial<DOMException>)?.name === 'VersionError' ? new SeamError('storage', words.later) : cause;
    });
    return this.#database;
  }
}
