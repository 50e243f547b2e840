// Search by meaning: an encoder in its own worker embeds the documents in the
// background, and each question. The vectors go to the search engine, which keeps them
// between visits. Word search answers at once, whether or not embedding is in progress.

import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { Emitter } from '../ground/emitter.ts';
import { keeping } from '../session/memory.ts';
import { remember, remembered } from '../ground/remembered.ts';
import type { Understanding, Vector } from './search-state.ts';
import type { Session } from '../session/session.ts';

/** The answer to the offer: 'on', 'off', or nothing so far. */
const CHOICE = 'seam.meaning';
/** Texts embedded at once. A question waits for at most this many. */
const AT_ONCE = 8;
/** Waits for the slider to rest, because chunks change with each of its steps. */
const SETTLE_MS = 600;

export type MeaningState =
  /** There is no encoder, or no document that it can embed. */
  | { kind: 'none' }
  | { kind: 'offered' | 'off' | 'loading' | 'ready' }
  | { kind: 'reading' | 'stopped'; done: number; total: number }
  | { kind: 'failed'; error: SeamError };

/** Emits `read` when more documents can be found by meaning. */
export class Meaning extends Emitter<{ changed: MeaningState; read: void }> implements Understanding {
  readonly #engine: EngineClient;
  readonly #encoder: EngineClient;
  readonly #session: Session;
  state: MeaningState = { kind: 'none' };
  /** The ID of the encoder once it is loaded. */
  #id = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Stops the embedding; null while none is in progress. */
  #stop: AbortController | null = null;
  /** Stops the current batch so that a question can go first. */
  #batch: AbortController | null = null;
  #questions = new Set<Promise<unknown>>();
  #halted = false;
  #ready = 0;

  constructor(engine: EngineClient, encoder: EngineClient, session: Session) {
    super();
    this.#engine = engine;
    this.#encoder = encoder;
    this.#session = session;
    session.on('chunked', () => this.#look());
    session.on('removed', () => this.#look());
  }

  get bytes(): number {
    return this.#session.choices.hello?.meaning ?? 0;
  }

  get wanted(): boolean {
    return this.bytes > 0 && !this.#halted && remembered(CHOICE) === 'on';
  }

  /** Loads the encoder and starts embedding, on this visit and on later ones. */
  accept(): void {
    remember(CHOICE, 'on');
    this.#halted = false;
    void this.#run();
  }

  decline(): void {
    remember(CHOICE, 'off');
    this.#end();
    this.#ready = 0;
    this.#encoder.terminate();
    this.#set({ kind: 'off' });
    this.emit('read', undefined);
  }

  /** Stops embedding until the user resumes it. Embedded documents can still be found. */
  stop(): void {
    this.#halted = true;
    const { state } = this;
    this.#end();
    this.#set(state.kind === 'reading' ? { ...state, kind: 'stopped' } : { kind: 'offered' });
  }

  /**
   * Returns the vector of a question, ahead of all other embedding; null if nothing has
   * been embedded so far.
   */
  async vectorOf(text: string, signal?: AbortSignal): Promise<Vector | null> {
    if (!this.#id || this.#ready === 0) return null;
    const call = this.#encoder.call('encode', { texts: [text], query: true }, signal ? { signal } : {});
    this.#questions.add(call);
    this.#batch?.abort();
    try {
      const {
        result,
        blobs: [vector],
      } = await call;
      return vector ? { encoder: result.encoder, vector } : null;
    } catch {
      return null; // the word search still works
    } finally {
      this.#questions.delete(call);
    }
  }

  /** Updates the state after the documents have changed. */
  #look(): void {
    const choice = remembered(CHOICE);
    const known = this.#session.docs.some(
      ({ state, chunking }) => state === 'ready' && chunking?.result.unknown === null,
    );
    if (!this.bytes || (!known && !this.#stop)) this.#set({ kind: 'none' });
    else if (choice !== 'on') this.#set({ kind: choice === 'off' ? 'off' : 'offered' });
    else if (!this.#halted) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#run(), SETTLE_MS);
    }
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#batch?.abort();
    this.#stop = null;
  }

  async #run(): Promise<void> {
    this.#end();
    const stop = (this.#stop = new AbortController());
    try {
      if (!this.#id) {
        this.#set({ kind: 'loading' });
        this.#id = (await this.#encoder.call('encode', { texts: [] }, { signal: stop.signal })).result.encoder;
      }
      await this.#read(stop.signal);
      if (stop === this.#stop) this.#stop = null;
    } catch (cause) {
      const error = SeamError.from(cause);
      if (stop !== this.#stop || error.cancelled) return;
      this.#stop = null;
      this.#set({ kind: 'failed', error });
    }
  }

  /** Embeds the remaining texts, a few at a time. */
  async #read(signal: AbortSignal): Promise<void> {
    let texts: string[] = [];
    let vectors: ArrayBuffer[] = [];
    for (;;) {
      const { result } = await this.#engine.call(
        'read',
        { encoder: this.#id, texts, most: AT_ONCE, keep: keeping() },
        { blobs: vectors },
      );
      if (signal.aborted) return;
      const { done, total, ready } = result;
      texts = result.texts;
      this.#set(texts.length > 0 ? { kind: 'reading', done, total } : { kind: total > 0 ? 'ready' : 'none' });
      if (ready !== this.#ready || texts.length === 0) {
        this.#ready = ready;
        this.emit('read', undefined);
      }
      if (texts.length === 0) return;
      vectors = await this.#encode(texts, signal);
      if (signal.aborted) return;
    }
  }

  /** Returns the vectors of texts. A batch that a question interrupted starts again. */
  async #encode(texts: string[], signal: AbortSignal): Promise<ArrayBuffer[]> {
    for (;;) {
      await Promise.allSettled(this.#questions);
      if (signal.aborted) return [];
      const batch = (this.#batch = new AbortController());
      try {
        return (await this.#encoder.call('encode', { texts }, { signal: batch.signal })).blobs;
      } catch (cause) {
        if (!SeamError.from(cause).cancelled || this.#questions.size === 0) throw cause;
      }
    }
  }

  #set(state: MeaningState): void {
    this.state = state;
    this.emit('changed', state);
  }
}
