// Computes the places in the text where boundaries can go.

import { lowest } from '../../lib/lowest.ts';
import type { Chunking } from '../session/doc.ts';
import { shown } from '../words/en/views.ts';

/** Returns the span of chunk `index` without its overlap. */
function core({ result: { chunks } }: Chunking, index: number): { start: number; end: number } {
  const { start = 0, end = 0 } = chunks[index] ?? {};
  return { start: Math.max(start, chunks[index - 1]?.end ?? 0), end };
}

const startOf = ({ sentences }: Chunking, i: number): number => sentences[2 * i] ?? Infinity;

/** Returns the first sentence that begins at or after an offset. */
function firstFrom(chunking: Chunking, offset: number): number {
  return lowest(chunking.sentences.length >> 1, (i) => startOf(chunking, i) >= offset);
}

/** Returns the place for an offset, after white space, which belongs to no chunk. */
function placeOf({ text: { text } }: Chunking, offset: number): number {
  return offset + (/^\s*/.exec(text.slice(offset, offset + 1000))?.[0].length ?? 0);
}

/**
 * Returns the best place to split a chunk: the sentence before which the curve is furthest
 * out, or the middle without a curve. Returns null for a chunk of one sentence.
 */
export function splitPlace(chunking: Chunking, index: number): number | null {
  const { start, end } = core(chunking, index);
  const { curve, result } = chunking;
  const from = firstFrom(chunking, placeOf(chunking, start) + 1);
  const to = firstFrom(chunking, end);
  if (from >= to) return null;
  const sign = result.curve === 'similarity' ? -1 : 1;
  let best = curve.length > 0 ? from : (from + to - 1) >> 1;
  for (let i = from + 1; i < to && curve.length > 0; i++) {
    if (sign * (curve[i - 1] ?? 0) > sign * (curve[best - 1] ?? 0)) best = i;
  }
  return startOf(chunking, best);
}

/** Returns the end of a chunk moved by one sentence, or null if there is no sentence to move. */
export function movePlace(chunking: Chunking, index: number, later: boolean): number | null {
  const { start, end } = core(chunking, index);
  const next = core(chunking, index + 1);
  const at = placeOf(chunking, end);
  const place = startOf(chunking, later ? firstFrom(chunking, at + 1) : firstFrom(chunking, at) - 1);
  const inside = later ? place < next.end : place > placeOf(chunking, start);
  return inside && index + 1 < chunking.result.chunks.length ? place : null;
}

/** Returns why a chunk cannot be merged with the next, or '' if it can. */
export function fullWords({ result, unit }: Chunking, index: number): string {
  return result.chunks[index]?.full ? shown.edits.full(result.maxTokens, unit) : '';
}

/** Returns the chunk that begins at an offset, except the first; otherwise -1. */
export function beginsAt(chunking: Chunking, offset: number): number {
  const { chunks } = chunking.result;
  const before = lowest(chunks.length, (i) => placeOf(chunking, chunks[i]?.end ?? 0) >= offset);
  return before < chunks.length - 1 && placeOf(chunking, chunks[before]?.end ?? 0) === offset ? before + 1 : -1;
}
