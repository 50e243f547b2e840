// The search and its results. It runs again when chunks change, because its hits are
// chunks.

import type { Found, Hit, SearchMode, SearchParams } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { focusOf } from '../../lib/snippet.ts';
import type { Turn } from '../../lib/thread.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import { Emitter } from '../ground/emitter.ts';
import { needsUser, type Doc } from '../session/doc.ts';
import { isIn, type Part } from '../session/parts.ts';
import type { Session } from '../session/session.ts';
import { isCovered, numberOf } from '../session/shelf.ts';
import { measure } from '../ground/timing.ts';
import { pagesOf } from './hit-pages.ts';
import {
  begunIn,
  type RemoteSearch,
  type SearchEvents,
  type SearchState,
  type Understanding,
  type Vector,
} from './search-state.ts';

export type { RemoteSearch, Vector } from './search-state.ts';

/** The most hits of a search. */
export const HITS = 20;
/** Waits for the slider to rest, because chunks change with each of its steps. */
const SETTLE_MS = 400;
/** The wait while a text is being typed. It is short, but covers a few letters. */
const TYPED_MS = 150;

export class Search extends Emitter<SearchEvents> {
  readonly #engine: EngineClient;
  readonly #session: Session;
  #stop: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #only: ReadonlySet<Doc> | null = null;
  #part: Part | null = null;
  #remote: RemoteSearch | null = null;
  #atRemote = false;
  /** Whether the query was typed, without Enter. It must not be sent anywhere. */
  #onlyTyped = false;
  /** The documents that the last search covered. */
  #covered: ReadonlySet<Doc> = new Set();
  state: SearchState = { kind: 'idle' };
  /** Null while there is none. */
  understanding: Understanding | null = null;
  /** Finds early results while a hosted model is asked, which may take long: see words-first.ts. */
  early: ((params: SearchParams, signal: AbortSignal, found: (early: Found) => void) => void) | null = null;
  /** The questions to a chat model continued from the last visit; empty until they are loaded. */
  thread: readonly Turn[] = [];

