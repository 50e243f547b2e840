// The items of the lists of a text: where each stands in it, and how deep. For setting
// them in, with their lines below one another.

import { bounded, elementsOf, KIND } from './element-marks.ts';

export interface Item {
  start: number;
  /** With the line end behind it. */
  end: number;
  /** From 1. */
  depth: number;
}

/** Beside one another, ascending: an item ends where a list within it begins, and there is another for what is behind that. */
export function elementItems(text: string, elements: Int32Array): Item[] {
  const items: Item[] = [];
  const open: { end: number; depth: number }[] = [];
  /** Ends the items that are over. */
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

/** Behind the line end that follows at once; else the same place. */
function lineEnd(text: string, end: number): number {
  return text[end] === '\n' ? end + 1 : end;
}
