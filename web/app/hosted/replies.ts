// Caches replies of chat models that were paid for in this visit, and passes them to the
// worker that plans the requests. Does not use the DOM.

import { HOSTED, type HostedModel, type ModelReply, type WantedReply } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';

/** The engine sends requests, and the PDF worker plans them. */
export interface ReplyPlaces {
  engine: EngineClient;
  pdf: PdfClient;
  /** Connects the engine, because a new one has no connection. */
  connect: () => Promise<void>;
}

/** Items in one call. */
const BATCH = 40;
/** The most concurrent requests, as in the command line. */
const AT_A_TIME = 4;
/** How long concurrent requests may go on after one has failed, because they are paid for. */
const GRACE_MS = 4000;
/** An unused worker is ended after a while, and a model may take longer to answer. */
const AWAKE_MS = 5000;
/**
 * This many refusals in a row end all requests, because then the key or the model is at
 * fault: at the start, and later.
 */
const FIRST_REFUSED = 3;
const REFUSED_IN_ROW = 8;

export class Replies {
  readonly #engine: EngineClient;
  /** By the keys of the requests. */
  readonly #known = new Map<string, ModelReply>();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Whether a request has succeeded. */
  #taken = false;
  /** The replies refused since then, by key. */
  readonly #refused = new Map<string, ModelReply>();
  readonly #takenBack = new WeakSet<ModelReply>();

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  get(key: string): ModelReply | undefined {
    return this.#known.get(key);
  }

  /** Sends a request. Equal requests are sent once. */
  ask({ key, model, messages, temperature, json }: WantedReply, signal: AbortSignal): Promise<void> {
    const other = this.#underWay.get(key);
    if (other) return other;
    const way = this.#engine
      .call(
        'chat',
        { model: HOSTED + model, messages, temperature: temperature ?? null, ...(json && { json }) },
        { signal },
      )
      .then(
        ({ result: { unusable, ...reply } }) => {
          this.#known.set(key, unusable ? { ...reply, unusable } : reply);
          this.#taken = true;
          this.#refused.clear();
        },
        (cause) => this.#refuse(key, SeamError.from(cause)),
      )
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, way);
    return way;
  }

  /**
   * Records a refused request. A request that is too long, or refused for its content, such
   * as by a filter, counts as an unusable reply and affects its own item only. After
   * several refusals in a row, the error is thrown like any other.
   */
  #refuse(key: string, error: SeamError): void {
    if (error.code !== 'too-large' && error.code !== 'refused') throw error;
    const reply = { text: '', finish: 'error', tokens: 0, tokensOut: 0, unusable: error.message };
    this.#known.set(key, reply);
    if (error.code === 'too-large') return;
    this.#refused.set(key, reply);
    if (this.#refused.size < (this.#taken ? REFUSED_IN_ROW : FIRST_REFUSED)) return;
    for (const [each, refused] of this.#refused) {
      this.#known.delete(each);
      this.#takenBack.add(refused);
    }
    throw error; // also ends concurrent requests
  }

  /** Reports whether a refusal was withdrawn because the key or the model was at fault. */
  isTakenBack(reply: ModelReply): boolean {
    return this.#takenBack.has(reply);
  }
}

/**
 * An item that a worker advances step by step. From the replies so far it returns the
 * `next` request, or null with the result.
 */
export interface Stepped<Item extends { replies: ModelReply[] }, State extends { next: WantedReply | null }> {
  item: Item;
  state: State | null;
}

export const isDone = ({ state }: { state: { next: WantedReply | null } | null }): boolean =>
  state !== null && state.next === null;

export class Steps<Item extends { replies: ModelReply[] }, State extends { next: WantedReply | null }> {
  readonly #replies: Replies;
  readonly #step: (items: Item[], signal: AbortSignal) => Promise<State[]>;

  /** `step` calls the worker. */
  constructor(replies: Replies, step: (items: Item[], signal: AbortSignal) => Promise<State[]>) {
    this.#replies = replies;
    this.#step = step;
  }

  /** Advances all items as far as replies are known. Nothing is sent. */
  async look(all: readonly Stepped<Item, State>[], signal: AbortSignal): Promise<void> {
    for (let i = 0; i < all.length; i += BATCH) await this.#look(all.slice(i, i + BATCH), signal);
  }

  async #look(batch: readonly Stepped<Item, State>[], signal: AbortSignal): Promise<void> {
    for (let open = batch.filter((each) => !isDone(each)); open.length > 0; ) {
      const states = await this.#step(
        open.map(({ item }) => item),
        signal,
      );
      open = open.filter((each, i) => {
        each.state = states[i] ?? null;
        const known = each.state?.next && this.#replies.get(each.state.next.key);
        if (known) each.item.replies.push(known);
        return known;
      });
    }
  }

  /** Advances one item to its end, sending the requests it needs, until `goesOn` returns false. */
  async finish(one: Stepped<Item, State>, signal: AbortSignal, goesOn = () => true): Promise<void> {
    while (goesOn()) {
      await this.look([one], signal);
      const next = one.state?.next;
      if (!next) return;
      await this.#replies.ask(next, signal);
    }
  }

  /**
   * Advances all items to their ends, several at a time. Calls back after each. The
   * first failure ends it.
   */
  async ask(
    all: readonly Stepped<Item, State>[],
    signal: AbortSignal,
    pdf: PdfClient,
    told: () => void,
  ): Promise<void> {
    const waiting = all.filter((each) => !isDone(each));
    const stop = new AbortController();
    signal.addEventListener('abort', () => stop.abort());
    let failure: unknown = null;
    const goesOn = () => failure === null && !stop.signal.aborted;
    const work = async () => {
      for (let one = waiting.shift(); one && goesOn(); one = waiting.shift()) {
        try {
          await this.finish(one, stop.signal, goesOn);
          told();
        } catch (cause) {
          failure ??= cause;
          setTimeout(() => stop.abort(), GRACE_MS);
        }
      }
    };
    const awake = setInterval(() => pdf.start(), AWAKE_MS);
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    clearInterval(awake);
    await this.#takeBack(all, signal);
    if (failure !== null && !signal.aborted) throw failure;
  }

  /** Resets items refused because of the key or the model, to ask for them again. */
  async #takeBack(all: readonly Stepped<Item, State>[], signal: AbortSignal): Promise<void> {
    const again = all.filter((each) => {
      const at = each.item.replies.findIndex((reply) => this.#replies.isTakenBack(reply));
      if (at >= 0) each.item.replies.length = at;
      return at >= 0;
    });
    for (const each of again) each.state = null;
    await this.look(again, signal);
  }
}

/** Returns dollars, or null if a price is not known. */
export function costOf({ price, priceOut }: HostedModel, read: number, written: number): number | null {
  return price === null || priceOut === null ? null : (read * price + written * priceOut) / 1e6;
}
