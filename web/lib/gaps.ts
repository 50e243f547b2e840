// What became of each gap between two sentences: what the curve, the list and the words
// about both say.

import type { Chunk } from './api.ts';

/** A cut that the method made, that the maximum forced, or a hand; a boundary that a limit took away. */
export type GapState = 'none' | 'made' | 'forced' | 'hand' | 'joined';

/** In the numbers of Gaps.states. */
export const STATES: readonly GapState[] = ['none', 'made', 'forced', 'hand', 'joined'];

export interface Gaps {
  /** Of each gap, by its place in STATES. */
  states: Uint8Array;
  /** Of all chunks' ends but the last, those within a sentence too; and of boundaries that are none. */
  counts: Record<Exclude<GapState, 'none'>, number>;
}

interface Source {
  result: { chunks: readonly Pick<Chunk, 'end' | 'reason'>[] };
  /** Starts and ends in turn. */
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
    // A chunk may end with the full stop behind its last sentence, or within one.
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
