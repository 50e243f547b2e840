// Keeps the names and the tags of documents, and the answers to questions that each was asked
// by itself. Any tab may change them.

import { SeamError } from '../../lib/seam-error.ts';
import type { Doc } from '../session/doc.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { joined } from '../session/own-answers.ts';
import type { Session } from '../session/session.ts';
import { kept as words } from '../words/en/kept.ts';
import type { Database } from './database.ts';

export interface LabelsOptions {
  session: Session;
  open: () => Promise<Database>;
  /** Queues a write of a document after all others: see Keeper. */
  enqueue: (doc: Doc, write: () => Promise<boolean>) => Promise<void>;
  show: (doc: Doc, state: 'saving' | 'failed', reason?: string) => void;
  /** Announces a changed record to other tabs. */
  tell: (id: string) => void;
  /** Returns why nothing is kept, or an empty text. */
  refusal: () => string;
  /** Shows a message about the storage. */
  warn: (text: string) => void;
}

export class Labels {
  readonly #options: LabelsOptions;

  constructor(options: LabelsOptions) {
    this.#options = options;
  }

  /** Renames a document. Rejects if that cannot be written. */
  async rename(doc: Doc, name: string): Promise<void> {
    if (!doc.kept?.record || !name.trim()) return;
    const before = doc.name;
    doc.name = name.trim();
    let trouble: unknown = null;
    await this.#options.enqueue(doc, () =>
      this.#change(doc, { name: doc.name }).catch((cause: unknown) => {
        doc.name = before;
        trouble = cause;
        return doc.kept?.state === 'saving';
      }),
    );
    if (trouble) throw trouble;
    this.#options.session.touched();
  }

  /** Writes the tags of a document. */
  keepTags(doc: Doc): Promise<void> {
    return this.#options.enqueue(doc, async () => {
      if (!doc.kept?.record) return false; // its first record will have them
      let reason = this.#options.refusal();
      try {
        if (!reason) return await this.#change(doc, { tags: doc.tags });
      } catch (cause) {
        reason = words.failed(SeamError.from(cause));
      }
      this.#options.show(doc, 'failed', reason);
      return false;
    });
  }

  /** Adds the answers of a document to its record. If that fails, they stay for this visit. */
  keepAnswers(doc: Doc): Promise<void> {
    return this.#options.enqueue(doc, async () => {
      const { record } = doc.kept ?? {};
      if (record && !this.#options.refusal()) {
        try {
          const next = await (await this.#options.open()).change(record.id, (found) => {
            found.asked = joined(found.asked, doc.asked);
          });
          if (doc.kept && next) doc.kept.record = next;
          this.#options.tell(record.id);
        } catch (cause) {
          this.#options.warn(words.failed(SeamError.from(cause)));
        }
      }
      return doc.kept?.state === 'saving';
    });
  }

  /**
   * Changes the name or the tags in a record; any tab may. Returns whether the document is saved
   * then, which it is not if it was not before.
   */
  async #change(doc: Doc, change: Pick<KeptDocument, 'name'> | Pick<KeptDocument, 'tags'>): Promise<boolean> {
    const { record } = doc.kept ?? {};
    if (!record) return false;
    if (doc.kept?.state === 'saved') this.#options.show(doc, 'saving');
    const next = await (await this.#options.open()).change(record.id, (found) => {
      Object.assign(found, change);
    });
    if (doc.kept && next) doc.kept.record = next;
    this.#options.tell(record.id);
    return doc.kept?.state === 'saving';
  }
}
