// Which cuts of a text fall within a table or a listing of code, whose parts say little
// without each other.

import { elementsOf, KIND } from './element-marks.ts';
import { lowest } from './lowest.ts';

const BLOCKS: readonly number[] = [KIND.table, KIND.listing];

/** Whether a text has tables or listings, by its elements. */
export function hasBlocks(elements: Int32Array): boolean {
  return elements.some((kind, i) => i % 3 === 0 && BLOCKS.includes(kind));
}

/** Tells of a place whether a cut there parts a table or a listing, by the elements of the text. */
export function elementCuts(elements: Int32Array): (at: number) => boolean {
  const blocks: { start: number; end: number }[] = [];
  // What lies within one of them is cut with it.
  for (const { kind, start, end } of elementsOf(elements))
    if (BLOCKS.includes(kind) && start >= (blocks.at(-1)?.end ?? 0)) blocks.push({ start, end });
  return (at) => (blocks[lowest(blocks.length, (i) => (blocks[i]?.end ?? 0) > at)]?.start ?? at) < at;
}
