import { lowest } from './lowest.ts';

/**
 * Returns the sentence at an offset, or the next one if it is between two. `sentences` has
 * start and end of each in turn.
 */
export function sentenceAt(sentences: Int32Array, at: number): number {
  return lowest(sentences.length >> 1, (i) => (sentences[2 * i + 1] ?? 0) > at);
}
