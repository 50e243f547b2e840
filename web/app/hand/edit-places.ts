// Where boundaries can go: places in the text of a document as it is cut now.

import { lowest } from '../../lib/lowest.ts';
import type { Chunking } from '../session/doc.ts';

/** Where chunk `index` begins without what it overlaps, and where it ends. */
function core({ result: { chunks } }: Chunking, index: number): { start: number; end: number } {
  const { start = 0, end = 0 } = chunks[index] ?? {};
  return { start: Math.max(start, chunks[index - 1]?.end ?? 0), end };
}

const startOf = ({ sentences }: Chunking, i: number): number => sentences[2 * i] ?? Infinity;

/** The first sentence that begins at an offset or behind it. */
function firstFrom(chunking: Chunking, offset: number): number {
  return lowest(chunking.sentences.length >> 1, (i) => startOf(chunking, i) >= offset);
}

/** The place of an offset: white space belongs to no chunk. */
function placeOf({ text: { text } }: Chunking, offset: number): number {
  return offset + (/^\s*/.exec(text.slice(offset, offset + 1000))?.[0].length ?? 0);
}

/**
 * The sentence of a chunk before which it comes apart most: where the curve is
 * furthest out, or without one in the middle. Null in a chunk of one sentence.
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

/** Where the end of a chunk goes by one sentence; null where there is none to give or to take. */
export function movePlace(chunking: Chunking, index: number, later: boolean): number | null {
  const { start, end } = core(chunking, index);
  const next = core(chunking, index + 1);
  const at = placeOf(chunking, end);
  const place = startOf(chunking, later ? firstFrom(chunking, at + 1) : firstFrom(chunking, at) - 1);
  const inside = later ? place < next.end : place > placeOf(chunking, start);
  return inside && index + 1 < chunking.result.chunks.length ? place : null;
}

/** The chunk that begins at an offset and is not the first one; -1 where none does. */
export function beginsAt(chunking: Chunking, offset: number): number {
  const { chunks } = chunking.result;
  const before = lowest(chunks.length, (i) => placeOf(chunking, chunks[i]?.end ?? 0) >= offset);
  return before < chunks.length - 1 && placeOf(chunking, chunks[before]?.end ?? 0) === offset ? before + 1 : -1;
}
