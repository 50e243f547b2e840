// Where boundaries can go: places in the text of a document as it is cut now.

import { lowest } from '../lib/lowest.ts';
import type { Cutting } from './doc.ts';

/** Where chunk `index` begins without what it overlaps, and where it ends. */
function core({ result: { chunks } }: Cutting, index: number): { start: number; end: number } {
  const { start = 0, end = 0 } = chunks[index] ?? {};
  return { start: Math.max(start, chunks[index - 1]?.end ?? 0), end };
}

const startOf = ({ sentences }: Cutting, i: number): number => sentences[2 * i] ?? Infinity;

/** The first sentence that begins at an offset or behind it. */
function firstFrom(cutting: Cutting, offset: number): number {
  return lowest(cutting.sentences.length >> 1, (i) => startOf(cutting, i) >= offset);
}

/** The place of an offset: white space belongs to no chunk. */
function placeOf({ text: { text } }: Cutting, offset: number): number {
  return offset + (/^\s*/.exec(text.slice(offset, offset + 1000))?.[0].length ?? 0);
}

/**
 * The sentence of a chunk before which it comes apart most: where the curve is
 * furthest out, or without one in the middle. Null in a chunk of one sentence.
 */
export function splitPlace(cutting: Cutting, index: number): number | null {
  const { start, end } = core(cutting, index);
  const { curve, result } = cutting;
  const from = firstFrom(cutting, placeOf(cutting, start) + 1);
  const to = firstFrom(cutting, end);
  if (from >= to) return null;
  const sign = result.curve === 'similarity' ? -1 : 1;
  let best = curve.length > 0 ? from : (from + to - 1) >> 1;
  for (let i = from + 1; i < to && curve.length > 0; i++) {
    if (sign * (curve[i - 1] ?? 0) > sign * (curve[best - 1] ?? 0)) best = i;
  }
  return startOf(cutting, best);
}

/** Where the end of a chunk goes by one sentence; null where there is none to give or to take. */
export function movePlace(cutting: Cutting, index: number, later: boolean): number | null {
  const { start, end } = core(cutting, index);
  const next = core(cutting, index + 1);
  const at = placeOf(cutting, end);
  const place = startOf(cutting, later ? firstFrom(cutting, at + 1) : firstFrom(cutting, at) - 1);
  const inside = later ? place < next.end : place > placeOf(cutting, start);
  return inside && index + 1 < cutting.result.chunks.length ? place : null;
}

/** The chunk that begins at an offset and is not the first one; -1 where none does. */
export function beginsAt(cutting: Cutting, offset: number): number {
  const { chunks } = cutting.result;
  const before = lowest(chunks.length, (i) => placeOf(cutting, chunks[i]?.end ?? 0) >= offset);
  return before < chunks.length - 1 && placeOf(cutting, chunks[before]?.end ?? 0) === offset ? before + 1 : -1;
}
