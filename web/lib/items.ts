// Finds the list items of a text with their depth, to indent their lines.

import { bounded, elementsOf, KIND } from './element-marks.ts';

export interface Item {
  start: number;
  /** Includes the line end after it. */
  end: number;
  /** From 1. */
  depth: number;
}

/**
 * Returns the items in ascending order without overlaps. An item ends where a nested list
 * begins; text after that list forms another item.
 */
export function elementItems(text: string, elements: Int32Array): Item[] {
  const items: Item[] = [];
  const open: { end: number; depth: number }[] = [];
  /** Ends the items that end at or before an offset. */
  const close = (at: number) => {
    for (let inner = open.at(-1); inner && inner.end <= at; inner = open.at(-1)) {
      open.pop();
      const start = items.at(-1)?.end ?? 0;
      const end = lineEnd(text, inner.end);
      if (end > start && text.slice(start, inner.end).trim()) items.push({ start, end, depth: inner.depth });
    }
  };
  for (const { kind, start, end } of elementsOf(bounded(elements))) {
    if (kind !== KIND.item) continue;
    close(start);
    const last = items.at(-1);
    if (last && last.end > start) last.end = start;
    const depth = open.length + 1;
    items.push({ start, end: lineEnd(text, end), depth });
    open.push({ end, depth });
  }
  close(Infinity);
  return items.filter(({ start, end }) => end > start);
}

/** Returns the offset after a line end at `end`, or `end` itself. */
function lineEnd(text: string, end: number): number {
  return text[end] === '\n' ? end + 1 : end;
}
