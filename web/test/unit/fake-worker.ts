// A worker in Node: one end of a MessageChannel is the client's port, and the test holds
// the other.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Envelope, Incoming } from '../../lib/api.ts';
import type { Port } from '../../lib/client.ts';

export interface Request {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

/** Echoed to find out whether all earlier messages have arrived. */
const MARK = 'mark';

/** The workers with open channels, and the number of messages sent in both directions. */
const open = new Set<FakeWorker>();
let sent = 0;

export class FakeWorker {
  readonly requests: Request[] = [];
  readonly received: Envelope[] = [];
  terminated = false;
  /** Called with each request as it arrives. */
  onRequest: (request: Request) => void = () => undefined;
  readonly port: Port;
  readonly #far: MessagePort;
  readonly #near: MessagePort;
  readonly #trips: (() => void)[] = [];

  constructor() {
    open.add(this);
    const { port1, port2 } = new MessageChannel();
    this.#near = port1;
    this.#far = port2;
    port2.on('message', (envelope: Envelope | typeof MARK) => {
      if (envelope === MARK) {
        port2.postMessage(MARK);
        return;
      }
      this.received.push(envelope);
      const request = JSON.parse(envelope.json) as Request;
      this.requests.push(request);
      this.onRequest(request);
    });
    this.port = {
      postMessage: (message, transfer) => {
        sent++;
        port1.postMessage(message, transfer as ArrayBuffer[]);
      },
      terminate: () => {
        this.terminated = true;
        this.close();
      },
      onmessage: null,
      onerror: null,
    };
    port1.on('message', (data: Envelope | typeof MARK) => {
      if (data === MARK) this.#trips.shift()?.();
      else this.port.onmessage?.({ data });
    });
  }

  post(message: Incoming, blobs: ArrayBuffer[] = []): void {
    sent++;
    this.#far.postMessage({ json: JSON.stringify(message), blobs }, blobs);
  }

  ready(protocol = 1): void {
    this.post({ event: 'ready', data: { protocol } });
  }

  /**
   * Resolves when pending messages in both directions have arrived, or the worker has been
   * ended.
   */
  roundTrip(): Promise<void> {
    return new Promise((resolve) => {
      this.#trips.push(resolve);
      this.#near.postMessage(MARK);
    });
  }

  close(): void {
    open.delete(this);
    this.#near.close();
    for (const resolve of this.#trips.splice(0)) resolve();
  }
}

/**
 * Resolves when all is quiet: a round trip to every worker and a turn of the event loop
 * bring no new message.
 */
export async function settle(): Promise<void> {
  let before: number;
  do {
    before = sent;
    await Promise.all([...open].map((worker) => worker.roundTrip()));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  } while (sent !== before);
}
