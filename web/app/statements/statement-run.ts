// Has a model split parts of a document into statements, or write a title for each. The
// worker builds the requests (lib/api-judge.ts); prompts, parsing and checks are the same
// as in seam enrich. Does not use the DOM.

import type { EnrichedItem, Enriching, EnrichItem, HostedModel, Statement, View } from '../../lib/api.ts';
import { costOf, isDone, Steps, type Replies, type ReplyPlaces, type Stepped } from '../hosted/replies.ts';

export interface Part {
  view: View;
  start: number;
  end: number;
  text: string;
}

interface Asked extends Stepped<EnrichItem, EnrichedItem> {
  part: Part;
}

export class StatementRun {
  readonly #places: ReplyPlaces;
  readonly #model: HostedModel;
  readonly #steps: Steps<EnrichItem, EnrichedItem>;
  readonly #all: Asked[];

  /** `replies` is shared between runs. */
  constructor(places: ReplyPlaces, model: HostedModel, what: Enriching, replies: Replies, parts: readonly Part[]) {
    this.#places = places;
    this.#model = model;
    this.#steps = new Steps(
      replies,
      async (items, signal) =>
        (await places.pdf.call('enrich', { model: model.id, what, items }, { signal })).result.items,
    );
    this.#all = parts.map((part) => ({ part, item: { text: part.text, replies: [] }, state: null }));
  }

  get total(): number {
    return this.#all.length;
  }

  get done(): number {
    return this.#all.filter(isDone).length;
  }

  /** Returns the statements written so far. */
  get statements(): Statement[] {
    return this.#all.flatMap(({ part: { view, start, end }, state }) =>
      (state?.statements ?? []).map(({ title, ...each }) => ({
        view,
        start,
        end,
        ...each,
        ...(title && { title }),
        made: `model:${this.#model.id}`,
      })),
    );
  }

  /** Returns the parts without statements despite a reply, with the reason. */
  get failed(): { part: Part; warning: string }[] {
    return this.#all.flatMap(({ part, state }) => (state?.warning ? [{ part, warning: state.warning }] : []));
  }

  /**
   * Estimates the remaining requests. Nothing is sent. `dollars` is null if a price is not
   * known.
   */
  async quote(signal: AbortSignal): Promise<{ requests: number; tokens: number; dollars: number | null }> {
    await this.#steps.look(this.#all, signal);
    const wanted = new Map(this.#all.flatMap(({ state }) => (state?.next ? [[state.next.key, state] as const] : [])));
    const sum = (of: 'read' | 'written') => [...wanted.values()].reduce((all, state) => all + state[of], 0);
    return { requests: wanted.size, tokens: sum('read'), dollars: costOf(this.#model, sum('read'), sum('written')) };
  }

  /** Sends the remaining requests. Calls back after each part. The first failure ends it. */
  async ask(signal: AbortSignal, told: () => void): Promise<void> {
    await this.#places.connect();
    await this.#steps.ask(this.#all, signal, this.#places.pdf, told);
  }
}
