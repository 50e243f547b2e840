// Finds cuts inside a table or a code listing, which lose their meaning when split.

import { elementsOf, KIND } from './element-marks.ts';
import { lowest } from './lowest.ts';

const BLOCKS: readonly number[] = [KIND.table, KIND.listing];

/** Reports whether a text has tables or listings, by its elements. */
export function hasBlocks(elements: Int32Array): boolean {
  return elements.some((kind, i) => i % 3 === 0 && BLOCKS.includes(kind));
}

/** Returns a function that reports whether a cut at an offset splits a table or a listing. */
export function elementCuts(elements: Int32Array): (at: number) => boolean {
  const blocks: { start: number; end: number }[] = [];
  // Nested blocks are covered by the outer one.
  for (const { kind, start, end } of elementsOf(elements))
    if (BLOCKS.includes(kind) && start >= (blocks.at(-1)?.end ?? 0)) blocks.push({ start, end });
  return (at) => (blocks[lowest(blocks.length, (i) => (blocks[i]?.end ?? 0) > at)]?.start ?? at) < at;
}
