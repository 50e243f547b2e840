// Which cuts of a text in Markdown fall within a table or a listing of code, whose parts
// say little without each other.

import { lowest } from './lowest.ts';
import { markdownMarks } from './markdown-marks.ts';

/** Between two lines of one table there may be the one that divides its head from its rows. */
const WITHIN_TABLE = /^[ \t\r]*\n(?:[ \t|:-]+\r?\n)?[ \t]*$/;

/** Tells of a place of the text whether a cut there parts two lines of one table, or of one listing. */
export function blockCuts(text: string): (at: number) => boolean {
  // What stands in the middle of a line of prose begins with its mark.
  const lines = markdownMarks(text).filter(({ start, end, look }) => look === 'row' || (look === 'code' && end > start && text[start] !== '`'));
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
