// A question to a hosted chat model, and its answer as it comes. The first one
// is asked for consent: the question and the passages leave the browser.

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
import { hosted as words } from '../words/en/hosted.ts';

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
  /** So many passages were found, and no model was asked. */
  | { kind: 'passages'; question: string; found: number }
  | { kind: 'failed'; question: string; error: SeamError };

/** What a model would read, or has read, in its order; `searched` is false where the passages were found by words alone. */
export interface Prompt {
  messages: readonly ChatMessage[];
  passages: number;
  searched: boolean;
}

/** `cleared` begins an answer, `hits` are the passages that it is made of, `delta` its next piece. */
export class Ask extends Emitter<{ changed: AskState; cleared: void; hits: Hit[]; delta: string }> {
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;
  /** What questions were taken apart into in this visit. */
  readonly #replies: Replies;
  readonly #session: Session;
  readonly #search: Search;
  readonly #hosted: Hosted;
  readonly #remembered: string;
  #system: string;
  /** The thread by a name of its own; empty before its first answer. */
  #thread = remembered(THREAD);
  readonly #docs = new WeakMap<Place, Doc>();
  #consented = false;
  #stop: AbortController | null = null;
  #connecting = Promise.resolve();
  /** The last question was for its passages alone. */
  #alone = false;
  state: AskState = { kind: 'apart', error: null };
  /** The proxy has told of its models. */
  connected = false;
  /** The model asked. */
  model = '';
  /** The thread: what was asked since it began, and answered. */
  turns: readonly Turn[] = [];
  /** What was looked for in the place of the question that is shown; empty: itself. */
  parts: readonly string[] = [];
  /** How many of them went with the question that is shown. */
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
      if (!this.connected || this.state.kind === 'connecting') this.#connected(); // by an earlier call
    } catch (cause) {
      this.#set({ kind: 'apart', error: SeamError.from(cause) });
    }
  }

  /** What is looked for, or was found, without a model stays. */
  #connected(): void {
    this.connected = true;
    this.model = this.#hosted.chatModels[0]?.name ?? '';
    this.#set(this.state.kind === 'apart' || this.state.kind === 'connecting' ? { kind: 'idle' } : this.state);
  }

  /** Whether a prompt of the person's own is taken. */
  get open(): boolean {
    return this.#hosted.terms.prompts === 'client';
  }

  /** The prompt of the person's own; empty: the proxy's. */
  get system(): string {
    return this.open ? this.#system : '';
  }

  set system(words: string) {
    this.#system = words.trim() === this.#hosted.terms.system.trim() ? '' : words;
    remember(this.#remembered, this.#system);
    this.emit('changed', this.state);
  }

  /** The model takes questions apart first: one more request for each. */
  get takesApart(): boolean {
    return this.open && remembered(PARTS) !== '';
  }

  set takesApart(on: boolean) {
    remember(PARTS, on ? 'on' : '');
    this.emit('changed', this.state);
  }

  /** What of the thread goes with the next question. */
  get history(): History {
    const { turns, history } = this.#hosted.terms;
    return historyOf(this.turns, { turns, bytes: history });
  }

  /** Goes on with the thread of the last visit. */
  #recall(turns: readonly Turn[]): void {
    if (this.turns.length > 0 || turns.length === 0) return;
    this.turns = turns;
    this.emit('changed', this.state);
  }

  /** Where a hit is, for as long as its document is here. */
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

  /** Shows a passage in its document, if that is here. */
  async follow(place: Place): Promise<void> {
    const doc =
      this.#docs.get(place) ??
      this.#session.docs.find(({ kept }) => place.kept !== '' && kept?.record?.id === place.kept);
    if (doc && this.#session.docs.includes(doc)) await this.#session.reveal({ doc, ...place });
  }

  /** Forgets the thread. */
  begin(): void {
    this.stop();
    this.#stop = null; // what still comes is of the old one
    this.turns = [];
    this.#thread = '';
    remember(THREAD, '');
    this.emit('cleared', undefined);
    this.#set({ kind: 'idle' });
  }

  /** What would be sent with a question; nothing is, so that a query which would be is left to words. */
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

  /** Asks the model; `alone` finds the passages and sends nothing, as where there is no model. */
  async ask(question: string, alone = false): Promise<void> {
    const wanted = question.trim();
    if (!wanted) return;
    this.stop();
    if (this.state.kind === 'connecting') await this.#connecting;
    if (alone || !this.model) await this.#run(wanted, true);
    else if (!this.#consented) this.#set({ kind: 'consent', question: wanted });
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
    if (this.state.kind === 'failed') void this.#run(this.state.question, this.#alone);
  }

  stop(): void {
    if (this.state.kind !== 'busy') return;
    this.#stop?.abort();
    this.#session.engineStopped(null);
  }

  /** Tokens and dollars of one question, by the chunks as they are. */
  estimate(): { passages: number; tokens: number; dollars: number | null } {
    const tokens = this.#search.ready.flatMap(
      ({ chunking }) => chunking?.result.chunks.map((chunk) => chunk.tokens) ?? [],
    );
    const passages = Math.min(PASSAGES, tokens.length);
    const read =
      AROUND +
      this.history.tokens +
      tokensOf(this.system) +
      Math.round(passages * (tokens.length > 0 ? median(tokens) : 0));
    return { passages, tokens: read, dollars: this.cost(read, ANSWER) };
  }

  /** In dollars; null where a price is not known. */
  cost(read: number, written: number): number | null {
    const { price = null, priceOut = null } = this.#hosted.models.find(({ name }) => name === this.model) ?? {};
    return price === null || priceOut === null ? null : (read * price + written * priceOut) / 1e6;
  }

  async #run(question: string, alone = false): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#alone = alone;
    this.parts = [];
    this.emit('cleared', undefined);
    this.#set({ kind: 'busy', question });
    const end = (state: AskState) => {
      if (stop === this.#stop) this.#set(state);
    }; // else there is a newer question
    try {
      if (this.#search.ready.length === 0) throw new SeamError('empty', words.noDocument);
      if (!alone) await this.#hosted.connect(); // a new engine has no connection
      for (const doc of this.#search.ready) await this.#session.refresh(doc);
      end(await (alone ? this.#passages(question, stop) : this.#answer(question, stop)));
    } catch (cause) {
      end({ kind: 'failed', question, error: SeamError.from(cause) });
    }
  }

  /** The passages alone: nothing leaves the browser. */
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

  /** Whether finding passages by their vectors would send the question. */
  get #dear(): boolean {
    return this.#search.ready.some(({ chunking }) => isHosted(chunking?.embedder ?? ''));
  }

  /** The vector of a question, as a call takes it; nothing where words alone are searched, or nobody knows it by its meaning. */
  async #meant(
    question: string,
    signal: AbortSignal,
  ): Promise<{ encoder: { encoder?: string }; blobs: ArrayBuffer[] }> {
    const known = this.#search.mode === 'keyword' ? null : await this.#search.understanding?.vectorOf(question, signal);
    return known ? { encoder: { encoder: known.encoder }, blobs: [known.vector] } : { encoder: {}, blobs: [] };
  }

  /** The vectors of several questions; nothing where one of them has none. */
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

  async #answer(question: string, stop: AbortController): Promise<AskState> {
    let answer = '';
    let places: readonly Place[] = [];
    const own = () => stop === this.#stop; // else the thread goes on without it
    this.went = this.history.kept;
    const whole = [this.turns.at(-1)?.question, question].filter(Boolean).join(' ');
    const { parts, tokens, tokensOut } = this.takesApart
      ? await this.#partsOf(whole, stop.signal)
      : { parts: [], tokens: 0, tokensOut: 0 };
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

  /** The questions that a question is made of, none where the model's answer is no use; and what that took. */
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
    const before = one.item.replies.length; // those were paid for before
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
      docs: this.#search.ready.map(({ id }) => id),
      history: this.history.messages,
      system: this.system,
    };
  }

  #set(state: AskState): void {
    this.state = state;
    this.emit('changed', state);
  }
}
