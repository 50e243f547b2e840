// Writes the files of a document, and makes the record that names them.

import type { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { keepingFiles } from '../session/memory.ts';
import { digest } from '../session/twins.ts';
import type { Originals } from './originals.ts';
import { another } from './record.ts';

/** Whether the file of a new record came while the user chose to keep none. */
export const deleted = (next: KeptDocument, old: KeptDocument): boolean =>
  !keepingFiles() && next.original?.file !== old.original?.file;

export class Writer {
  readonly #engine: EngineClient;
  readonly #originals: Originals;
  readonly #tab: string;
  readonly #fileNotKept: (name: string, trouble: SeamError) => void;

  /** `tab` appears in the names of the files, so that two tabs never write the same one. */
  constructor(
    engine: EngineClient,
    originals: Originals,
    tab: string,
    fileNotKept: (name: string, trouble: SeamError) => void,
  ) {
    this.#engine = engine;
    this.#originals = originals;
    this.#tab = tab;
    this.#fileNotKept = fileNotKept;
  }

  /**
   * Writes the changed files of a document and returns its new record, or null if nothing
   * changed.
   */
  async write(doc: Doc, old: KeptDocument): Promise<KeptDocument | null> {
    const record = structuredClone(old);
    const file = (kind: string) => `${record.id}.${++record.last}-${this.#tab.slice(0, 8)}.${kind}`;
    const { opened, source } = doc;
    const { original } = record;
    const other = !record.file || (await another(doc, record));
    const otherwise = doc.otherwise && doc.state === 'ready'; // while it is being read again, the engine has the text of before
    if (otherwise) doc.otherwise = false; // the user may have it read again meanwhile
    if (other || otherwise) {
      await this.#writeDocument(doc, record, file('document')).catch((cause: unknown) => {
        doc.otherwise ||= otherwise;
        throw cause;
      });
    }
    if (!other && original) record.original = original; // of the same bytes
    const trouble = keepingFiles() ? await this.#originals.add(source, record, () => file('original')) : null;
    if (trouble) this.#fileNotKept(doc.name, trouble);
    const log = await this.#writeComputed(doc, record, file);
    if (doc.questions.length > 0 || record.questions) record.questions = doc.questions;
    if (doc.statements.length > 0 || record.statements) record.statements = doc.statements;
    Object.assign(record, {
      name: doc.name,
      own: doc.own,
      ...((doc.given || record.given) && { given: doc.given }),
      log,
      pages: opened?.pages ?? record.pages,
      chunks: doc.chunking?.result.chunks.length ?? 0,
    });
    return JSON.stringify(record) === JSON.stringify(old) ? null : record;
  }

  async #writeDocument(doc: Doc, record: KeptDocument, name: string): Promise<void> {
    const { result } = await this.#engine.call('keep', { doc: doc.id, file: name, what: 'document' });
    Object.assign(record, {
      file: name,
      bytes: result.bytes,
      vectors: null,
      seen: null,
      original: null,
      size: doc.size,
      digest: await digest(doc),
    });
    delete record.packed;
    delete record.source;
    delete record.saved;
    if (doc.saved) record.saved = doc.saved;
    if (doc.packed) Object.assign(record, { packed: doc.packed.digest, source: doc.packed.source });
  }

  /** Writes the results computed for a document, and returns its changes by hand. */
  async #writeComputed(
    { id }: Doc,
    record: KeptDocument,
    file: (kind: string) => string,
  ): Promise<KeptDocument['log']> {
    const before = record.last;
    const computed = async (what: 'vectors' | 'seen'): Promise<boolean> => {
      const name = file(what);
      const { bytes, key } = await this.#engine
        .call('keep', { doc: id, file: name, what, has: record[what]?.key ?? '' })
        .then(
          ({ result }) => result,
          () => ({ bytes: 0, key: '' }),
        ); // it can be computed again
      if (bytes > 0) record[what] = { file: name, key, bytes };
      return bytes > 0;
    };
    const [vectors, seen, { result: history }] = await Promise.all([
      computed('vectors'),
      computed('seen'),
      this.#engine.call('history', { doc: id, since: 0 }),
    ]);
    if (!vectors && !seen) record.last = before;
    return history.log;
  }
}
