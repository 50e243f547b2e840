// Writes the index of each kept document, by which searches on later visits cover it without
// opening it. That takes a moment for a long document, so it waits until the document has
// rested.

import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { measure } from '../ground/timing.ts';
import { unread } from '../session/shelf.ts';

/** How long a document must not have been cut, in milliseconds. */
const REST_MS = 1500;

export interface IndexerOptions {
  engine: EngineClient;
  /** Appears in the names of the files, so that two tabs never write the same one. */
  tab: string;
  /** Whether the document may be written now. */
  permits: (doc: Doc) => boolean;
  /** Queues a write of a document after all others. */
  enqueue: (doc: Doc, write: () => Promise<void>) => Promise<void>;
  /** Changes the stored record: see Database. */
  change: (id: string, change: (found: KeptDocument) => boolean) => Promise<KeptDocument | undefined>;
  forget: (old: KeptDocument, next: KeptDocument) => Promise<void>;
}

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #timers = new Map<Doc, ReturnType<typeof setTimeout>>();

  constructor(options: IndexerOptions) {
    this.#options = options;
    addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') for (const doc of this.#timers.keys()) this.#begin(doc);
    });
  }

  /** Writes the index of a document once it has rested. */
  later(doc: Doc): void {
    clearTimeout(this.#timers.get(doc));
    this.#timers.set(
      doc,
      setTimeout(() => this.#begin(doc), REST_MS),
    );
  }

  #begin(doc: Doc): void {
    clearTimeout(this.#timers.get(doc));
    this.#timers.delete(doc);
    void this.#options.enqueue(doc, () => this.#write(doc).catch(() => undefined)); // without it the document is opened for a search
  }

  async #write(doc: Doc): Promise<void> {
    const { engine, tab, permits, change, forget } = this.#options;
    const record = doc.kept?.record;
    const { chunking, opened, id } = doc;
    if (!record?.file || !chunking || !opened || !permits(doc)) return;
    const start = performance.now();
    const last = record.last + 1;
    const file = `${record.id}.${last}-${tab.slice(0, 8)}.index`;
    const { result } = await engine.call('keep', { doc: id, file, what: 'index', has: record.index?.key ?? '' });
    const { bytes, head, key } = result;
    if (bytes === 0) return;
    const { view } = chunking.result;
    const next = await change(record.id, (found) => {
      if (found.file !== record.file) return false; // another tab has kept another version
      found.last = Math.max(found.last, last);
      found.index = { file, key, bytes, head, view, unread: unread(opened.notes) };
      return true;
    });
    if (!next) {
      await forget({ ...record, index: { file, key, bytes, head, view } }, record);
      return;
    }
    if (doc.kept) doc.kept.record = next;
    measure('index-kept', start);
    await forget(record, next);
  }
}
