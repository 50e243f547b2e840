// A session with the proxy that stays open while a reader searches: seam.v1 over a
// websocket. The messages are defined in shared/protocol.

import { Failed, tokenOf } from '../ask/link.ts';
import { Unavailable } from '../files.ts';

/** A found passage. */
export interface Hit {
  id: string;
  text: string;
  source?: string;
  title?: string;
  section?: string;
  part?: string;
  page?: number;
  pages?: number[];
  score: number;
}

interface Collection {
  name: string;
  hits: number;
}
type Message =
  | { type: 'ack'; collection?: Collection }
  | { type: 'hits'; id: number; hits: Hit[] }
  | { type: 'end'; id: number }
  | { type: 'err'; id?: number; code: string; message: string }
  | { type: 'ping' };

interface Waiting {
  done: (hits: Hit[]) => void;
  fail: (e: unknown) => void;
  hits: Hit[];
}

const within = 15_000; // the longest silence of a proxy, in milliseconds

interface Session {
  socket: WebSocket /** Hits of one search. */;
  most: number;
  waiting: Map<number, Waiting>;
}

/** A session that ended by itself, because the proxy restarted or the network failed. */
class Cut extends Unavailable {}

export class Line {
  #session: Promise<Session> | undefined;
  #last = 0;

  constructor(
    readonly endpoint: URL,
    readonly token?: string,
  ) {}

  /**
   * Opens the session unless it is open. A session that ends is opened again for the next
   * search.
   */
  open(): Promise<Session> {
    if (!this.#session) {
      const gone = () => {
        if (this.#session === session) this.#session = undefined;
      };
      const session = this.#open(gone);
      this.#session = session;
      session.catch(gone);
    }
    return this.#session;
  }

  async #open(gone: () => void): Promise<Session> {
    const signal = AbortSignal.timeout(within);
    const token =
      this.token ||
      (await tokenOf(this.endpoint, signal).catch((cause: unknown) => {
        throw new Unavailable(cause instanceof Failed && cause.message ? 'busy' : 'network', { cause });
      }));
    const at = new URL('v1/socket', this.endpoint);
    at.protocol = at.protocol.replace('http', 'ws');
    return new Promise((done, fail) => {
      const socket = new WebSocket(at, 'seam.v1');
      const waiting = new Map<number, Waiting>();
      const send = (m: object) => socket.send(JSON.stringify(m));
      const end = (e: Unavailable) => {
        socket.onclose = socket.onerror = socket.onmessage = null;
        socket.close(1000);
        gone();
        fail(e);
        for (const w of waiting.values()) w.fail(e);
        waiting.clear();
      };
      signal.addEventListener('abort', () => {
        if (socket.readyState === WebSocket.CONNECTING) end(new Unavailable('network'));
      });
      socket.onopen = () => send({ type: 'init', ...(token && { token }), client: 'seam-widget' });
      socket.onclose = socket.onerror = () => end(new Cut('network'));
      socket.onmessage = ({ data }: MessageEvent<unknown>) => {
        const m = typeof data === 'string' ? (JSON.parse(data) as Message) : undefined;
        if (m?.type === 'ack') {
          if (m.collection) done({ socket, most: m.collection.hits, waiting });
          else end(new Unavailable('missing', { cause: new Failed('The proxy has no collection for this site.') }));
        } else if (m?.type === 'ping') send({ type: 'pong' });
        else if (m?.type === 'err' && !m.id) end(kindOf(m));
        else if (m) answer(waiting, m);
      };
    });
  }

  /**
   * Searches for at most k passages, or the proxy's limit. Tries again once if the session
   * broke. Only one search runs: a new one cancels the previous.
   */
  async search(text: string, k: number): Promise<Hit[]> {
    try {
      return await this.#search(text, k);
    } catch (e) {
      if (e instanceof Cut) return this.#search(text, k);
      throw e;
    }
  }

  async #search(text: string, k: number): Promise<Hit[]> {
    const { socket, most, waiting } = await this.open();
    for (const [id, w] of waiting) {
      socket.send(JSON.stringify({ type: 'cancel', id }));
      w.fail(new Unavailable('network'));
    }
    waiting.clear();
    const id = ++this.#last;
    return new Promise((done, fail) => {
      const given = setTimeout(() => {
        if (waiting.delete(id)) fail(new Unavailable('busy'));
      }, within);
      waiting.set(id, {
        hits: [],
        done: (hits) => {
          clearTimeout(given);
          done(hits);
        },
        fail: (e) => {
          clearTimeout(given);
          fail(e);
        },
      });
      socket.send(JSON.stringify({ type: 'search', id, text, k: Math.min(k, most) }));
    });
  }
}

function answer(waiting: Map<number, Waiting>, m: Message): void {
  if (m.type === 'ack' || m.type === 'ping' || !m.id) return;
  const w = waiting.get(m.id);
  if (m.type === 'hits') {
    if (w) w.hits = m.hits;
    return;
  }
  waiting.delete(m.id);
  if (m.type === 'end') w?.done(w.hits);
  else w?.fail(kindOf(m));
}

/** Converts a failure to the kind shown to readers. */
function kindOf({ code, message }: { code: string; message: string }): Unavailable {
  return new Unavailable(code === 'not_found' ? 'missing' : 'busy', { cause: new Failed(message) });
}
