// Stores the records of kept documents in IndexedDB. The texts and vectors are files,
// written by the engine's `keep`. A record names only files that are complete and on the
// disk, so a crash leaves either the old or the new record.
//
// Each record is sealed with its own key. Browsers keep data deleted from IndexedDB on the
// disk for a time, but the key is a file, and a deleted file is gone.
//
// A copy of each record, and one of all questions, is a file too (copies.ts), in case the
// browser loses the database.

import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Turn } from '../../lib/thread.ts';
import type { Copies, CopyOf } from './copies.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { QUESTIONS, type Keys, type Secret } from './keys.ts';
import { DATABASE } from '../session/memory.ts';

/** The version of the schema. A migration leads from each version to the next. */
const VERSION = 1;

/** Returns the changes, questions and statements of a document as a string to compare. */
export const ofHand = ({
  log,
  questions = [],
  statements = [],
}: Pick<KeptDocument, 'log' | 'questions' | 'statements'>): string => JSON.stringify([log, questions, statements]);

/** Returns the files that a record names. */
export const filesOf = ({ file, vectors, seen, index, original }: KeptDocument): string[] =>
  [file, vectors?.file ?? '', seen?.file ?? '', index?.file ?? '', original?.file ?? ''].filter(Boolean);

/** Returns their total size in bytes. */
export const bytesOf = ({ bytes, vectors, seen, index, original }: KeptDocument): number =>
  bytes + (vectors?.bytes ?? 0) + (seen?.bytes ?? 0) + (index?.bytes ?? 0) + (original?.bytes ?? 0);

/** A question to the search or to a chat model. An answer of a model is kept with it. */
export interface KeptQuestion {
  at: number;
  kind: 'search' | 'ask';
  question: string;
  answer: string;
  /** For an answer: the places of its passages, and its thread. */
  turn?: Turn;
}

/** A stored record: all of it is in `secret`, and `rev` counts the writes. */
interface Sealed {
  id: string;
  rev: number;
  secret: Secret;
}

interface Schema extends DBSchema {
  documents: { key: string; value: Sealed };
  questions: { key: number; value: { at: number; secret: Secret } };
}

export const MOST_QUESTIONS = 200;

export class Database {
  readonly #db: IDBPDatabase<Schema>;
  readonly #keys: Keys;
  readonly #copies: Copies;

  private constructor(db: IDBPDatabase<Schema>, keys: Keys, copies: Copies) {
    this.#db = db;
    this.#keys = keys;
    this.#copies = copies;
  }

  /**
   * Opens the database. `closed` is called when another tab deletes it, or, with
   * `outdated`, when a newer version of the page wants to change the schema. This tab then
   * stops keeping documents.
   */
  static async open(keys: Keys, copies: Copies, closed: (outdated: boolean) => void): Promise<Database> {
    const db = await openDB<Schema>(DATABASE, VERSION, {
      upgrade(made, from) {
        if (from < 1) {
          made.createObjectStore('documents', { keyPath: 'id' });
          made.createObjectStore('questions', { keyPath: 'at' });
        }
      },
      blocking(_, version, event) {
        (event.target as IDBDatabase | null)?.close();
        closed(version !== null);
      },
    });
    return new Database(db, keys, copies);
  }

  /** Returns the readable records. A record without its key is lost. */
  async documents(): Promise<KeptDocument[]> {
    const all = await Promise.all((await this.#db.getAll('documents')).map((each) => this.#read(each)));
    return all.filter((each) => each !== undefined);
  }

  /** Returns the IDs of all records, including unreadable ones. */
  ids(): Promise<string[]> {
    return this.#db.getAllKeys('documents');
  }

  async document(id: string): Promise<KeptDocument | undefined> {
    return this.#read(await this.#db.get('documents', id));
  }

  async #read(found: Sealed | undefined): Promise<KeptDocument | undefined> {
    return found && this.#keys.unseal<KeptDocument>(found.id, found.secret);
  }

  /** Adds a record. Resolves when it would survive a power cut. */
  async put(document: KeptDocument): Promise<void> {
    await this.#write(document.id, () => document);
  }

  /**
   * Changes the current version of a record. Returns undefined and changes nothing if it
   * does not exist or `change` returns false.
   */
  async change(id: string, change: (document: KeptDocument) => boolean | void): Promise<KeptDocument | undefined> {
    return this.#write(id, (found) => (found && change(found) !== false ? found : undefined));
  }

  /**
   * Sealing is asynchronous and would outlast a transaction. If another tab writes
   * meanwhile, the change is made again.
   */
  async #write(
    id: string,
    make: (found: KeptDocument | undefined) => KeptDocument | undefined,
  ): Promise<KeptDocument | undefined> {
    for (;;) {
      const found = await this.#db.get('documents', id);
      const next = make(await this.#read(found));
      if (!next) return undefined;
      const rev = found?.rev ?? 0;
      const sealed = { id, rev: rev + 1, secret: await this.#keys.seal(id, next) };
      const tx = this.#db.transaction('documents', 'readwrite', { durability: 'strict' });
      const now = await tx.store.get(id);
      const mine = (now?.rev ?? 0) === rev;
      if (mine) await tx.store.put(sealed);
      await tx.done;
      if (!mine) continue;
      await this.#copy(sealed, next, rev);
      return next;
    }
  }

  /**
   * Copies a written record. `before` is the newest copy so far; it stays if there is no
   * room for another.
   */
  async #copy({ id, rev }: CopyOf, value: unknown, before: number): Promise<void> {
    const written = await this.#copies.write({ id, rev }, value).then(
      () => true,
      () => false,
    );
    const there = await (id === QUESTIONS ? this.#db.getKey('questions', rev) : this.#db.getKey('documents', id)).catch(
      () => undefined,
    );
    const useless = written && there !== undefined ? before : rev; // a tab that deleted the record meanwhile may have missed the copy
    await this.#copies.remove([{ id, rev: useless }]).catch(() => undefined); // the next visit deletes it
  }

