// Finding by meaning, too: an encoder in a worker of its own reads the documents in the
// background, and each question. What it has read the engine that searches is given, which
// keeps it between visits; words are searched at once, whatever is under way here.

import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { Emitter } from '../ground/emitter.ts';
import { keeping } from '../session/memory.ts';
import { remember, remembered } from '../ground/remembered.ts';
import type { Understanding, Vector } from './search.ts';
import type { Session } from '../session/session.ts';

/** What was said to the offer: 'on', 'off', or nothing yet. */
const CHOICE = 'seam.meaning';
/** Texts that are read at once: a question waits for so many at most. */
const AT_ONCE = 8;
/** Chunks change with every step of the slider: they are read when it rests. */
const SETTLE_MS = 600;

export type MeaningState =
  /** There is no encoder here, or nothing that it could read. */
  | { kind: 'none' }
  | { kind: 'offered' | 'off' | 'loading' | 'ready' }
  | { kind: 'reading' | 'stopped'; done: number; total: number }
  | { kind: 'failed'; error: SeamError };

/** `read`: more documents can be found by meaning. */
export class Meaning extends Emitter<{ changed: MeaningState; read: void }> implements Understanding {
  readonly #engine: EngineClient;
  readonly #encoder: EngineClient;
  readonly #session: Session;
  state: MeaningState = { kind: 'none' };
  /** The ID of the encoder, once it is there. */
  #id = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What ends the reading; null: nothing is read. */
  #stop: AbortController | null = null;
  /** What ends the texts that are read now, for a question. */
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

  /** Fetches the encoder and has it read, on this visit and on later ones. */
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

  /** Ends the reading until somebody goes on; what was read is found. */
  stop(): void {
    this.#halted = true;
    const { state } = this;
    this.#end();
    this.#set(state.kind === 'reading' ? { ...state, kind: 'stopped' } : { kind: 'offered' });
  }

  /** The vector of a question, which goes before all other reading; null where nothing was read yet. */
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
      return null; // words find what they find
    } finally {
      this.#questions.delete(call);
    }
  }

  /** Documents have changed. */
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

  /** Reads what there is to read, a few texts at a time. */
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

  /** The vectors of texts, begun again when a question came between. */
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
