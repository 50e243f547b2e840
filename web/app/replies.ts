// Answers of chat models that were paid for in this visit. Knows no DOM.

import { HOSTED, type HostedModel, type ModelReply, type WantedReply } from '../lib/api.ts';
import type { EngineClient, PdfClient } from '../lib/workers.ts';

/** Requests under way at most, as on the command line. */
const AT_A_TIME = 4;
/** How long requests under way may go on when another one has failed: they are paid for. */
const GRACE_MS = 4000;
/** A worker that nobody calls for a while is ended, and a model may take longer for an answer. */
const AWAKE_MS = 5000;

export class Replies {
  readonly #engine: EngineClient;
  /** By the keys of the requests. */
  readonly #known = new Map<string, ModelReply>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  get(key: string): ModelReply | undefined {
    return this.#known.get(key);
  }

  /** Asks for one. Equal requests are sent once. */
  ask({ key, model, messages, temperature, json }: WantedReply, signal: AbortSignal): Promise<void> {
    const other = this.#underWay.get(key);
    if (other) return other;
    const way = this.#engine.call('chat', { model: HOSTED + model, messages, temperature: temperature ?? null, ...(json && { json }) }, { signal })
      .then(({ result: { unusable, ...reply } }) => { this.#known.set(key, unusable ? { ...reply, unusable } : reply); })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, way);
    return way;
  }
}

/** Does work for all of `waiting`, some at a time; `goesOn` says whether more may be begun. The first failure ends it. */
export async function severalAtATime<Item>(waiting: Item[], work: (item: Item, signal: AbortSignal, goesOn: () => boolean) => Promise<void>, signal: AbortSignal, pdf: PdfClient): Promise<void> {
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  let failure: unknown = null;
  const goesOn = () => failure === null && !stop.signal.aborted;
  const one = async () => {
    for (let item = waiting.shift(); item !== undefined && goesOn(); item = waiting.shift()) {
      try {
        await work(item, stop.signal, goesOn);
      } catch (cause) {
        failure ??= cause;
        setTimeout(() => stop.abort(), GRACE_MS);
      }
    }
  };
  const awake = setInterval(() => pdf.start(), AWAKE_MS);
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
  clearInterval(awake);
  if (failure !== null && !signal.aborted) throw failure;
}

/** In dollars; null where a price is not known. */
export function costOf({ price, priceOut }: HostedModel, read: number, written: number): number | null {
  return price === null || priceOut === null ? null : (read * price + written * priceOut) / 1e6;
}
