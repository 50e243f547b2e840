// How the next question is asked: the model, the thread before it, and the user's choices. Most
// choices are remembered.

import type { AskEvents, Hit } from '../../lib/api.ts';
import { historyOf, tokensOf, type History, type Turn } from '../../lib/thread.ts';
import { Emitter } from '../ground/emitter.ts';
import { PARTS, remember, remembered, SEES, UNNAMED } from '../ground/remembered.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { numberOf } from '../session/shelf.ts';
import type { AskState } from './ask-state.ts';
import { sizeOf, usualSize } from './estimate.ts';
import type { Chosen } from './finder.ts';
import type { Hosted } from './hosted.ts';
import type { Range } from './whole.ts';

/** Passages sent with a question. */
export const PASSAGES = 6;
/** Tokens of a typical answer, and of the prompt around the passages. */
const ANSWER = 250;
const AROUND = 150;
/** Tokens of the line above a passage. */
const SOURCE = 20;

type Events = {
  changed: AskState;
  /** Begins an answer. */
  cleared: void;
  /** Its passages. */
  hits: Hit[];
  /** Its next piece, or one of the reasoning. */
  delta: AskEvents['delta'];
};

export class AskChoices extends Emitter<Events> {
  protected readonly session: Session;
  protected readonly search: Search;
  protected readonly hosted: Hosted;
  readonly #remembered: string;
  #system: string;
  state: AskState = { kind: 'apart', error: null };
  /** The model to ask. */
  model = '';
  /** The questions and answers of the thread. */
  turns: readonly Turn[] = [];
  /** The chunks to read for the next question; null for the best passages. */
  range: Range | null = null;

  constructor(session: Session, search: Search, hosted: Hosted) {
    super();
    this.session = session;
    this.search = search;
    this.hosted = hosted;
    this.#remembered = `seam.prompt ${hosted.proxy}`;
    this.#system = remembered(this.#remembered);
  }

  /** Whether the proxy accepts a prompt of the user's. */
  get open(): boolean {
    return this.hosted.terms.prompts === 'client';
  }

  /** The user's prompt; empty means the proxy's. */
  get system(): string {
    return this.open ? this.#system : '';
  }

  set system(words: string) {
    this.#system = words.trim() === this.hosted.terms.system.trim() ? '' : words;
    remember(this.#remembered, this.#system);
    this.emit('changed', this.state);
  }

  /** Whether the model splits questions into parts first, which takes one more request for each. */
  get takesApart(): boolean {
    return this.open && remembered(PARTS) !== '';
  }

  set takesApart(on: boolean) {
    remember(PARTS, on ? 'on' : '');
    this.emit('changed', this.state);
  }

  /** Whether passages are shown before they are sent, for each question and not only for the first. */
  get seesFirst(): boolean {
    return remembered(SEES) !== '';
  }

  set seesFirst(on: boolean) {
    remember(SEES, on ? 'on' : '');
    this.emit('changed', this.state);
  }

  /** Whether a line above each passage says where it comes from. Names may be private. */
  get named(): boolean {
    return remembered(UNNAMED) === '';
  }

  set named(on: boolean) {
    remember(UNNAMED, on ? '' : 'on');
    this.emit('changed', this.state);
  }

  /** Returns the turns that go with the next question. */
  get history(): History {
    const { turns, history } = this.hosted.terms;
    return historyOf(this.turns, { turns, bytes: history });
  }

  /**
   * Estimates the tokens and dollars of one question, from its passages if they are known,
   * otherwise from the current chunks. Passages of documents that are not open then count as
   * if they had the usual length.
   */
  estimate(chosen: Chosen | null = null): { passages: number; tokens: number; dollars: number | null } {
    const { passages, tokens } = chosen ? sizeOf(chosen, this.search) : usualSize(PASSAGES, this.search, this.session);
    const named = this.named ? (chosen ? tokensOf(chosen.sources.join('')) : passages * SOURCE) : 0;
    const read = AROUND + this.history.tokens + tokensOf(this.system) + tokens + named;
    return { passages, tokens: read, dollars: this.cost(read, ANSWER) };
  }

  /** Returns dollars, or null if a price is not known. */
  cost(read: number, written: number): number | null {
    const { price = null, priceOut = null } = this.hosted.models.find(({ name }) => name === this.model) ?? {};
    return price === null || priceOut === null ? null : (read * price + written * priceOut) / 1e6;
  }

  params(question: string) {
    return {
      question,
      model: this.model,
      k: PASSAGES,
      mode: this.search.mode,
      docs: this.search.scope.map(numberOf),
      history: this.history.messages,
      system: this.system,
      ...(!this.named && { unnamed: true }),
    };
  }
}
