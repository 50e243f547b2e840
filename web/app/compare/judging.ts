// Judges the cuts of the compared methods: by the similarity of their sentences, by the answers that a search finds in
// their chunks, and by both in the verdict at the head.

import type { Cohesion } from '../../lib/api.ts';
import type { Place } from '../../lib/compare.ts';
import { summed } from '../../lib/questions.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { h, setText } from '../ground/dom.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';
import type { CompareRow } from './compare-row.ts';
import type { Cut } from './cuts.ts';
import type { Judged, QuestionList } from './question-list.ts';
import { FIRST, type Retrieval } from './retrieval.ts';
import { answersVerdict, chosen, cutsVerdict, firstsOf, type Verdict } from './verdict.ts';

const words = shown.compare;

/** The comparison as it is now: it may change while it is judged. */
export interface Comparison {
  /** The first is the method in use. */
  readonly rows: readonly CompareRow[];
  /** One for each row, or null while it has none. */
  readonly cuts: readonly (Cut | null)[];
  readonly doc: Doc | null;
  /** The places of the cuts of all methods. */
  readonly places: readonly Place[];
}

export interface JudgingOptions {
  session: Session;
  engine: EngineClient;
  pdf: PdfClient;
  retrieval: Retrieval;
  questions: QuestionList;
  comparison: Comparison;
}

export class Judging {
  readonly #options: JudgingOptions;
  /** Similarities for the cuts with the starts `by`. */
  readonly #alike = new WeakMap<Chunking, { by: string; ways: readonly Cohesion[] }>();
  readonly #verdict = h('h2', { class: 'verdict', hidden: true });
  readonly #rests = h('p', { class: 'rests' });
  /** The key of the questions judged last. */
  #judged = '';
  readonly alikeNote = h('p', { class: 'help', hidden: true }, words.alikeNote);
  readonly element = h('div', { class: 'finding' }, this.#verdict, this.#rests);

  constructor(options: JudgingOptions) {
    this.#options = options;
  }

  /** Whether the questions, or the way to search for them, have changed. */
  get outdated(): boolean {
    return this.#judged !== this.#by;
  }

  get #by(): string {
    const { comparison, retrieval } = this.#options;
    return comparison.doc ? retrieval.by(comparison.doc) : '';
  }

  /** Judges the cuts of a document. It ends without effect when they are superseded. */
  async judge(doc: Doc, chunking: Chunking): Promise<void> {
    await this.#tellAlike(doc, chunking);
    await this.#search(doc, chunking);
  }

  /**
   * Shows the similarity of sentences inside and between each method's chunks, unless that
   * would send text.
   */
  async #tellAlike(doc: Doc, chunking: Chunking): Promise<void> {
    const { comparison, engine } = this.#options;
    const cuts = comparison.cuts.slice();
    const starts = cuts.map((cut) => [...new Set(cut?.starts.map((at) => sentenceAt(chunking.sentences, at)))]);
    const known = this.#alike.get(chunking);
    const by = JSON.stringify(starts);
    const ways =
      known?.by === by
        ? known.ways
        : await engine.call('cohesion', { doc: doc.id, starts }).then(
            ({ result }) => result.ways,
            () => [],
          );
    if (doc.chunking !== chunking || cuts.some((cut, i) => cut !== comparison.cuts[i])) return; // superseded
    this.#alike.set(chunking, { by, ways });
    comparison.rows.forEach((row, i) =>
      row.tellAlike(cuts[i] && ways[i] ? words.alike(ways[i].inside, ways[i].between) : ''),
    );
    this.alikeNote.hidden = ways.length === 0;
  }

  /**
   * Judges one by one how a search finds the answers to the document's questions in each
   * method's chunks.
   */
  async #search(doc: Doc, chunking: Chunking): Promise<void> {
    const { comparison, questions, retrieval, session } = this.#options;
    const by = this.#by;
    this.#judged = by;
    const asked = doc.questions.length > 0;
    const judged: Judged[] = comparison.rows.map((_, i) => ({ letter: words.letters[i] ?? '', found: null }));
    if (!asked) for (const row of comparison.rows) row.tellFound('');
    for (const [i, row] of comparison.rows.entries()) {
      const cut = comparison.cuts[i];
      const found =
        asked && cut
          ? await retrieval
              .judge(doc, chunking, { of: i === 0 ? chunking.result : cut, chunks: cut.chunks, settings: cut.settings })
              .catch(() => null)
          : null; // errors of the engine are shown elsewhere
      if (doc.chunking !== chunking || doc !== session.selected || by !== this.#by) return; // superseded
      const of = judged[i];
      if (!of || row !== comparison.rows[i]) return;
      of.found = found;
      const { found: n, of: all, share } = summed(found?.filter((each) => each !== null) ?? [], FIRST);
      row.tellFound(
        found
          ? [shown.questions.sum(n, all, share, FIRST), retrieval.byWords(doc) ? shown.questions.byWords : '']
              .filter(Boolean)
              .join(' · ')
          : '',
      );
      questions.judge(judged);
    }
    await this.#decide(judged, chunking);
  }

  /** Shows the verdict: by the answers if there are questions, otherwise by the cuts. */
  async #decide(judged: readonly Judged[], chunking: Chunking): Promise<void> {
    const { comparison, pdf } = this.#options;
    const { places, rows } = comparison;
    const firsts = firstsOf(judged);
    const cuts = cutsVerdict(words.letters.slice(0, rows.length), places);
    const choice = firsts && (await chosen(pdf, firsts).catch(() => null));
    if (comparison.doc?.chunking !== chunking || places !== comparison.places) return; // superseded
    this.#tell(firsts && choice ? answersVerdict(firsts, choice, cuts) : { first: cuts, more: '' });
  }

  #tell({ first, more }: Verdict): void {
    this.#verdict.hidden = false;
    setText(this.#verdict, first);
    setText(this.#rests, more);
  }
}
