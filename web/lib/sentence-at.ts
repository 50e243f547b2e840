import { lowest } from './lowest.ts';

/** The sentence that holds a place of the text, or the next one when it is between two; `sentences` are starts and ends in turn. */
export function sentenceAt(sentences: Int32Array, at: number): number {
  return lowest(sentences.length >> 1, (i) => (sentences[2 * i + 1] ?? 0) > at);
}
