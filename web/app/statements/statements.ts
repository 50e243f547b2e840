// Holds the statements of a model about the documents. The engine receives them so that
// searches find the parts by them. Statements about an old version of a text are dropped.

import type { Statement } from '../../lib/api.ts';
import { moved } from '../../lib/statements.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';

/** A document and its text at the time of the statements. */
interface Known {
  statements: readonly Statement[];
  opened: Doc['opened'];
  id: number;
  text: string;
  view: string;
}

export class Statements {
  readonly #session: Session;
  readonly #engine: EngineClient;
  readonly #lost: (doc: Doc, n: number) => void;
  readonly #known = new WeakMap<Doc, Known>();

  /** `lost` receives the number of statements dropped with the text they described. */
  constructor(session: Session, engine: EngineClient, lost: (doc: Doc, n: number) => void) {
    this.#session = session;
    this.#lost = lost;
    this.#engine = engine;
    for (const event of ['chunked', 'statements'] as const) session.on(event, (doc) => this.#tell(doc));
    session.on('documents', (docs) => {
      for (const doc of docs) this.#tell(doc);
    }); // another tab may have written
  }

  /** Replaces the statements about a document. */
  put(doc: Doc, statements: readonly Statement[]): void {
    this.#session.put(doc, { statements });
  }

  #tell(doc: Doc): void {
    const { chunking, id, opened, state } = doc;
    if (state !== 'ready' || !chunking || !id) return;
    const before = this.#known.get(doc);
    const { text, view } = chunking.text;
    if (
      before &&
      before.opened !== opened &&
      opened?.lost != null &&
      before.view === view &&
      before.statements === doc.statements &&
      before.statements.length > 0
    ) {
      const kept = moved(before.statements, view, before.text, text);
      this.#known.delete(doc);
      if (before.text !== text) {
        this.put(doc, kept);
        if (kept.length < before.statements.length) this.#lost(doc, before.statements.length - kept.length);
        return;
      }
    }
    if (
      before
        ? before.statements === doc.statements && before.id === id && before.opened === opened
        : doc.statements.length === 0
    ) {
      if (before) Object.assign(before, { text, view });
      return;
    }
    this.#known.set(doc, { statements: doc.statements, opened, id, text, view });
    const statements = doc.statements
      .filter(({ grounded }) => grounded)
      .map(({ view, start, end, text, title = false }) => ({ view, start, end, text, title }));
    void this.#engine.call('written', { doc: id, statements }).catch(() => this.#known.delete(doc)); // a new engine receives them again
  }
}
