// Sends a question to a hosted chat model and receives its answer piece by piece. The first
// question needs consent, because the question and the passages leave the browser.

import type { Answered, ChatMessage, EnrichedItem, EnrichItem, Hit } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { focusOf } from '../../lib/snippet.ts';
import { historyOf, tokensOf, type History, type Place, type Turn } from '../../lib/thread.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import type { Doc } from '../session/doc.ts';
import { Emitter } from '../ground/emitter.ts';
import type { Hosted } from './hosted.ts';
import { median } from '../../lib/histogram.ts';
import { PARTS, remember, remembered, THREAD } from '../ground/remembered.ts';
import { Replies, Steps, type Stepped } from './replies.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { numberOf } from '../session/shelf.ts';
import { hosted as words } from '../words/en/hosted.ts';

/** Passages sent with a question. */
const PASSAGES = 6;
/** Tokens of a typical answer, and of the prompt around the passages. */
const ANSWER = 250;
const AROUND = 150;
/** Tokens of a usual passage, if none is open. */
const USUAL = 250;

export type AskState =
  /** The proxy has not been asked for its models. */
  | { kind: 'apart'; error: SeamError | null }
  | { kind: 'connecting' }
  | { kind: 'idle' }
  | { kind: 'consent'; question: string }
  | { kind: 'busy'; question: string }
  | { kind: 'done'; question: string; answered: Answered }
  /** The number of passages found; no model was asked. */
  | { kind: 'passages'; question: string; found: number }
  | { kind: 'failed'; question: string; error: SeamError };

/**
 * The messages for a model, in order. `searched` is false if the passages were found by
 * words alone.
 */
export interface Prompt {
  messages: readonly ChatMessage[];
  passages: number;
  searched: boolean;
}

/** `cleared` begins an answer, `hits` has its passages, and `delta` its next piece. */
export class Ask extends Emitter<{ changed: AskState; cleared: void; hits: Hit[]; delta: string }> {
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;
  /** The model's replies in this visit that split questions into parts. */
  readonly #replies: Replies;
  readonly #session: Session;
  readonly #search: Search;
  readonly #hosted: Hosted;
  readonly #remembered: string;
  #system: string;
  /** The ID of the thread; empty before its first answer. */
  #thread = remembered(THREAD);
  readonly #docs = new WeakMap<Place, Doc>();
  #consented = false;
  #stop: AbortController | null = null;
  #connecting = Promise.resolve();
  /** Whether the last question asked for its passages alone. */
  #alone = false;
  state: AskState = { kind: 'apart', error: null };
  /** Whether the proxy has listed its models. */
  connected = false;
  /** The model to ask. */
  model = '';
  /** The questions and answers of the thread. */
  turns: readonly Turn[] = [];
  /** The parts searched for in place of the current question; empty means the question itself. */
  parts: readonly string[] = [];
  /** How many earlier turns went with the current question. */
  went = 0;

  constructor(engine: EngineClient, pdf: PdfClient, session: Session, search: Search, hosted: Hosted) {
    super();
    this.#engine = engine;
    this.#pdf = pdf;
    this.#replies = new Replies(engine);
    this.#session = session;
    this.#search = search;
    this.#hosted = hosted;
    this.#remembered = `seam.prompt ${hosted.proxy}`;
    this.#system = remembered(this.#remembered);
    search.on('thread', (turns) => this.#recall(turns));
    this.#recall(search.thread);
    session.on('hosted', () => {
      if (hosted.models.length > 0 && !this.connected) this.#connected();
    });
  }

  connect(): Promise<void> {
    return (this.#connecting = this.#connect());
  }

  async #connect(): Promise<void> {
    this.#set({ kind: 'connecting' });
    try {
      await this.#hosted.connect();
      if (!this.connected || this.state.kind === 'connecting') this.#connected(); // connected by an earlier call
    } catch (cause) {
      this.#set({ kind: 'apart', error: SeamError.from(cause) });
    }
  }

  /** Updates the models. A search without a model, running or done, stays. */
  #connected(): void {
    this.connected = true;
    this.model = this.#hosted.chatModels[0]?.name ?? '';
    this.#set(this.state.kind === 'apart' || this.state.kind === 'connecting' ? { kind: 'idle' } : this.state);
  }

  /** Whether the proxy accepts a prompt of the user's. */
  get open(): boolean {
    return this.#hosted.terms.prompts === 'client';
  }

  /** The user's prompt; empty means the proxy's. */
  get system(): string {
    return this.open ? this.#system : '';
  }

