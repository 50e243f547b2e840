// Sends a question to the proxy: seam.v1 over a websocket, one for each question. The
// messages are defined in shared/protocol.

import { pause } from '../slow.ts';

/** A failure with the proxy's sentence for readers, or '' without one. */
export class Failed extends Error {}

export interface Answered {
  /** stop, length, filter, or '' if the provider did not end the answer. */
  finish: string;
  model: string;
  /** Whether the model certainly read only a part of the prompt. */
  part: boolean;
}

interface Ack {
  type: 'ack';
  reasoning?: boolean;
  /** The prompt "answer-marked"; absent from older proxies. */
  marked?: object;
  limits: { context: number; credits: number };
  models: { id: string; kind: string; label?: string }[];
}
type Message =
  | Ack
  | { type: 'd'; delta: string }
  | { type: 'r'; moved?: boolean }
  | { type: 'end'; finish?: string; usage?: { read?: number; sent?: number } }
  | { type: 'err'; message: string }
  | { type: 'ping' };

const subprotocol = 'seam.v1';
const rounds = 8; // requests for one token, including puzzles and waits
const hardest = 24; // the hardest puzzle, in bits: some minutes
const creditEvery = 16;
const longestWait = 5000; // the longest wait for a token, in milliseconds

/**
 * Returns the proxy's address with an http scheme, even if it was given with a websocket
 * scheme.
 */
export function proxyAt(endpoint: string): URL {
  return new URL(endpoint.replace(/\/?$/, '/').replace(/^ws/, 'http'), document.baseURI);
}

/**
 * Sends a question with as many passages as the proxy accepts, and passes on the answer as
 * it arrives. `takeBack` drops everything so far: it was the model's reasoning.
 */
export async function askProxy(
  { endpoint, token, model }: { endpoint: URL; token?: string; model?: string },
  question: string,
  passages: string[],
  signal: AbortSignal,
  write: (delta: string) => void,
  takeBack: () => void,
): Promise<Answered> {
  const own = token || (await tokenOf(endpoint, signal));
  const at = new URL('v1/socket', endpoint);
  at.protocol = at.protocol.replace('http', 'ws');
  return new Promise((done, fail) => {
    const socket = new WebSocket(at, subprotocol);
    const send = (message: object) => socket.send(JSON.stringify(message));
    const end = (settle: () => void) => {
      socket.onclose = socket.onmessage = socket.onerror = null;
      socket.close(1000);
      settle();
    };
    let used = 0;
    let name = '';
    signal.addEventListener(
      'abort',
      () => {
        if (socket.readyState === WebSocket.OPEN) send({ type: 'cancel', id: 1 });
        end(() => fail(signal.reason as Error));
      },
      { once: true },
    );
    socket.onopen = () => send({ type: 'init', ...(own && { token: own }), client: 'seam-widget' });
    socket.onclose = socket.onerror = () => end(() => fail(new Failed('')));
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const m = typeof data === 'string' ? (JSON.parse(data) as Message) : undefined;
      switch (m?.type) {
        case 'ack': {
          const chat = m.models.find((x) => x.kind === 'chat' && (!model || x.id === model));
          if (!chat) return end(() => fail(new Failed('')));
          name = chat.label ?? chat.id;
          return send({
            type: 'chat',
            id: 1,
            model: chat.id,
            template: m.marked ? 'answer-marked' : 'answer',
            question,
            passages: fitting(question, passages, m.limits.context),
            params: {},
            ...(m.reasoning && { reasoning: true }),
          });
        }
        case 'd':
        case 'r': // reasoning is not shown, but takes back what was
          if (m.type === 'd') write(m.delta);
          else if (m.moved) takeBack();
          if (++used % creditEvery === 0) send({ type: 'credit', id: 1, n: creditEvery });
          return undefined;
        case 'end': {
          const { read = 0, sent = 0 } = m.usage ?? {};
          return end(() => done({ finish: m.finish ?? '', model: name, part: sent > read }));
        }
        case 'err':
          return end(() => fail(new Failed(m.message)));
        case 'ping':
          return send({ type: 'pong' });
        default:
          return undefined;
      }
    };
  });
}

/** Returns the first passages that fit into `most` bytes together with the question. */
function fitting(question: string, passages: string[], most: number): string[] {
  const size = (s: string) => new TextEncoder().encode(s).length;
  let left = most - size(question) - 2048; // the room for the proxy's prompt
  const n = passages.findIndex((p) => (left -= size(p) + 16) < 0);
  return n < 0 ? passages : passages.slice(0, Math.max(1, n));
}

/**
 * Returns a token for one session, or '' if the proxy needs none. If it limits an address
 * with many requests, waits as long as it demands.
 */
export async function tokenOf(endpoint: URL, signal: AbortSignal): Promise<string> {
  let ask: object = {};
  for (let round = 0; round < rounds; round++) {
    const r = await fetch(new URL('v1/session', endpoint), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ask),
      signal,
    }).catch(() => {
      signal.throwIfAborted();
      throw new Failed('');
    });
    const reply = (await r.json().catch(() => ({}))) as {
      token?: string;
      message?: string;
      retry_after_ms?: number;
      puzzle?: { challenge: string; bits: number };
    };
    if (r.status === 429 && (reply.retry_after_ms ?? Infinity) <= longestWait) {
      await pause(reply.retry_after_ms);
      continue;
    }
    if (!r.ok) throw new Failed(reply.message ?? '');
    if (!reply.puzzle) return reply.token ?? '';
    if (reply.puzzle.bits > hardest) throw new Failed('');
    ask = { challenge: reply.puzzle.challenge, n: await solve(reply.puzzle.challenge, reply.puzzle.bits, signal) };
  }
  throw new Failed('');
}

const atOnce = 512;

/** Returns a number for which the SHA-256 of the challenge begins with `bits` zero bits. */
async function solve(challenge: string, bits: number, signal: AbortSignal): Promise<number> {
  const encoder = new TextEncoder();
  for (let from = 0; ; from += atOnce) {
    signal.throwIfAborted();
    const sums = await Promise.all(
      Array.from({ length: atOnce }, (_, i) =>
        crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}:${from + i}`)),
      ),
    );
    const hit = sums.findIndex((sum) => zeros(new Uint8Array(sum)) >= bits);
    if (hit >= 0) return from + hit;
  }
}

function zeros(sum: Uint8Array): number {
  let n = 0;
  for (const b of sum) {
    n += b ? Math.clz32(b) - 24 : 8;
    if (b) break;
  }
  return n;
}
