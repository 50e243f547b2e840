// Statements about parts of a text, and their places. Does not use the DOM.

import type { Statement, View } from './api.ts';

/** A part of a text with its statements, in the order of the text. */
export interface StatedPart {
  view: View;
  start: number;
  end: number;
  statements: Statement[];
}

/** Groups statements by their parts. */
export function partsOf(statements: readonly Statement[]): StatedPart[] {
  const parts = new Map<string, StatedPart>();
  for (const each of statements) {
    const { view, start, end } = each;
    const key = keyOf(each);
    const part = parts.get(key) ?? { view, start, end, statements: [] };
    part.statements.push(each);
    parts.set(key, part);
  }
  return [...parts.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns the key of a part. */
export const keyOf = ({ view, start, end }: Pick<Statement, 'view' | 'start' | 'end'>): string =>
  `${view} ${start} ${end}`;

/**
 * Moves statements to the places of their parts in another version of a text. Statements
 * without a place are dropped.
 */
export function moved(statements: readonly Statement[], view: View, before: string, after: string): Statement[] {
  const places = new Map<string, number>();
  return statements
    .filter((each) => each.view === view)
    .flatMap((each) => {
      const key = keyOf(each);
      const start = places.get(key) ?? nearest(after, before.slice(each.start, each.end), each.start);
      places.set(key, start);
      return start < 0 ? [] : [{ ...each, start, end: start + each.end - each.start }];
    });
}

/** Returns the occurrence of a part nearest to a place, or -1. */
function nearest(text: string, part: string, place: number): number {
  if (!part) return -1;
  const behind = text.indexOf(part, place);
  const ahead = text.lastIndexOf(part, place);
  return ahead < 0 || (behind >= 0 && behind - place < place - ahead) ? behind : ahead;
}
