// Has a model on this machine loaded while a question is typed, by sending it one fixed word.
// The user allows it once for each model. Does not use the DOM.

import type { EngineClient } from '../../lib/workers.ts';
import { local } from '../../lib/place.ts';
import { remember, remembered, WARM } from '../ground/remembered.ts';
import type { Hosted } from './hosted.ts';

/** All that is sent. */
export const WORD = 'Hello';
/** Servers keep a model loaded for five minutes. */
const AGAIN_MS = 4 * 60_000;

export class Warmer {
  readonly #engine: EngineClient;
  readonly #hosted: Hosted;
  readonly #sent: (request: string) => void;
  readonly #last = new Map<string, number>();
  #busy = false;

  /** `sent` is called with each request, for the list of requests. */
  constructor(engine: EngineClient, hosted: Hosted, sent: (request: string) => void) {
    this.#engine = engine;
    this.#hosted = hosted;
    this.#sent = sent;
  }

  /** Whether a model can be loaded so: the server of this page is on this machine, and so is the model. */
  can(name: string): boolean {
    const model = this.#hosted.models.find((each) => each.name === name);
    return local && this.#hosted.terms.prompts === 'client' && model?.here === true;
  }

  allows(name: string): boolean {
    return this.#allowed.includes(name);
  }

  allow(name: string, on: boolean): void {
    const others = this.#allowed.filter((each) => each !== name);
    remember(WARM, JSON.stringify(on ? [...others, name] : others));
  }

  get #allowed(): string[] {
    try {
      const all: unknown = JSON.parse(remembered(WARM) || '[]');
      return Array.isArray(all) ? all.filter((each) => typeof each === 'string') : [];
    } catch {
      return []; // another program's words
    }
  }

  /** Sends the word, unless that was done lately. `again` sends it anyway: a load was interrupted. */
  warm(name: string, again = false): void {
    const now = performance.now();
    const recent = now - (this.#last.get(name) ?? -AGAIN_MS) < AGAIN_MS;
    if (!this.can(name) || !this.allows(name) || (recent && !again) || this.#busy) return;
    this.#busy = true;
    this.#last.set(name, now);
    this.#sent(this.#hosted.labelOf(name));
    const message = { role: 'user' as const, content: WORD };
    void this.#engine
      .call('chat', { model: name, messages: [message], temperature: null, maxTokens: 1 })
      .catch(() => this.#last.delete(name)) // the question itself reports the error
      .finally(() => {
        this.#busy = false;
      });
  }
}