  set system(words: string) {
    this.#system = words.trim() === this.#hosted.terms.system.trim() ? '' : words;
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

  /** Returns the turns that go with the next question. */
  get history(): History {
    const { turns, history } = this.#hosted.terms;
    return historyOf(this.turns, { turns, bytes: history });
  }

  /** Resumes the thread of the last visit. */
  #recall(turns: readonly Turn[]): void {
    if (this.turns.length > 0 || turns.length === 0) return;
    this.turns = turns;
    this.emit('changed', this.state);
  }

  /** Returns the place of a hit and remembers its document. */
  #placeOf(hit: Hit): Place {
    const doc = this.#search.docOf(hit);
    const { name, start, end, marks, passage } = hit;
    const place = {
      kept: doc?.kept?.record?.id ?? '',
      name,
      page: this.#search.pageOf(hit),
      start,
      end,
      marks,
      passage,
      focus: focusOf(hit),
    };
    if (doc) this.#docs.set(place, doc);
    return place;
  }

  /** Shows a passage in its document, if that is open. */
  async follow(place: Place): Promise<void> {
    const doc =
      this.#docs.get(place) ??
      this.#session.docs.find(({ kept }) => place.kept !== '' && kept?.record?.id === place.kept);
    if (doc && this.#session.docs.includes(doc)) await this.#session.reveal({ doc, ...place });
  }

  /** Starts a new thread. */
  begin(): void {
    this.stop();
    this.#stop = null; // later pieces belong to the old thread
    this.turns = [];
    this.#thread = '';
    remember(THREAD, '');
    this.emit('cleared', undefined);
    this.#set({ kind: 'idle' });
  }

  /**
   * Returns the messages for a question. Nothing is sent: if the search would send the
   * question, it uses words alone.
   */
  async show(question: string): Promise<Prompt> {
    const dear = this.#dear;
    await this.#hosted.connect(); // a new engine has no connection
    const { result } = await this.#engine.call('ask', {
      ...this.#params(question),
      ...(dear && { mode: 'keyword' as const }),
      show: true,
    });
    return { messages: result.messages ?? [], passages: result.passages, searched: !dear };
  }

  /** Asks the model. With `alone`, or without a model, finds the passages and sends nothing. */
  async ask(question: string, alone = false): Promise<void> {
    const wanted = question.trim();
    if (!wanted) return;
    this.stop();
    if (this.state.kind === 'connecting') await this.#connecting;
    if (alone || !this.model) await this.#run(wanted, true);
    else if (!this.#consented) this.#set({ kind: 'consent', question: wanted });
    else await this.#run(wanted);
  }

  /** Sends the question after consent, which also covers later ones. */
  async send(): Promise<void> {
    if (this.state.kind !== 'consent') return;
    this.#consented = true;
    await this.#run(this.state.question);
  }

  decline(): void {
    if (this.state.kind === 'consent') this.#set({ kind: 'idle' });
  }

  retry(): void {
    if (this.state.kind === 'failed') void this.#run(this.state.question, this.#alone);
  }

  stop(): void {
    if (this.state.kind !== 'busy') return;
    this.#stop?.abort();
    this.#session.engineStopped(null);
  }

  /**
   * Estimates the tokens and dollars of one question from the current chunks. Passages of
   * documents that are not open count as if they had the usual length.
   */
  estimate(): { passages: number; tokens: number; dollars: number | null } {
    const tokens = this.#search.ready.flatMap(
      ({ chunking }) => chunking?.result.chunks.map((chunk) => chunk.tokens) ?? [],
    );
    const closed = this.#session.docs.reduce(
      (sum, { state, kept }) =>
        sum + (state === 'ready' || state === 'failed' || state === 'locked' ? 0 : (kept?.record?.chunks ?? 0)),
      0,
    );
    const passages = Math.min(PASSAGES, tokens.length + closed);
    const read =
      AROUND +
      this.history.tokens +
      tokensOf(this.system) +
      Math.round(passages * (tokens.length > 0 ? median(tokens) : closed > 0 ? USUAL : 0));
    return { passages, tokens: read, dollars: this.cost(read, ANSWER) };
  }

  /** Returns dollars, or null if a price is not known. */
  cost(read: number, written: number): number | null {
    const { price = null, priceOut = null } = this.#hosted.models.find(({ name }) => name === this.model) ?? {};
    return price === null || priceOut === null ? null : (read * price + written * priceOut) / 1e6;
  }

  /** Asks the last question again, and finds its passages without the questions before it. */
  async searchAlone(): Promise<void> {
    if (this.state.kind === 'done') await this.#run(this.state.question, false, [this.state.question]);
  }

  /** `parts` are searched for in place of the question with those before it. */
  async #run(question: string, alone = false, parts: readonly string[] = []): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#alone = alone;
    this.parts = [];
    this.emit('cleared', undefined);
    this.#set({ kind: 'busy', question });
    const end = (state: AskState) => {
      if (stop === this.#stop) this.#set(state);
    }; // otherwise there is a newer question
    try {
      await this.#search.whole(stop.signal);
      if (this.#search.within.length === 0) throw new SeamError('empty', words.noDocument);
      if (!alone) await this.#hosted.connect(); // a new engine has no connection
      for (const doc of this.#search.ready) await this.#session.refresh(doc);
      end(await (alone ? this.#passages(question, stop) : this.#answer(question, stop, parts)));
    } catch (cause) {
      end({ kind: 'failed', question, error: SeamError.from(cause) });
    }
  }

  /** Finds the passages only. Nothing leaves the browser. */
  async #passages(question: string, stop: AbortController): Promise<AskState> {
    const { docs, mode } = this.#params(question);
    const { encoder, blobs } = await this.#meant(question, stop.signal);
    const {
      result: { hits },
    } = await this.#engine.call(
      'search',
      { query: question, k: PASSAGES, docs, mode: this.#dear ? 'keyword' : mode, ...encoder },
      { signal: stop.signal, blobs },
    );
    if (stop === this.#stop) this.emit('hits', hits);
    return { kind: 'passages', question, found: hits.length };
  }

  /** Whether a vector search for passages would send the question. */
  get #dear(): boolean {
    return this.#search.ready.some(({ chunking }) => isHosted(chunking?.embedder ?? ''));
  }

  /**
   * Returns the vector of a question as parameters of a call. Returns nothing if only words
   * are searched or there is no vector.
   */
  async #meant(
    question: string,
    signal: AbortSignal,
  ): Promise<{ encoder: { encoder?: string }; blobs: ArrayBuffer[] }> {
    const known = this.#search.mode === 'keyword' ? null : await this.#search.understanding?.vectorOf(question, signal);
    return known ? { encoder: { encoder: known.encoder }, blobs: [known.vector] } : { encoder: {}, blobs: [] };
  }

  /** Returns the vectors of several questions, or nothing if one has none. */
  async #allMeant(
    questions: readonly string[],
    signal: AbortSignal,
  ): Promise<{ encoder: { encoder?: string }; blobs: ArrayBuffer[] }> {
    const all = [];
    for (const each of questions) all.push(await this.#meant(each, signal));
    const [first] = all;
    return first && all.every(({ blobs }) => blobs.length > 0)
      ? { encoder: first.encoder, blobs: all.flatMap(({ blobs }) => blobs) }
      : { encoder: {}, blobs: [] };
  }

  async #answer(question: string, stop: AbortController, given: readonly string[]): Promise<AskState> {
    let answer = '';
    let places: readonly Place[] = [];
    const own = () => stop === this.#stop; // otherwise the thread has gone on without it
    this.went = this.history.kept;
    const whole = [this.turns.at(-1)?.question, question].filter(Boolean).join(' ');
    const { parts, tokens, tokensOut } =
      given.length > 0 || !this.takesApart
        ? { parts: [...given], tokens: 0, tokensOut: 0 }
        : await this.#partsOf(whole, stop.signal);
    if (own()) this.parts = parts;
    const { encoder, blobs } = await this.#allMeant(parts.length > 0 ? parts : [whole], stop.signal);
    const { result } = await this.#engine.call(
      'ask',
      { ...this.#params(question), ...encoder, ...(parts.length > 0 && { parts }) },
      {
        signal: stop.signal,
        blobs,
        on: {
          hits: (found) => {
            this.#session.lost(found.lost);
            places = found.hits.map((hit) => this.#placeOf(hit));
            if (own()) this.emit('hits', found.hits);
          },
          delta: ({ text }) => {
            answer += text;
            if (own()) this.emit('delta', text);
          },
        },
      },
    );
    if (own()) remember(THREAD, (this.#thread ||= crypto.randomUUID()));
    const turn = { question, answer, sent: result.passages, thread: own() ? this.#thread : '', places };
    if (own()) this.turns = [...this.turns, turn];
    this.#session.answered(turn);
    return {
      kind: 'done',
      question,
      answered: { ...result, tokens: result.tokens + tokens, tokensOut: result.tokensOut + tokensOut },
    };
  }

  /**
   * Splits a question into parts, and counts the tokens used. There are no parts if the
   * model's reply is unusable.
   */
  async #partsOf(
    question: string,
    signal: AbortSignal,
  ): Promise<{ parts: string[]; tokens: number; tokensOut: number }> {
    const model = this.#hosted.models.find(({ name }) => name === this.model)?.id ?? '';
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

  #params(question: string) {
    return {
      question,
      model: this.model,
      k: PASSAGES,
      mode: this.#search.mode,
      docs: this.#search.within.map(numberOf),
      history: this.history.messages,
      system: this.system,
    };
  }

  #set(state: AskState): void {
    this.state = state;
    this.emit('changed', state);
  }
}
