// Which cuts of a text fall within a table or a listing of code, whose parts say little
// without each other.

import { elementsOf, KIND } from './element-marks.ts';
import { lowest } from './lowest.ts';
import { markdownMarks } from './markdown-marks.ts';

/** Between two lines of one table there may be the one that divides its head from its rows. */
const WITHIN_TABLE = /^[ \t\r]*\n(?:[ \t|:-]+\r?\n)?[ \t]*$/;

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

/** Tells of a place of a text in Markdown whether a cut there parts two lines of one table, or of one listing. */
export function blockCuts(text: string): (at: number) => boolean {
  // What stands in the middle of a line of prose begins with its mark.
  const lines = markdownMarks(text).filter(
    ({ start, end, look }) => look === 'row' || (look === 'code' && end > start && text[start] !== '`'),
  );
  return (at) => {
    const next = lowest(lines.length, (i) => (lines[i]?.end ?? 0) > at);
    const after = lines[next];
    if (after && after.start < at) return true; // in the middle of a line
    const before = lines[next - 1];
    if (!before || !after || before.look !== after.look) return false;
    const between = text.slice(before.end, after.start);
    return before.look === 'row' ? WITHIN_TABLE.test(between) : between.trim() === '';
  };
}
