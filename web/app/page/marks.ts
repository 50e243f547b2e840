// Geometry of marks on a page: the lines of a part of the text, the blocks next to which
// bars go, and the word at a point.

import type { Part } from '../../lib/overlap.ts';
import { lowest } from '../../lib/lowest.ts';
import { boxOf, type Box, type Words } from './words.ts';

/** The largest gap between two words of a line, in line heights. */
const MOST_GAP = 2.5;
/** The largest gap between two lines of a block, in line heights. */
const FAR_LINES = 12;
/** How far from a word a press may be, in points. */
const SLACK = 12;

/**
 * A line of words or a part of one. `upright` means that it runs up or down the page; null
 * means unknown, as for a single word.
 */
export interface Line extends Box {
  upright: boolean | null;
}

/** Returns the indexes of a span's words on a page, in the order of the text. */
export function wordsWithin(words: Words, page: number, { start, end }: Part): number[] {
  const all = words.onPage[page] ?? [];
  const from = lowest(all.length, (at) => (words.ends[all[at] ?? 0] ?? 0) > start);
  return all.slice(
    from,
    lowest(all.length, (at) => (words.starts[all[at] ?? 0] ?? 0) >= end),
  );
}

/** Returns the page of the first word at or after an offset, or -1. */
export function pageAt(words: Words, offset: number): number {
  return words.page[lowest(words.count, (at) => (words.ends[at] ?? 0) > offset)] ?? -1;
}

/** Joins neighbouring words of one line into one box. */
export function linesOf(words: Words, indexes: readonly number[]): Line[] {
  const lines: Line[] = [];
  for (const i of indexes) {
    const box = boxOf(words, i);
    const line = lines[lines.length - 1];
    if (line && line.upright !== true && joins(line, box)) {
      widen(line, box);
      line.upright = false;
    } else if (line && line.upright !== false && (high(line) || high(box)) && joins(turned(line), turned(box))) {
      widen(line, box);
      line.upright = true;
    } else lines.push({ ...box, upright: null });
  }
  return lines;
}

/** Reports whether a word continues a line in the line's direction. */
function joins(line: Box, word: Box): boolean {
  const height = Math.min(line.y1 - line.y0, word.y1 - word.y0);
  const together = Math.min(line.y1, word.y1) - Math.max(line.y0, word.y0);
  const gap = Math.max(word.x0 - line.x1, line.x0 - word.x1);
  return together >= height / 2 && gap <= MOST_GAP * height;
}

/** Reports whether a box is much taller than wide, like a word that runs up or down the page. */
function high({ x0, y0, x1, y1 }: Box): boolean {
  return y1 - y0 > 1.2 * (x1 - x0);
}

function turned({ x0, y0, x1, y1 }: Box): Box {
  return { x0: y0, y0: x0, x1: y1, y1: x1 };
}

function widen(box: Box, other: Box): void {
  box.x0 = Math.min(box.x0, other.x0);
  box.y0 = Math.min(box.y0, other.y0);
  box.x1 = Math.max(box.x1, other.x1);
  box.y1 = Math.max(box.y1, other.y1);
}

/**
 * Groups lines into blocks. A new block begins where a line is not directly above or below
 * the previous one, such as at the head of a column.
 */
export function blocksOf(lines: readonly Line[]): Box[] {
  const blocks: Box[] = [];
  let last: Line | null = null;
  for (const line of lines) {
    const block = blocks[blocks.length - 1];
    if (last && block && (line.upright && last.upright ? follows(turned(last), turned(line)) : follows(last, line)))
      widen(block, line);
    else blocks.push({ x0: line.x0, y0: line.y0, x1: line.x1, y1: line.y1 });
    last = line;
  }
  return blocks;
}

/** Reports whether a line is above or below another, and near it. */
function follows(a: Box, b: Box): boolean {
  const gap = Math.max(b.y0 - a.y1, a.y0 - b.y1);
  return a.x0 < b.x1 && b.x0 < a.x1 && gap < FAR_LINES * Math.max(a.y1 - a.y0, b.y1 - b.y0);
}

/** Returns the word at a point of a page, or the nearest one; -1 if none is near. */
export function wordAt(words: Words, page: number, x: number, y: number): number {
  let found = -1;
  let least = SLACK;
  for (const i of words.onPage[page] ?? []) {
    const { x0, y0, x1, y1 } = boxOf(words, i);
    const far = Math.hypot(Math.max(x0 - x, 0, x - x1), Math.max(y0 - y, 0, y - y1));
    if (far < least || far === 0) [found, least] = [i, far];
    if (far === 0) break;
  }
  return found;
}
