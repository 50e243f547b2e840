// A question to a hosted chat model, and its answer as it comes. The first one
// is asked for consent: the question and the passages leave the browser.

import type { Answered, Hit } from '../lib/api.ts';
import { SeamError } from '../lib/seam-error.ts';
import type { EngineClient } from '../lib/workers.ts';
import { Emitter } from './emitter.ts';
import type { Hosted } from './hosted.ts';
import { median } from '../lib/histogram.ts';
import type { Search } from './search.ts';
import type { Session } from './session.ts';
import { hosted as words } from './strings-hosted.ts';

/** Passages that go with a question. */
const PASSAGES = 6;
/** Tokens of a usual answer, and of what is said around the passages. */
const ANSWER = 250;
const AROUND = 150;

export type AskState =
  /** The proxy has not been asked for its models. */
  | { kind: 'apart'; error: SeamError | null }
  | { kind: 'connecting' }
  | { kind: 'idle' }
  | { kind: 'consent'; question: string }
  | { kind: 'busy'; question: string }
  | { kind: 'done'; question: string; answered: Answered }
  | { kind: 'failed'; question: string; error: SeamError };

/** `cleared` begins an answer, `hits` are the passages that it is made of, `delta` its next piece. */
export class Ask extends Emitter<{ changed: AskState; cleared: void; hits: Hit[]; delta: string }> {
  readonly #engine: EngineClient;
  readonly #session: Session;
  readonly #search: Search;
  readonly #hosted: Hosted;
  #consented = false;
  #stop: AbortController | null = null;
  state: AskState = { kind: 'apart', error: null };
  /** The model asked. */
  model = '';

  constructor(engine: EngineClient, session: Session, search: Search, hosted: Hosted) {
    super();
    this.#engine = engine;
    this.#session = session;
    this.#search = search;
    this.#hosted = hosted;
    session.on('hosted', () => { if (hosted.models.length > 0 && (this.state.kind === 'apart' || this.state.kind === 'connecting')) this.#connected(); });
  }

  async connect(): Promise<void> {
    this.#set({ kind: 'connecting' });
    try {
      await this.#hosted.connect();
      if (this.state.kind === 'connecting') this.#connected(); // by an earlier call
    } catch (cause) {
      this.#set({ kind: 'apart', error: SeamError.from(cause) });
    }
  }

  #connected(): void {
    this.model = this.#hosted.chatModels[0]?.name ?? '';
    this.#set({ kind: 'idle' });
  }

  async ask(question: string): Promise<void> {
    const wanted = question.trim();
    if (!wanted || !this.model) return;
    this.stop();
    if (!this.#consented) this.#set({ kind: 'consent', question: wanted });
    else await this.#run(wanted);
  }

  /** The question may be sent, and those that follow. */
  async send(): Promise<void> {
    if (this.state.kind !== 'consent') return;
    this.#consented = true;
    await this.#run(this.state.question);
  }

  decline(): void {
    if (this.state.kind === 'consent') this.#set({ kind: 'idle' });
  }

  retry(): void {
    if (this.state.kind === 'failed') void this.#run(this.state.question);
  }

  stop(): void {
    if (this.state.kind !== 'busy') return;
    this.#stop?.abort();
    this.#session.engineStopped(null);
  }

  /** Tokens and dollars of one question, by the chunks as they are. */
  estimate(): { passages: number; tokens: number; dollars: number | null } {
    const tokens = this.#search.ready.flatMap(({ chunking }) => chunking?.result.chunks.map((chunk) => chunk.tokens) ?? []);
    const passages = Math.min(PASSAGES, tokens.length);
    const read = AROUND + Math.round(passages * (tokens.length > 0 ? median(tokens) : 0));
    return { passages, tokens: read, dollars: this.cost(read, ANSWER) };
  }

  /** In dollars; null where a price is not known. */
  cost(read: number, written: number): number | null {
    const { price = null, priceOut = null } = this.#hosted.models.find(({ name }) => name === this.model) ?? {};
    return price === null || priceOut === null ? null : (read * price + written * priceOut) / 1e6;
  }

  async #run(question: string): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.emit('cleared', undefined);
    this.#set({ kind: 'busy', question });
    const end = (state: AskState) => { if (stop === this.#stop) this.#set(state); }; // else there is a newer question
    try {
      if (this.#search.ready.length === 0) throw new SeamError('empty', words.noDocument);
      await this.#hosted.connect(); // a new engine has no connection
      for (const doc of this.#search.ready) await this.#session.refresh(doc);
      let answer = '';
      const { result } = await this.#engine.call('ask', {
        question, model: this.model, k: PASSAGES, mode: this.#search.mode, docs: this.#search.ready.map(({ id }) => id),
      }, { signal: stop.signal, on: { hits: ({ hits }) => this.emit('hits', hits), delta: ({ text }) => { answer += text; this.emit('delta', text); } } });
      this.#session.answered(question, answer);
      end({ kind: 'done', question, answered: result });
    } catch (cause) {
      end({ kind: 'failed', question, error: SeamError.from(cause) });
    }
  }

  #set(state: AskState): void {
    this.state = state;
    this.emit('changed', state);
  }
}
