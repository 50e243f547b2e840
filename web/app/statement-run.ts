// Has a model take parts of a document apart into statements, or write a title for each. The worker says what is to be
// asked (lib/api-judge.ts): prompts, reading and checking are those of seam enrich.
// Knows no DOM.

import type { EnrichedItem, Enriching, EnrichItem, HostedModel, Statement, View } from '../lib/api.ts';
import type { EngineClient, PdfClient } from '../lib/workers.ts';
import { costOf, severalAtATime, type Replies } from './replies.ts';

/** Items that are looked at in one call. */
const BATCH = 40;

export interface Part {
  view: View;
  start: number;
  end: number;
  text: string;
}

export interface StatementPlaces {
  engine: EngineClient;
  pdf: PdfClient;
  /** A new engine has no connection. */
  connect: () => Promise<void>;
}

interface Asked {
  part: Part;
  item: EnrichItem;
  state: EnrichedItem | null;
}

export class StatementRun {
  readonly #places: StatementPlaces;
  readonly #model: HostedModel;
  readonly #what: Enriching;
  readonly #replies: Replies;
  readonly #all: Asked[];

  /** `replies` are kept from run to run. */
  constructor(places: StatementPlaces, model: HostedModel, what: Enriching, replies: Replies, parts: readonly Part[]) {
    this.#places = places;
    this.#model = model;
    this.#what = what;
    this.#replies = replies;
    this.#all = parts.map((part) => ({ part, item: { text: part.text, replies: [] }, state: null }));
  }

  get total(): number {
    return this.#all.length;
  }

  get done(): number {
    return this.#all.filter(isDone).length;
  }

  /** What was written so far. */
  get statements(): Statement[] {
    return this.#all.flatMap(({ part: { view, start, end }, state }) =>
      (state?.statements ?? []).map(({ title, ...each }) => ({ view, start, end, ...each, ...(title && { title }), made: `model:${this.#model.id}` })));
  }

  /** Parts of which nothing was written though the model has answered, with the reason. */
  get failed(): { part: Part; warning: string }[] {
    return this.#all.flatMap(({ part, state }) => (state?.warning ? [{ part, warning: state.warning }] : []));
  }

  /** What is still to be sent, about; nothing is. `dollars` null: a price is not known. */
  async quote(signal: AbortSignal): Promise<{ requests: number; tokens: number; dollars: number | null }> {
    for (let i = 0; i < this.#all.length; i += BATCH) await this.#look(this.#all.slice(i, i + BATCH), signal);
    const wanted = new Map(this.#all.flatMap(({ state }) => (state?.next ? [[state.next.key, state] as const] : [])));
    const sum = (of: 'read' | 'written') => [...wanted.values()].reduce((all, state) => all + state[of], 0);
    return { requests: wanted.size, tokens: sum('read'), dollars: costOf(this.#model, sum('read'), sum('written')) };
  }

  /** Asks the model for what is missing; `told` is called after each part. The first failure ends it. */
  async ask(signal: AbortSignal, told: () => void): Promise<void> {
    await this.#places.connect();
    await severalAtATime(this.#all.filter((asked) => !isDone(asked)), async (asked, stop, goesOn) => {
      while (goesOn()) {
        await this.#look([asked], stop);
        const next = asked.state?.next;
        if (!next) break;
        await this.#replies.ask(next, stop);
      }
      told();
    }, signal, this.#places.pdf);
  }

  /** Takes items on as far as replies are known. */
  async #look(items: readonly Asked[], signal: AbortSignal): Promise<void> {
    for (let open = items.filter((asked) => !isDone(asked)); open.length > 0;) {
      const { result: { items: states } } = await this.#places.pdf.call('enrich', { model: this.#model.id, what: this.#what, items: open.map(({ item }) => item) }, { signal });
      open = open.filter((asked, i) => {
        asked.state = states[i] ?? null;
        const known = asked.state?.next && this.#replies.get(asked.state.next.key);
        if (known) asked.item.replies.push(known);
        return known;
      });
    }
  }
}

const isDone = ({ state }: Asked): boolean => state !== null && state.next === null;