  constructor(engine: EngineClient, session: Session) {
    super();
    this.#engine = engine;
    this.#session = session;
    session.on('chunked', () => this.#again());
    for (const event of ['documents', 'settings'] as const) session.on(event, () => this.emit('ready', undefined));
    session.on('tagged', () => {
      if (this.#part?.kind === 'tag') this.#again(0);
    });
    session.on('shelved', () => this.#again(0));
    session.on('removed', (doc) => {
      if (this.#only?.has(doc)) this.#only = new Set([...this.#only].filter((each) => each !== doc));
      this.#again();
    });
  }

  /** The open documents. */
  get ready(): Doc[] {
    return this.#session.docs.filter((doc) => doc.state === 'ready');
  }

  /** The documents that a search covers: the open ones, and those with an index from an earlier visit. */
  get within(): Doc[] {
    return this.#session.docs.filter(isCovered);
  }

  /** The documents to search and to ask: those chosen, or all that a search covers. */
  get scope(): Doc[] {
    return this.only?.filter(isCovered) ?? this.within;
  }

  /**
   * The documents of the list that the last search did not cover: not read or searched so
   * far, or failed or locked.
   */
  get apart(): { reading: number; failed: number } {
    return this.apartOf(this.#session.docs);
  }

  /** The same for some of the documents. */
  apartOf(docs: readonly Doc[]): { reading: number; failed: number } {
    const failed = docs.filter(needsUser).length;
    const covered = docs.filter((doc) => isCovered(doc) && this.#covered.has(doc)).length;
    return { reading: docs.length - failed - covered, failed };
  }

  get #reading(): boolean {
    return this.#session.docs.some((doc) => !isCovered(doc) && !needsUser(doc));
  }

  /** Whether a search may send something and cost money. */
  get dear(): boolean {
    return this.ready.some(({ chunking }) => isHosted(chunking?.embedder ?? ''));
  }

  get mode(): SearchMode {
    return this.#session.choices.preferences.searchMode;
  }

  set mode(searchMode: SearchMode) {
    this.#session.change({ searchMode });
    if (this.state.kind !== 'idle') void this.#run(this.state.query);
  }

  /** The only documents to search, or null for all. If none of them can be searched, all are. */
  get only(): readonly Doc[] | null {
    const part = this.#part;
    const only = part ? this.#session.docs.filter((doc) => isIn(doc, part)) : [...(this.#only ?? [])];
    return only.some(isCovered) ? only : null;
  }

  set only(docs: readonly Doc[] | null) {
    this.#keepTo(docs && new Set(docs), null);
  }

  /** The part of the list that is searched: `only` are its documents at present. */
  get part(): Part | null {
    return this.only ? this.#part : null;
  }

  set part(part: Part | null) {
    this.#keepTo(null, part);
  }

  #keepTo(only: ReadonlySet<Doc> | null, part: Part | null): void {
    this.#leave();
    this.#only = only;
    this.#part = part;
    this.emit('ready', undefined);
    if (this.state.kind !== 'idle') void this.#run(this.state.query);
  }

  get remote(): RemoteSearch | null {
    return this.#remote;
  }

  set remote(remote: RemoteSearch | null) {
    this.#remote = remote;
    if (!remote) this.#leave();
    this.emit('ready', undefined);
  }

  /**
   * Whether the remote collection is searched. That sends the question, so it needs the
   * user's choice.
   */
  get atRemote(): boolean {
    return this.#atRemote;
  }

  searchRemote(): void {
    this.clear();
    this.#atRemote = true;
    this.emit('ready', undefined);
    this.emit('changed', this.state);
  }

  #leave(): void {
    if (!this.#atRemote) return;
    this.#atRemote = false;
    if (this.state.kind !== 'idle') this.clear();
    this.emit('changed', this.state);
  }

  /** Searches on the user's request, and shows the results even if they are the same. */
  async ask(query: string): Promise<void> {
    const wanted = query.trim();
    if (!wanted) {
      this.clear();
      return;
    }
    if (!this.#atRemote) void this.#readKept();
    this.emit('asked', wanted);
    this.#onlyTyped = false;
    await this.#run(wanted);
    if (this.state.kind === 'found') this.emit('answered', this.state.hits.length);
  }

  /**
   * The last word of a query that is still typed and too short to be completed, or ''. Words
   * that begin with it are not found yet.
   */
  get begun(): string {
    return 'query' in this.state && this.#onlyTyped ? begunIn(this.state.query) : '';
  }

  /** Searches while the user types, if that sends nothing and takes little time. */
  typed(query: string): void {
    this.#stopTyping();
    const wanted = query.trim();
    if (wanted.length < 2 || this.#atRemote || this.dear || this.#session.docs.length === 0) return;
    this.#typing = setTimeout(() => {
      this.#typing = undefined;
      this.emit('typed', wanted);
      this.#onlyTyped = true;
      void this.#run(wanted);
    }, TYPED_MS);
  }

  /**
   * Prepares the index before the first search, if that sends nothing, and reads the
   * documents of earlier visits.
   */
  async prepare(): Promise<void> {
    if (this.#atRemote) return;
    await this.#readKept();
    if (this.state.kind !== 'idle' || this.dear || this.within.length === 0) return;
    const start = performance.now();
    await this.#index();
    measure('search-prepared', start);
  }

  /** Reads the documents of earlier visits, and waits until all documents have been read. */
  async whole(signal: AbortSignal): Promise<void> {
    void this.#readKept();
    const stopped = new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), { once: true }));
    while (this.#reading && !signal.aborted) await Promise.race([this.#session.changed(), stopped]);
    if (signal.aborted) throw new SeamError('cancelled', 'stopped');
  }

  /**
   * Has the documents of earlier visits searched. They are opened if the search needs more
   * than their words and the vectors that are kept with them.
   */
  #readKept(): Promise<void> {
    return this.#session.readKept(this.mode === 'dense' || this.understanding?.wanted === true);
  }

  /**
   * Has the engine index the documents. No later key stops that, because the next search
   * needs it too.
   */
  async #index(): Promise<void> {
    if (this.within.length > 0) await this.#engine.call('search', { query: '', k: 0, mode: this.mode }).catch(() => {}); // the search itself reports errors
  }

  clear(): void {
    this.stop();
    clearTimeout(this.#timer);
    this.#stopTyping();
    this.#set({ kind: 'idle' });
  }

  stop(): void {
    if (this.state.kind !== 'busy') return;
    this.#stop?.abort();
    this.#session.engineStopped(null);
  }

  putThread(turns: readonly Turn[]): void {
    this.thread = turns;
    this.emit('thread', turns);
  }

  /** Shows a hit in its document. */
  async follow(hit: Hit): Promise<void> {
    const doc = this.docOf(hit);
    if (!doc) return;
    const { start, end, marks, passage } = hit;
    await this.#session.reveal({ doc, start, end, page: this.pageOf(hit), marks, passage, focus: focusOf(hit) });
  }

  /** Searches by meaning again when more documents have been embedded since the question. */
  understand(): void {
    const { state } = this;
    if (state.kind === 'found' && this.#stop) void this.#understand(state.query, state.asked, this.#stop);
  }

  docOf(hit: Hit): Doc | undefined {
    return this.#withNumber(hit.doc);
  }

  nameOf(id: number): string {
    return this.#withNumber(id)?.name ?? '';
  }

  /** Passages of a remote collection have the number 0. */
  #withNumber(number: number): Doc | undefined {
    return number > 0 ? this.#session.docs.find(({ id, shelf }) => id === number || shelf === number) : undefined;
  }

  /** Returns the pages of a hit as text: see hit-pages.ts. */
  pageOf(hit: Hit): string {
    return pagesOf(hit, this.docOf(hit));
  }

  #stopTyping(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
  }

  /** Repeats the last search, unless the user is typing another query. */
  #again(after = SETTLE_MS): void {
    if (this.state.kind === 'idle' || this.#atRemote) return;
    const { query } = this.state;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#typing) void this.#run(query);
    }, after);
  }

  async #run(query: string): Promise<void> {
    this.stop();
    clearTimeout(this.#timer);
    this.#stopTyping();
    const stop = new AbortController();
    this.#stop = stop;
    const busy: SearchState & { kind: 'busy' } = { kind: 'busy', query };
    this.#set(busy);
    this.early?.(this.#params(query), stop.signal, (early) => {
      if (this.state !== busy) return;
      busy.early = early;
      this.#set(busy);
      this.emit('answered', early.hits.length);
    });
    try {
      const [result, covered] = await this.#find(query, stop.signal);
      this.#covered = covered;
      this.#set({ kind: 'found', query, more: !!busy.early, ...result });
      void this.#understand(query, result.asked, stop);
    } catch (cause) {
      if (stop !== this.#stop) return; // superseded by a newer search
      const error = SeamError.from(cause);
      const { early } = this.state as { early?: Found }; // undefined if it was cleared
      this.#set(
        !error.cancelled
          ? { kind: 'failed', query, error }
          : early
            ? { kind: 'found', query, more: true, ...early }
            : { kind: 'idle' },
      );
    }
  }

  /** Returns the result, and the documents that it covers. */
  async #find(query: string, signal: AbortSignal, known?: Vector): Promise<[Found, Set<Doc>]> {
    if (this.#atRemote && this.#remote) return [await this.#remote.find(query, this.mode, signal, known), new Set()];
    if (!known) {
      for (const doc of this.only?.filter(({ state }) => state === 'ready') ?? this.ready)
        await this.#session.refresh(doc);
      clearTimeout(this.#timer); // set by the cuts above
      if (!this.dear) await this.#index();
      if (signal.aborted) throw new SeamError('cancelled', 'a newer search');
    }
    const { encoder, vector } = known ?? {};
    const covered = new Set(this.within);
    const { result } = await this.#engine.call(
      'search',
      { ...this.#params(query), ...(encoder && { encoder }) },
      { signal, blobs: vector ? [vector] : [] },
    );
    this.#session.lost(result.lost);
    return [result, covered];
  }

  #params(query: string): SearchParams {
    const only = this.only && this.scope.map(numberOf);
    const mode = this.#onlyTyped && this.dear ? 'keyword' : this.mode; // a document that was read since may have a hosted model
    return { query, k: HITS, mode, ...(only && { docs: only }) };
  }

  /**
   * Searches again with the vector of the question, if there is one. Word matches are shown
   * until then.
   */
  async #understand(query: string, asked: string, stop: AbortController): Promise<void> {
    if (this.mode === 'keyword') return;
    const { signal } = stop;
    const known = await this.understanding?.vectorOf(asked, signal);
    if (!known || stop !== this.#stop) return;
    const answer = await this.#find(query, signal, known).catch(() => null); // then the results stay unchanged
    if (answer && stop === this.#stop && this.state.kind === 'found')
      this.#set({ kind: 'found', query, more: true, ...answer[0] });
  }

  #set(state: SearchState): void {
    this.state = state;
    this.emit('changed', state);
  }
}
