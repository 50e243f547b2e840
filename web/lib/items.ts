// The items of the lists of a text: where each stands in it, and how deep. For setting
// them in, with their lines below one another.

import { elementsOf, KIND, MOST } from './element-marks.ts';
import type { Mark } from './markdown-marks.ts';

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
  for (const { kind, start, end } of elementsOf(elements.length > 3 * MOST ? elements.subarray(0, 0) : elements)) {
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

/** Items of a text in Markdown, and the blanks before their lines, which are not seen as the items are set in. */
export function markdownItems(text: string, marks: readonly Mark[]): { items: Item[]; blanks: Mark[] } {
  const lines = marksOfLines(text, marks);
  const items: Item[] = [];
  const blanks: Mark[] = [];
  let open: { column: number; depth: number }[] = [];
  for (let start = 0; start < text.length && lines.size > 0; ) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const [indent = ''] = BLANKS.exec(text.slice(start, Math.min(next, start + FAR))) ?? [];
    const kind = lines.get(start);
    const last = items.at(-1);
    if (kind === 'item') {
      open = open.filter(({ column }) => column < width(indent));
      const depth = open.length + 1;
      open.push({ column: width(indent), depth });
      items.push({ start, end: next, depth });
    } else if (start + indent.length < next && text.slice(start, next).trim()) {
      const within = kind === 'soft' ? open : open.filter(({ column }) => column < width(indent));
      const { depth = 0 } = within.at(-1) ?? {};
      if (last && depth === last.depth) last.end = next;
      else if (depth > 0) items.push({ start, end: next, depth });
      open = within;
    }
    if (open.length > 0 && indent && kind !== 'code') blanks.push({ start, end: start + indent.length, look: 'mark' });
    start = next;
  }
  return { items, blanks };
}

const BLANKS = /^[ \t]*/;
/** Blanks before a line that is set in further are part of its text. */
const FAR = 100;

/** What the lines of a text are, by their starts: those that begin an item, go on with the one before, or are of a listing. */
function marksOfLines(text: string, marks: readonly Mark[]): Map<number, 'item' | 'soft' | 'code'> {
  const lines = new Map<number, 'item' | 'soft' | 'code'>();
  let items = false;
  for (const { start, end, look } of marks) {
    if (look === 'soft') lines.set(end, 'soft');
    else if (look === 'code' || look === 'bullet' || look === 'number') {
      const line = text.lastIndexOf('\n', start - 1) + 1;
      if (text.slice(line, start).trim()) continue;
      if (look !== 'code') lines.set(line, 'item');
      else if (line === start && !text.startsWith('`', start)) lines.set(line, 'code');
      items ||= look !== 'code';
    }
  }
  return items ? lines : new Map();
}

/** Columns that blanks take, with tabs of four. */
function width(blanks: string): number {
  let n = 0;
  for (const c of blanks) n = c === '\t' ? (n + 4) & ~3 : n + 1;
  return n;
}
