// The state of each gap between two sentences, for the curve, the list and the texts about
// both.

import type { Chunk, Reason } from './api.ts';

/**
 * A cut made by the method; one that the maximum needed, at a place with a reason of its
 * own (inner) or at any other place (forced); one made by hand; or a boundary removed by a
 * limit.
 */
export type GapState = 'none' | 'made' | 'inner' | 'forced' | 'hand' | 'joined';

/** In the order of the numbers in Gaps.states. */
export const STATES: readonly GapState[] = ['none', 'made', 'inner', 'forced', 'hand', 'joined'];

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

/** Reports whether a chunk ends because the next sentence would not have fitted. */
export function isForMaximum({ kind, for: limit }: Pick<Reason, 'kind' | 'for'>): boolean {
  return kind === 'max' || limit === 'max';
}

function stateOf(reason: Reason): 'made' | 'inner' | 'forced' | 'hand' {
  if (isForMaximum(reason)) return reason.kind === 'max' ? 'forced' : 'inner';
  return reason.kind === 'manual' ? 'hand' : 'made';
}

export function gapsOf({ result: { chunks }, sentences, boundaries }: Source): Gaps {
  const states = new Uint8Array(Math.max(0, sentences.length / 2 - 1));
  const counts = { made: 0, inner: 0, forced: 0, hand: 0, joined: 0 };
  let gap = 0;
  for (let i = 0; i + 1 < chunks.length; i++) {
    const { end, reason } = chunks[i] as Source['result']['chunks'][number];
    const state = stateOf(reason);
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
