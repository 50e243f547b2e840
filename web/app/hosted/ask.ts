// Sends a question to a hosted chat model and receives its answer piece by piece. The first
// question needs consent, because the question and the passages leave the browser.

import type { Hit } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { REFUSAL, type Place, type Turn } from '../../lib/thread.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import type { AskState, Prompt } from './ask-state.ts';
import { AskChoices, PASSAGES } from './ask-choices.ts';
import { type Chosen, Finder, paramsOf, type Sought } from './finder.ts';
import type { Hosted } from './hosted.ts';
import { remember, remembered, THREAD } from '../ground/remembered.ts';
import { Places } from './places.ts';
import { answeredWhole, type Range, WholeRun } from './whole.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { hosted as words } from '../words/en/hosted.ts';

export class Ask extends AskChoices {
  readonly #engine: EngineClient;
  readonly #finder: Finder;
  readonly #places: Places;
  /** The ID of the thread; empty before its first answer. */
  #thread = remembered(THREAD);
  /** The turn of the state `cut`. */
  #cut: Turn | null = null;
  #consented = false;
  #stop: AbortController | null = null;
  #connecting = Promise.resolve();
  /** Repeats the last question after a failure. */
  #again: () => void = () => undefined;
  /** Whether the proxy has listed its models. */
  connected = false;
  /** The parts searched for in place of the current question; empty means the question itself. */
  parts: readonly string[] = [];
  /** How many passages of lists were left out. */
  lists = 0;
  /** How many earlier turns went with the current question. */
  went = 0;

