// Prepares the search for the passages of a question: its parts, which a model names if the
// user wants that, and its vectors. Does not use the DOM.

import type { AskParams, EnrichedItem, EnrichItem, Hit } from '../../lib/api.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { Replies, Steps, type Stepped } from './replies.ts';

export interface Vectors {
  encoder: { encoder?: string };
  blobs: ArrayBuffer[];
}

/** The texts to search for. */
export interface Sought extends Vectors {
  /** Searched for in place of the question; empty means the question itself. */
  parts: readonly string[];
  /** The tokens that naming the parts took. */
  tokens: number;
  tokensOut: number;
}

/** The passages found for a question before it is sent. Those taken out are not sent. */
export class Chosen {
  readonly hits: readonly Hit[];
  /** The text searched for. */
  readonly query: string;
  readonly sought: Sought;
  /** The part to send of the only passage, if the whole is too long; otherwise empty. */
  readonly shortened: string;
  /** Passages of lists that the question does not name. */
  readonly lists: number;
  readonly #out = new Set<Hit>();

  constructor(hits: readonly Hit[], query: string, sought: Sought, shortened: string, lists: number) {
    this.hits = hits;
    this.query = query;
    this.sought = sought;
    this.shortened = shortened;
    this.lists = lists;
  }

  /** Returns the passages to send, in the order of the answer's citations from 1. */
  get sent(): Hit[] {
    return this.hits.filter((hit) => !this.#out.has(hit));
  }

  /** Returns the text of a passage as it is sent. */
  textOf(hit: Hit): string {
    return this.shortened || (hit.sent ?? hit.text);
  }

  /** Returns the texts to send. */
  get texts(): string[] {
    return this.sent.map((hit) => this.textOf(hit));
  }

  /** Returns the lines to send above the texts. */
  get sources(): string[] {
    return this.sent.map((hit) => hit.source ?? '');
  }

  /** Takes a passage out, or puts it back. */
  toggle(hit: Hit): void {
    if (!this.#out.delete(hit)) this.#out.add(hit);
  }
}

/** Returns the chosen passages as parameters of a question, with the lines above them if it sends any. */
export const paramsOf = ({ texts, sources }: Chosen, { unnamed }: AskParams) => ({
  passages: texts,
  ...(!unnamed && { sources }),
});

export class Finder {
  /** The model's replies in this visit that split questions into parts. */
  readonly #replies: Replies;
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;
  readonly #search: Search;

  constructor(engine: EngineClient, pdf: PdfClient, search: Search) {
    this.#replies = new Replies(engine);
    this.#engine = engine;
    this.#pdf = pdf;
    this.#search = search;
  }

  /** Whether a vector search for passages would send the question. */
  get dear(): boolean {
    const { mode, ready } = this.#search;
    return mode !== 'keyword' && ready.some(({ chunking }) => isHosted(chunking?.embedder ?? ''));
  }

  /** `parts` are searched for in place of the question. Without them, `model` names them if it is given. */
  async seek(question: string, parts: readonly string[], model: string, signal: AbortSignal): Promise<Sought> {
    const named =
      parts.length > 0 || !model ? { parts, tokens: 0, tokensOut: 0 } : await this.#partsOf(question, model, signal);
    return { ...named, ...(await this.#allMeant(named.parts.length > 0 ? named.parts : [question], signal)) };
  }

  /** Finds the passages of a question without sending it to a chat model. */
  async choose(params: AskParams, sought: Sought, session: Session, signal: AbortSignal): Promise<Chosen> {
    const { parts, encoder, blobs } = sought;
    let hits: Hit[] = [];
    let lists = 0;
    const { result } = await this.#engine.call(
      'ask',
      { ...params, ...encoder, ...(parts.length > 0 && { parts }), unnamed: false, show: true },
      {
        signal,
        blobs,
        on: {
          hits: (found) => {
            session.lost(found.lost);
            ({ hits, lists } = found);
          },
        },
      },
    );
    return new Chosen(hits.slice(0, result.passages), result.query, sought, result.shortened, lists); // the proxy accepts no more
  }

  /**
   * Returns the passages again if they still fit in a question as they were shown, otherwise
   * those that fit. The prompt, the thread or the proxy's limits may have changed.
   */
  async fitting(params: AskParams, chosen: Chosen): Promise<Chosen> {
    const { sent, query, sought } = chosen;
    const { result } = await this.#engine.call('ask', { ...params, ...paramsOf(chosen, params), show: true });
    const { passages, shortened } = result;
    if (passages >= sent.length && !shortened) return chosen;
    return new Chosen(sent.slice(0, passages), query, sought, shortened, chosen.lists);
  }

  /**
   * Returns the vector of a question as parameters of a call. Returns nothing if only words
   * are searched or there is no vector.
   */
  async meant(question: string, signal: AbortSignal): Promise<Vectors> {
    const known = this.#search.mode === 'keyword' ? null : await this.#search.understanding?.vectorOf(question, signal);
    return known ? { encoder: { encoder: known.encoder }, blobs: [known.vector] } : { encoder: {}, blobs: [] };
  }

  /** Returns the vectors of several questions, or nothing if one has none. */
  async #allMeant(questions: readonly string[], signal: AbortSignal): Promise<Vectors> {
    const all = [];
    for (const each of questions) all.push(await this.meant(each, signal));
    const [first] = all;
    return first && all.every(({ blobs }) => blobs.length > 0)
      ? { encoder: first.encoder, blobs: all.flatMap(({ blobs }) => blobs) }
      : { encoder: {}, blobs: [] };
  }

  /**
   * Splits a question into parts, and counts the tokens used. There are no parts if the
   * model's reply is unusable.
   */
  async #partsOf(
    question: string,
    model: string,
    signal: AbortSignal,
  ): Promise<{ parts: string[]; tokens: number; tokensOut: number }> {
    const one: Stepped<EnrichItem, EnrichedItem> = { item: { text: question, replies: [] }, state: null };
    const steps = new Steps(
      this.#replies,
      async (items: EnrichItem[], stop) =>
        (await this.#pdf.call('enrich', { model, what: 'parts', items }, { signal: stop })).result.items,
    );
    await steps.look([one], signal);
    const before = one.item.replies.length; // paid for before
    await steps.finish(one, signal);
    const paid = one.item.replies.slice(before);
    const sum = (of: 'tokens' | 'tokensOut') => paid.reduce((all, reply) => all + reply[of], 0);
    return { parts: one.state?.parts ?? [], tokens: sum('tokens'), tokensOut: sum('tokensOut') };
  }
}
