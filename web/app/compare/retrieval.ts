// Computes how well a search finds the answers to a document's questions among each
// method's chunks.

import type { Chunk, SearchMode } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import { retrieved, spansOf, type Retrieved } from '../../lib/questions.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { measure } from '../ground/timing.ts';

/** Chunks searched for an answer, as many as a search lists, and chunks an answer is given from. */
const LISTED = 20;
export const FIRST = 5;

/** A cut to judge. `of` stays the same object as long as the cut is the same. */
export interface Candidate {
  of: object;
  chunks: readonly Chunk[];
  /** Null for the settings in use. */
  settings: Settings | null;
}

export class Retrieval {
  readonly #engine: EngineClient;
  readonly #session: Session;
  readonly #known = new WeakMap<object, { by: string; found: (Retrieved | null)[] }>();

  constructor(engine: EngineClient, session: Session) {
    this.#engine = engine;
    this.#session = session;
  }

  /** Returns the key of everything besides the chunks that the figures depend on. */
  by(doc: Doc): string {
    return JSON.stringify([doc.questions, this.#mode(doc)]);
  }

  /**
   * Reports whether only words are searched. A comparison sends nothing, so this applies to
   * chunks of a hosted model.
   */
  byWords(doc: Doc): boolean {
    return isHosted(this.#session.choices.embedderOf(doc));
  }

  #mode(doc: Doc): SearchMode {
    return this.byWords(doc) ? 'keyword' : this.#session.choices.preferences.searchMode;
  }

  /** Judges each question; null if its answer is not in the text. */
  async judge(
    doc: Doc,
    { text: { text, view } }: Chunking,
    { of, chunks, settings }: Candidate,
  ): Promise<(Retrieved | null)[]> {
    const by = this.by(doc);
    const known = this.#known.get(of);
    if (known?.by === by) return known.found;
    const start = performance.now();
    const answers = doc.questions.map((question) => spansOf(question, text, view));
    const questions = doc.questions.map(({ question }) => question);
    const {
      result: { hits },
    } = await this.#engine.call('retrieve', { doc: doc.id, settings, questions, k: LISTED, mode: this.#mode(doc) });
    const found = answers.map((answer, i) => {
      const first = (hits[i] ?? []).map((hit) => chunks[hit]).filter((chunk) => chunk !== undefined);
      return answer.length > 0 ? retrieved(answer, first, text, FIRST) : null;
    });
    this.#known.set(of, { by, found });
    measure('retrieve', start);
    return found;
  }
}