  /** Deletes a record and its key, so that remains of the record on the disk cannot be read. */
  async delete(id: string): Promise<void> {
    const uncopied = async () => this.#copies.remove((await this.#copies.list()).get(id) ?? []);
    await uncopied();
    const tx = this.#db.transaction('documents', 'readwrite', { durability: 'strict' });
    await Promise.all([tx.store.delete(id), tx.done]);
    await uncopied(); // a half-written one
    await this.#keys.remove(id);
  }

  // ---- copies

  /** Returns the copies without a readable record; `there` are the readable ones. */
  async lost(there: readonly KeptDocument[]): Promise<CopyOf[][]> {
    const copies = await this.#copies.list();
    for (const { id } of there) copies.delete(id);
    if (copies.has(QUESTIONS) && (await this.#db.count('questions')) > 0) copies.delete(QUESTIONS);
    return [...copies.values()];
  }

  /** Restores lost records. Call it only while no other tab writes. */
  async recover(): Promise<void> {
    for (const copies of await this.lost(await this.documents())) {
      const found = await this.#copies.read(copies);
      if (!found) continue;
      const { id, rev, value } = found;
      if (id === QUESTIONS) for (const question of value as KeptQuestion[]) await this.#put(question, []);
      else await this.#db.put('documents', { id, rev, secret: await this.#keys.seal(id, value) });
    }
  }

  /** Writes missing or outdated copies, except of `spared` records, which other tabs write. */
  async copy(spared: string[]): Promise<void> {
    const copies = await this.#copies.list();
    const questions = await this.questions();
    const records: (CopyOf & { value: unknown })[] = questions[0]
      ? [{ id: QUESTIONS, rev: questions[0].at, value: questions }]
      : [];
    for (const { id, rev, secret } of await this.#db.getAll('documents'))
      records.push({ id, rev, value: await this.#keys.unseal(id, secret) });
    await Promise.allSettled(
      records.map(async ({ id, rev, value }) => {
        const there = copies.get(id) ?? [];
        if (!value || spared.includes(id) || (there.length === 1 && there[0]?.rev === rev)) return;
        await this.#copies.write({ id, rev }, value);
        await this.#copies.remove(there.filter((each) => each.rev !== rev));
      }),
    );
  }

  // ---- questions

  /** Returns the questions, newest first. */
  async questions(): Promise<KeptQuestion[]> {
    const all = await Promise.all(
      (await this.#db.getAll('questions')).map(({ secret }) => this.#keys.unseal<KeptQuestion>(QUESTIONS, secret)),
    );
    return all.filter((each) => each !== undefined).reverse();
  }

  /** Keeps a question. An equal earlier one is replaced. */
  async ask(question: KeptQuestion): Promise<void> {
    const all = (await this.questions()).reverse();
    const old = all.filter((each) => each.question === question.question && each.kind === question.kind);
    const many = all.slice(0, Math.max(0, all.length + 1 - old.length - MOST_QUESTIONS));
    await this.#put(question, [...old, ...many]);
    await this.#copy({ id: QUESTIONS, rev: question.at }, await this.questions(), all.at(-1)?.at ?? 0);
  }

  async #put(question: KeptQuestion, instead: KeptQuestion[]): Promise<void> {
    const secret = await this.#keys.seal(QUESTIONS, question);
    const tx = this.#db.transaction('questions', 'readwrite');
    await Promise.all([
      ...instead.map(({ at }) => tx.store.delete(at)),
      tx.store.put({ at: question.at, secret }),
      tx.done,
    ]);
  }

  /** Deletes the database. The caller must delete the keys. */
  async destroy(): Promise<void> {
    await this.#copies.remove([...(await this.#copies.list()).values()].flat());
    this.#db.close();
    await deleteDB(DATABASE);
  }
}
