// Calls a Go program in a worker: request IDs, progress, cancelling, and a new worker when
// the old one has died.

import { PROTOCOL, type Envelope, type Incoming, type Progress } from './api.ts';
import { SeamError } from './seam-error.ts';

/** The part of Worker that is used, so that tests can pass a MessagePort. */
export interface Port {
  postMessage(message: Envelope, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: { data: Envelope }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

type MethodTable<M> = Record<keyof M, { params: object; result: unknown; events?: object }>;

export interface CallOptions {
  /** Transferred: the buffers are empty here after the call. */
  blobs?: ArrayBuffer[];
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Listeners for the events of a method. */
export type On<Method> = {
  on?: Method extends { events: infer E } ? { [K in keyof E]?: (data: E[K]) => void } : never;
};

export interface Answer<R> {
  result: R;
  blobs: ArrayBuffer[];
}

export interface ClientOptions {
  /**
   * Ends the worker after this many milliseconds without a call, because a wasm memory
   * never shrinks.
   */
  idle?: number;
  /** Receives messages that answer no call, except `ready` and `died`. */
  onEvent?: (event: string, data: unknown) => void;
  /** Called when the worker has died by itself, which loses its state. */
  onDeath?: (error: SeamError) => void;
}

interface OpenCall {
  resolve(answer: Answer<unknown>): void;
  reject(error: SeamError): void;
  listeners: Record<string, ((data: never) => void) | undefined>;
}

interface Outgoing {
  id: number;
  envelope: Envelope;
}

export class WorkerClient<M extends MethodTable<M>> {
  readonly #spawn: () => Port;
  readonly #options: ClientOptions;
  #port: Port | null = null;
  #ready = false;
  #waiting: Outgoing[] = [];
  readonly #open = new Map<number, OpenCall>();
  #lastId = 0;
  /** How often a worker has been started. A new one has lost the old one's state. */
  starts = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(spawn: () => Port, options: ClientOptions = {}) {
    this.#spawn = spawn;
    this.#options = options;
  }

  /** Starts the worker before the first call. */
  start(): void {
    clearTimeout(this.#idleTimer);
    this.#ensurePort();
    this.#restWhenIdle();
  }

  call<K extends keyof M & string>(
    method: K,
    params: M[K]['params'],
    options: CallOptions & On<M[K]> = {},
  ): Promise<Answer<M[K]['result']>> {
    const { blobs = [], signal, onProgress, on } = options;
    if (signal?.aborted) return Promise.reject(cancelled());
    clearTimeout(this.#idleTimer);
    const id = ++this.#lastId;
    return new Promise<Answer<M[K]['result']>>((resolve, reject) => {
      const abort = () => this.#cancel(id);
      const settle = () => {
        signal?.removeEventListener('abort', abort);
        this.#open.delete(id);
        this.#restWhenIdle();
      };
      signal?.addEventListener('abort', abort);
      this.#open.set(id, {
        resolve: (answer) => {
          settle();
          resolve(answer as Answer<M[K]['result']>);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        listeners: { ...on, progress: onProgress },
      });
      try {
        this.#ensurePort();
        this.#send({ id, envelope: { json: JSON.stringify({ id, method, params }), blobs } });
      } catch (cause) {
        this.#die(SeamError.from(cause).message);
      }
    });
  }

  /** Ends the worker immediately. Open calls fail as cancelled. The next call starts a new one. */
  terminate(): void {
    this.#drop(cancelled());
  }

  #ensurePort(): void {
    if (this.#port) return;
    const port = this.#spawn();
    port.onmessage = (event) => {
      if (this.#port === port) this.#receive(event.data);
    };
    port.onerror = (event) => {
      if (this.#port === port) this.#die(event.message ?? '');
    };
    this.#port = port;
    this.starts++;
  }

  #send(message: Outgoing): void {
    if (!this.#ready) {
      this.#waiting.push(message);
      return;
    }
    this.#port?.postMessage(message.envelope, message.envelope.blobs ?? []);
  }

  #cancel(id: number): void {
    const unsent = this.#waiting.findIndex((message) => message.id === id);
    if (unsent >= 0) this.#waiting.splice(unsent, 1);
    else if (this.#ready)
      this.#send({ id, envelope: { json: JSON.stringify({ id: ++this.#lastId, method: 'cancel', params: { id } }) } });
    // A busy worker may answer late, so the call fails now and the answer is ignored.
    this.#open.get(id)?.reject(cancelled());
  }

  #receive({ json, blobs = [] }: Envelope): void {
    const message = JSON.parse(json) as Incoming;
    if (message.id === undefined) {
      this.#receiveEvent(message);
      return;
    }
    const call = this.#open.get(message.id);
    if (!call) return; // cancelled in the meantime
    if (message.error) call.reject(SeamError.fromData(message.error));
    else if (message.event !== undefined) call.listeners[message.event]?.(message.data as never);
    else call.resolve({ result: message.result, blobs });
  }

  #receiveEvent({ event = '', data }: Incoming): void {
    if (event === 'ready') this.#begin((data as { protocol?: number })?.protocol);
    else if (event === 'died') this.#die((data as { message?: string })?.message ?? '');
    else this.#options.onEvent?.(event, data);
  }

  #begin(protocol: number | undefined): void {
    if (protocol !== PROTOCOL) {
      this.#drop(new SeamError('version', `the page speaks protocol ${PROTOCOL}, its worker ${protocol}`));
      return;
    }
    this.#ready = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.#send(message);
  }

  #die(message: string): void {
    const error = new SeamError('died', message);
    this.#drop(error);
    this.#options.onDeath?.(error);
  }

  #drop(error: SeamError): void {
    clearTimeout(this.#idleTimer);
    this.#port?.terminate();
    this.#port = null;
    this.#ready = false;
    this.#waiting = [];
    for (const call of [...this.#open.values()]) call.reject(error);
  }

  #restWhenIdle(): void {
    const { idle } = this.#options;
    if (idle === undefined || this.#open.size > 0 || !this.#port) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.terminate(), idle);
  }
}

function cancelled(): SeamError {
  return new SeamError('cancelled', 'stopped');
}
