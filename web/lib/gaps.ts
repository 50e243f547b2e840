// The state of each gap between two sentences, for the curve, the list and the texts about
// both.

import type { Chunk } from './api.ts';

/**
 * A cut made by the method, forced by the maximum, or made by hand; or a boundary removed
 * by a limit.
 */
export type GapState = 'none' | 'made' | 'forced' | 'hand' | 'joined';

/** In the order of the numbers in Gaps.states. */
export const STATES: readonly GapState[] = ['none', 'made', 'forced', 'hand', 'joined'];

export interface Gaps {
  /** The state of each gap, as an index into STATES. */
  states: Uint8Array;
  /**
   * Counts of chunk ends except the last, including those inside a sentence; and of removed
   * boundaries.
   */
  counts: Record<Exclude<GapState, 'none'>, number>;
}

interface Source {
  result: { chunks: readonly Pick<Chunk, 'end' | 'reason'>[] };
  /** Start and end of each sentence in turn. */
  sentences: Int32Array;
  /** A boundary after sentence i. */
  boundaries: Int32Array;
}

export function gapsOf({ result: { chunks }, sentences, boundaries }: Source): Gaps {
  const states = new Uint8Array(Math.max(0, sentences.length / 2 - 1));
  const counts = { made: 0, forced: 0, hand: 0, joined: 0 };
  let gap = 0;
  for (let i = 0; i + 1 < chunks.length; i++) {
    const { end, reason } = chunks[i] as Source['result']['chunks'][number];
    const state = reason.kind === 'max' ? 'forced' : reason.kind === 'manual' ? 'hand' : 'made';
    counts[state]++;
    // A chunk may end at the full stop after its last sentence, or inside one.
    while (gap < states.length && (sentences[2 * gap + 2] ?? 0) < end) gap++;
    if (gap < states.length && (sentences[2 * gap + 1] ?? 0) <= end) states[gap] = STATES.indexOf(state);
  }
  for (const at of boundaries) {
    if (at >= states.length || states[at] !== 0) continue;
    states[at] = STATES.indexOf('joined');
    counts.joined++;
  }
  return { states, counts };
}
