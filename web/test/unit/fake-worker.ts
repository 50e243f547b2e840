// A worker in Node: one end of a MessageChannel as the client's port, the
// other in the test's hands.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Envelope, Incoming } from '../../lib/api.ts';
import type { Port } from '../../lib/client.ts';

export interface Request {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

export class FakeWorker {
  readonly requests: Request[] = [];
  readonly received: Envelope[] = [];
  terminated = false;
  /** Told of each request as it arrives. */
  onRequest: (request: Request) => void = () => undefined;
  readonly port: Port;
  readonly #far: MessagePort;
  readonly #near: MessagePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#near = port1;
    this.#far = port2;
    port2.on('message', (envelope: Envelope) => {
      this.received.push(envelope);
      const request = JSON.parse(envelope.json) as Request;
      this.requests.push(request);
      this.onRequest(request);
    });
    this.port = {
      postMessage: (message, transfer) => port1.postMessage(message, transfer as ArrayBuffer[]),
      terminate: () => {
        this.terminated = true;
        port1.close();
      },
      onmessage: null,
      onerror: null,
    };
    port1.on('message', (data: Envelope) => this.port.onmessage?.({ data }));
  }

  post(message: Incoming, blobs: ArrayBuffer[] = []): void {
    this.#far.postMessage({ json: JSON.stringify(message), blobs }, blobs);
  }

  ready(protocol = 1): void {
    this.post({ event: 'ready', data: { protocol } });
  }

  close(): void {
    this.#near.close();
  }
}

/** Long enough for messages that are under way to arrive. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
