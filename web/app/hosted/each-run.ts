// Asks questions of each document by itself: finds the passages of each cell, and sends its
// request. Equal requests are sent once, and an answer that came before is not paid for
// again. Does not use the DOM.

import type { AskParams, Hit } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { tokensOf, type Place } from '../../lib/thread.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import type { OwnAnswer } from '../session/own-answers.ts';
import type { Session } from '../session/session.ts';
import { numberOf } from '../session/shelf.ts';
import type { Search } from '../search/search.ts';
import type { Ask } from './ask.ts';
import { PASSAGES } from './ask-choices.ts';
import type { Finder } from './finder.ts';
import type { Hosted } from './hosted.ts';
import { askModel, keyOf, knownAnswer, promptOf, severalAtATime } from './own-asking.ts';
import type { Places } from './places.ts';

/** This many refusals in a row end the run, because the key or the model is at fault: at the start, and later. */
const FIRST_REFUSED = 3;
const REFUSED_IN_ROW = 8;

/** The answer to a question from a document. */
export interface Cell {
  readonly doc: Doc;
  readonly question: string;
  /** The passages found, in the order of the answer's citations. */
  hits: readonly Hit[];
  places: readonly Place[];
  /** Null if no passage has anything of the question. */
  request: AskParams | null;
  /** Identifies the model, its prompt and the passages. */
  key: string;
  /** An estimate of the tokens it reads. */
  tokens: number;
  answer: OwnAnswer | null;
  error: SeamError | null;
}

export interface EachPlaces {
  engine: EngineClient;
  session: Session;
  search: Search;
  ask: Ask;
  models: Hosted;
  finder: Finder;
  places: Places;
}

export class EachRun {
  readonly #places: EachPlaces;
  /** The ID of the model. */
  readonly #model: string;
  readonly questions: readonly string[];
  /** A row for each document, with a cell for each question. */
  readonly rows: readonly { doc: Doc; cells: readonly Cell[] }[];
  #taken = false;
  #refused = 0;

  constructor(places: EachPlaces, model: string, questions: readonly string[]) {
    this.#places = places;
    this.#model = model;
    this.questions = questions;
    this.rows = places.search.scope.map((doc) => ({
      doc,
      cells: questions.map((question) => ({
        doc,
        question,
        hits: [],
        places: [],
        request: null,
        key: '',
        tokens: 0,
        answer: null,
        error: null,
      })),
    }));
  }

  get cells(): Cell[] {
    return this.rows.flatMap(({ cells }) => cells);
  }

  /** Returns a cell for each request that has not been sent. */
  get open(): Cell[] {
    const first = new Map<string, Cell>();
    for (const cell of this.cells) if (cell.request && !cell.answer && !first.has(cell.key)) first.set(cell.key, cell);
    return [...first.values()];
  }

  /** Finds the passages of all cells, and the answers that came before. Nothing is sent. */
  async prepare(signal: AbortSignal, told: (done: number, all: number) => void): Promise<void> {
    const { engine, models, finder } = this.#places;
    await models.connect(); // a new engine has no connection
    const [first] = this.rows;
    const all = this.cells.length;
    let done = 0;
    for (const [i, question] of this.questions.entries()) {
      const vectors = finder.dear ? null : await finder.meant(question, signal);
      const prompt = first ? await promptOf(engine, this.#params(question, first.doc), signal) : '';
      for (const { cells } of this.rows) {
        const cell = cells[i];
        if (cell) await this.#find(cell, prompt, vectors, signal);
        told(++done, all);
      }
    }
  }

  #params(question: string, doc: Doc): AskParams {
    const { ask } = this.#places;
    return {
      question,
      model: this.#model,
      docs: [numberOf(doc)],
      history: [],
      system: ask.system,
      ...(!ask.named && { unnamed: true }),
    };
  }

  async #find(
    cell: Cell,
    prompt: string,
    vectors: Awaited<ReturnType<Finder['meant']>> | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { engine, ask, search, session, places } = this.#places;
    const { doc, question } = cell;
    const params = this.#params(question, doc);
    let hits: readonly Hit[] = [];
    const { result } = await engine.call(
      'ask',
      { ...params, k: PASSAGES, mode: vectors ? search.mode : 'keyword', ...vectors?.encoder, show: true },
      {
        signal,
        blobs: vectors?.blobs ?? [],
        on: {
          hits: (found) => {
            session.lost(found.lost);
            hits = found.hits;
          },
        },
      },
    );
    const texts = hits.map(({ text, source = '' }) => (ask.named ? [source, text] : [text]));
    cell.hits = hits.slice(0, result.passages);
    if (cell.hits.length === 0 || !result.messages) return;
    cell.places = cell.hits.map((hit) => places.of(hit));
    cell.request = {
      ...params,
      passages: cell.hits.map(({ text, sent }) => result.shortened || (sent ?? text)),
      ...(ask.named && { sources: cell.hits.map(({ source }) => source ?? '') }),
    };
    cell.tokens = tokensOf(result.messages.map(({ content }) => content).join('\n'));
    cell.key = await keyOf(this.#model, prompt, texts); // how many fit may change when the context of the model gets known
    cell.answer = knownAnswer(doc, cell.key);
  }

  /** Sends the open requests, several at a time. The first failure of more than one cell ends it. */
  async ask(signal: AbortSignal, told: () => void): Promise<void> {
    await this.#places.models.connect();
    await severalAtATime(this.open, async (cell) => {
      if (signal.aborted) return;
      await this.#send(cell, signal).finally(told);
    });
  }

  async #send(cell: Cell, signal: AbortSignal): Promise<void> {
    const { request, key } = cell;
    if (!request) return;
    const same = this.cells.filter((each) => each.key === key);
    for (const each of same) each.error = null;
    try {
      const answer = await askModel(this.#places.engine, request, key, signal);
      this.#taken = true;
      this.#refused = 0;
      for (const each of same) each.answer = answer;
      // A killed tab then loses no more answers than there are requests at a time.
      for (const { doc } of same) await this.#places.session.keepAnswer(doc, answer);
    } catch (cause) {
      if (signal.aborted) return;
      const error = SeamError.from(cause);
      for (const each of same) each.error = error;
      if (error.code === 'too-large' || error.code === 'unusable') return;
      if (error.code === 'refused' && ++this.#refused < (this.#taken ? REFUSED_IN_ROW : FIRST_REFUSED)) return;
      throw error;
    }
  }
}