  constructor(engine: EngineClient, pdf: PdfClient, session: Session, search: Search, hosted: Hosted) {
    super(session, search, hosted);
    this.#engine = engine;
    this.#finder = new Finder(engine, pdf, search);
    this.#places = new Places(session, search);
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
      await this.hosted.connect();
      if (!this.connected || this.state.kind === 'connecting') this.#connected(); // connected by an earlier call
    } catch (cause) {
      this.#set({ kind: 'apart', error: SeamError.from(cause) });
    }
  }

  /** Updates the models. A search without a model, running or done, stays. */
  #connected(): void {
    this.connected = true;
    this.model = this.hosted.chatModels[0]?.name ?? '';
    this.#set(this.state.kind === 'apart' || this.state.kind === 'connecting' ? { kind: 'idle' } : this.state);
  }

  /** Resumes the thread of the last visit. */
  #recall(turns: readonly Turn[]): void {
    if (this.turns.length > 0 || turns.length === 0) return;
    this.turns = turns;
    this.emit('changed', this.state);
  }

  /** Shows a passage in its document, if that is open. */
  follow(place: Place): Promise<void> {
    return this.#places.follow(place);
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
    const { dear } = this.#finder;
    const chosen = this.state.kind === 'consent' && this.state.question === question ? this.state.chosen : null;
    await this.hosted.connect(); // a new engine has no connection
    const params = this.params(question);
    const { range } = this;
    const { result } = await this.#engine.call('ask', {
      ...params,
      ...(range
        ? { docs: [range.doc.id], chunks: [range.from, range.to], history: [] }
        : chosen
          ? paramsOf(chosen, params)
          : dear && { mode: 'keyword' as const }),
      show: true,
    });
    return {
      messages: result.messages ?? [],
      passages: result.passages,
      searched: range !== null || !dear || chosen !== null,
      part: range !== null && result.passages < range.to - range.from,
    };
  }

  /** Asks the model. With `alone`, or without a model, finds the passages and sends nothing. */
  async ask(question: string, alone = false): Promise<void> {
    const wanted = question.trim();
    if (!wanted) return;
    this.stop();
    if (this.state.kind === 'connecting') await this.#connecting;
    if (this.range && this.model && !alone) await this.#seeWhole(wanted, this.range);
    else if (alone || !this.model) await this.#run(wanted, true);
    else if (this.#consented && !this.seesFirst) await this.#run(wanted);
    else await this.#see(wanted);
  }

  /** Sends the question after consent, which also covers later ones. */
  async send(): Promise<void> {
    if (this.state.kind !== 'consent') return;
    const { question, chosen, whole } = this.state;
    if (whole) await this.#runWhole(question, whole);
    if (whole || chosen?.sent.length === 0) return;
    this.#consented = true;
    const gone = chosen?.sent.some((hit) => !this.search.docOf(hit));
    if (gone || (!chosen && this.seesFirst)) await this.#see(question);
    else if (!chosen || (await this.#fits(question, chosen))) await this.#run(question, false, [], chosen);
  }

  /** Reports whether the passages can be sent as they were shown. Otherwise shows those that can. */
  async #fits(question: string, chosen: Chosen): Promise<boolean> {
    const { state } = this;
    try {
      await this.hosted.connect(); // a new engine has no connection
      const fitting = await this.#finder.fitting(this.params(question), chosen);
      if (state !== this.state) return false; // declined or asked anew meanwhile
      if (fitting !== chosen) this.#set({ kind: 'consent', question, chosen: fitting });
      return fitting === chosen;
    } catch {
      return state === this.state; // sending reports the error
    }
  }

  decline(): void {
    if (this.state.kind === 'consent') this.#set({ kind: 'idle' });
  }

  /**
   * Takes a passage out of the question, or puts it back. The passages of later questions
   * are then shown first, too, because they may include it.
   */
  toggle(hit: Hit): void {
    if (this.state.kind !== 'consent' || !this.state.chosen) return;
    this.state.chosen.toggle(hit);
    if (this.state.chosen.sent.length < this.state.chosen.hits.length) this.seesFirst = true;
    else this.emit('changed', this.state);
  }

  retry(): void {
    if (this.state.kind === 'failed' || this.state.kind === 'cut') this.#again();
  }

  /** Takes the answer of a model that read only a part of the passages. */
  accept(): void {
    const { state } = this;
    if (state.kind !== 'cut') return;
    if (this.#cut) this.#took(this.#cut);
    this.#set({ ...state, kind: 'done' });
  }

  stop(): void {
    if (this.state.kind !== 'busy' && this.state.kind !== 'looking') return;
    this.#stop?.abort();
    this.session.engineStopped(null);
    if (this.state.kind === 'looking') this.#set({ kind: 'idle' });
  }

  /** Asks the last question again, and finds its passages without the questions before it. */
  async searchAlone(): Promise<void> {
    if (this.state.kind === 'done') {
      const { question } = this.state;
      await (this.seesFirst ? this.#see(question, [question]) : this.#run(question, false, [question]));
    }
  }

  /**
   * Finds the passages and shows them, or asks for consent without them if the question must
   * be sent to find them. A question without passages is not sent.
   */
  async #see(question: string, parts: readonly string[] = []): Promise<void> {
    const stop = this.#begun();
    this.#again = () => void this.#see(question, parts);
    if (!this.#consented && (this.#finder.dear || this.takesApart)) {
      this.#set({ kind: 'consent', question, chosen: null });
      return;
    }
    this.#set({ kind: 'looking', question });
    try {
      await this.#ready(stop);
      const sought = await this.#seek(question, parts, stop.signal);
      const chosen = await this.#finder.choose(this.params(question), sought, this.session, stop.signal);
      if (stop !== this.#stop || stop.signal.aborted) return;
      if (chosen.hits.length === 0) await this.#run(question, false, [], chosen);
      else this.#set({ kind: 'consent', question, chosen });
    } catch (cause) {
      if (stop === this.#stop && !stop.signal.aborted) this.#fail(question, cause);
    }
  }

  /** Divides the chunks of a range among requests, and asks for consent. */
  async #seeWhole(question: string, range: Range): Promise<void> {
    const stop = this.#begun();
    this.#again = () => void this.#seeWhole(question, range);
    this.#set({ kind: 'looking', question });
    try {
      await this.#ready(stop);
      if (range !== this.range) throw new SeamError('unusable', words.ask.rangeGone); // it was cut again
      const whole = new WholeRun(this.#engine, this.session, range, this.params(question));
      await whole.prepare(stop.signal);
      if (stop === this.#stop && !stop.signal.aborted) this.#set({ kind: 'consent', question, chosen: null, whole });
    } catch (cause) {
      if (stop === this.#stop && !stop.signal.aborted) this.#fail(question, cause);
    }
  }

  /** Sends the requests of a range. An answer of a part is kept, so a later try goes on after it. */
  async #runWhole(question: string, whole: WholeRun): Promise<void> {
    const stop = this.#begun();
    const own = () => stop === this.#stop;
    this.#again = () => void this.#runWhole(question, whole);
    this.went = this.lists = 0;
    this.#set({ kind: 'busy', question });
    try {
      await this.hosted.connect();
      const got = await whole.ask(stop.signal, (n, of) => {
        if (own() && !stop.signal.aborted) this.#set({ kind: 'busy', question, part: { n, of } });
      });
      const places = got.cited.map((hit) => this.#places.of(hit));
      const answer = got.refused ? REFUSAL : got.text;
      if (own()) {
        this.emit('hits', got.cited);
        this.emit('delta', { text: answer, reasoning: false, moved: false });
        remember(THREAD, (this.#thread ||= crypto.randomUUID()));
      }
      this.#took({ question, answer, sent: Math.max(1, places.length), thread: own() ? this.#thread : '', places });
      if (own()) this.#set({ kind: 'done', question, answered: answeredWhole(question, whole, got) });
    } catch (cause) {
      if (own()) this.#fail(question, cause);
    }
  }

  /** Begins a question. Later pieces of the one before are ignored. */
  #begun(): AbortController {
    this.#stop = new AbortController();
    this.parts = [];
    this.emit('cleared', undefined);
    return this.#stop;
  }

  /** Waits until the documents can be searched and the proxy is connected. */
  async #ready({ signal }: AbortController, alone = false): Promise<void> {
    await this.search.whole(signal);
    if (this.search.within.length === 0) throw new SeamError('empty', words.noDocument);
    if (!alone) await this.hosted.connect(); // a new engine has no connection
    for (const doc of this.search.ready) await this.session.refresh(doc);
  }

  #fail(question: string, cause: unknown): void {
    this.#set({ kind: 'failed', question, error: SeamError.from(cause) });
  }

  /** `parts` are searched for in place of the question with those before it. */
  async #run(
    question: string,
    alone = false,
    parts: readonly string[] = [],
    chosen: Chosen | null = null,
  ): Promise<void> {
    const stop = this.#begun();
    this.#again = () => void this.#run(question, alone, parts, chosen);
    this.#set({ kind: 'busy', question });
    try {
      await this.#ready(stop, alone);
      const state = await (alone ? this.#passages(question, stop) : this.#answer(question, stop, parts, chosen));
      if (stop === this.#stop) this.#set(state); // otherwise there is a newer question
    } catch (cause) {
      if (stop === this.#stop) this.#fail(question, cause);
    }
  }

  /** Finds the passages only. Nothing leaves the browser. */
  async #passages(question: string, stop: AbortController): Promise<AskState> {
    const { docs, mode } = this.params(question);
    const { encoder, blobs } = await this.#finder.meant(question, stop.signal);
    const {
      result: { hits },
    } = await this.#engine.call(
      'search',
      { query: question, k: PASSAGES, docs, mode: this.#finder.dear ? 'keyword' : mode, ...encoder },
      { signal: stop.signal, blobs },
    );
    if (stop === this.#stop) {
      this.lists = 0;
      this.emit('hits', hits);
    }
    return { kind: 'passages', question, found: hits.length };
  }

  /** Prepares the search for a question, joined with the one it follows. */
  #seek(question: string, parts: readonly string[], signal: AbortSignal): Promise<Sought> {
    const model = this.hosted.models.find(({ name }) => name === this.model)?.id ?? '';
    const whole = [this.turns.at(-1)?.question, question].filter(Boolean).join(' ');
    return this.#finder.seek(whole, parts, this.takesApart ? model : '', signal);
  }

  async #answer(
    question: string,
    stop: AbortController,
    given: readonly string[],
    chosen: Chosen | null,
  ): Promise<AskState> {
    let answer = '';
    let places: readonly Place[] = [];
    const own = () => stop === this.#stop; // otherwise the thread has gone on without it
    this.went = this.history.kept;
    const sought = chosen?.sought ?? (await this.#seek(question, given, stop.signal));
    if (own()) this.parts = sought.parts;
    const took = (hits: Hit[], lists: number) => {
      places = hits.map((hit) => this.#places.of(hit));
      if (!own()) return;
      this.lists = lists;
      this.emit('hits', hits);
    };
    if (chosen) took(chosen.sent, chosen.lists);
    const { encoder, blobs, parts } = sought;
    const params = this.params(question);
    const wanted = chosen ? paramsOf(chosen, params) : { ...encoder, ...(parts.length > 0 && { parts }) };
    const { result } = await this.#engine.call(
      'ask',
      { ...params, ...wanted },
      {
        signal: stop.signal,
        blobs: chosen ? [] : blobs,
        on: {
          hits: (found) => {
            this.session.lost(found.lost);
            took(found.hits, found.lists);
          },
          delta: (part) => {
            if (part.moved) answer = '';
            if (!part.reasoning) answer += part.text;
            if (own()) this.emit('delta', part);
          },
        },
      },
    );
    if (own()) remember(THREAD, (this.#thread ||= crypto.randomUUID()));
    const turn = { question, answer, sent: result.passages, thread: own() ? this.#thread : '', places };
    const cut = result.whole > 0;
    if (!cut) this.#took(turn);
    else if (own()) this.#cut = turn;
    const { tokens, tokensOut } = result;
    return {
      kind: cut ? 'cut' : 'done',
      question,
      answered: {
        ...result,
        query: chosen?.query ?? result.query,
        tokens: tokens + sought.tokens,
        tokensOut: tokensOut + sought.tokensOut,
      },
    };
  }

  /** Adds a turn to its thread, if that is still the current one, and keeps it. */
  #took(turn: Turn): void {
    this.#cut = null;
    if (turn.thread !== '' && turn.thread === this.#thread) this.turns = [...this.turns, turn];
    this.session.answered(turn);
  }

  #set(state: AskState): void {
    this.state = state;
    this.emit('changed', state);
  }
}
