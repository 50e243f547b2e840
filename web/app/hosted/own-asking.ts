// Sends questions about one document, and keeps each answer with it, so that nothing is paid
// for twice. Does not use the DOM.

import type { AskParams } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import type { OwnAnswer } from '../session/own-answers.ts';
import { hosted as words } from '../words/en/hosted.ts';

/** Returns the kept answer with a key. */
export const knownAnswer = ({ asked }: Doc, key: string): OwnAnswer | null =>
  asked.find((answer) => answer.key === key) ?? null;

/** Returns the messages of a question without passages, as a part of its key. */
export async function promptOf(engine: EngineClient, params: AskParams, signal: AbortSignal): Promise<string> {
  const { result } = await engine.call('ask', { ...params, passages: [], show: true }, { signal });
  return JSON.stringify(result.messages);
}

/** Identifies a request by its model, its prompt and its passages. */
export async function keyOf(...parts: readonly unknown[]): Promise<string> {
  const text = JSON.stringify(parts);
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) return text; // an insecure address, where nothing is kept
  const hash = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The most concurrent requests, as in the command line. */
const AT_A_TIME = 4;

/** Works on all items, several at a time. After the first failure it begins no other, and throws it at the end. */
export async function severalAtATime<Item>(all: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...all];
  let failure: unknown = null;
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined && failure === null; item = waiting.shift()) {
      try {
        await work(item);
      } catch (cause) {
        failure ??= cause;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  if (failure !== null) throw failure;
}

/** Sends a question with its passages. An answer from a part of them, or an empty one, is an error. */
export async function askModel(
  engine: EngineClient,
  request: AskParams,
  key: string,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  let text = '';
  const { result } = await engine.call('ask', request, {
    signal,
    on: {
      delta: (part) => {
        if (part.moved) text = '';
        if (!part.reasoning) text += part.text;
      },
    },
  });
  if (result.whole > 0) throw new SeamError('unusable', words.ask.cut(result));
  if (!text.trim()) throw new SeamError('unusable', words.ask.empty);
  const { finish, refused, passages, tokens, tokensOut } = result;
  return { key, at: Date.now(), text, finish, refused, passages, tokens, tokensOut };
}
