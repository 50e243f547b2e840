// Estimates the passages of a question and their tokens.

import { median } from '../../lib/histogram.ts';
import { tokensOf } from '../../lib/thread.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import type { Chosen } from './finder.ts';

/** Tokens of a usual passage, if none is open. */
const USUAL = 250;

/** Tokens that all passages may have with the text around them, if they are short. */
const AROUND = 1000;

export interface Size {
  passages: number;
  tokens: number;
}

/** Returns the size of the passages to send. */
export function sizeOf({ sent, shortened }: Chosen, search: Search): Size {
  const tokens = sent.map((hit) => {
    if (shortened || hit.sent) return tokensOf(shortened || (hit.sent ?? ''));
    const { state, chunking } = search.docOf(hit) ?? {};
    return (state === 'ready' && chunking?.result.chunks[hit.chunk]?.tokens) || tokensOf(hit.text);
  });
  return { passages: sent.length, tokens: tokens.reduce((sum, each) => sum + each, 0) };
}

/**
 * Estimates the size of at most `most` passages from the current chunks. Passages of
 * documents that are not open count as if they had the usual length. The text around
 * passages counts as half of the most that the engine adds.
 */
export function usualSize(most: number, search: Search, session: Session): Size {
  const tokens = search.ready.flatMap(({ chunking }) => chunking?.result.chunks.map((chunk) => chunk.tokens) ?? []);
  const closed = session.docs.reduce(
    (sum, { state, kept }) =>
      sum + (state === 'ready' || state === 'failed' || state === 'locked' ? 0 : (kept?.record?.chunks ?? 0)),
    0,
  );
  const passages = Math.min(most, tokens.length + closed);
  const bare = passages * (tokens.length > 0 ? median(tokens) : closed > 0 ? USUAL : 0);
  const longest = tokens.reduce((most, each) => Math.max(most, each), 0);
  const wide = Math.min(2 * bare, Math.max(passages * longest, AROUND));
  return { passages, tokens: Math.round((bare + Math.max(bare, wide)) / 2) };
}
