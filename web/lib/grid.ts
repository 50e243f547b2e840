// What the page needs to know of a grid of settings before it is scored.

import type { Budgets, GridSetting } from './api.ts';
import { lowest } from './lowest.ts';

/** Tells a setting from the others of its grid. */
export function nameOf({ method, size = 0, embedder, ranker }: GridSetting): string {
  return [size > 0 ? `${method} ${size}` : method, ...(embedder ? [embedder] : []), ranker].join(', ');
}

/** How many of the best chunks the figures need, where the shortest of them has `least` tokens. */
export function deepest({ depths, tokens }: Budgets, least: number): number {
  return Math.max(0, ...depths, ...tokens.map((t) => Math.floor(t / Math.max(1, least)) + 1));
}

/** Tells how many characters stand before an offset of a text in UTF-16 units. */
export function characters(text: string): (offset: number) => number {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(/[\u{10000}-\u{10ffff}]/gu)) pairs.push(index);
  if (pairs.length === 0) return (offset) => offset;
  return (offset) => offset - lowest(pairs.length, (i) => (pairs[i] ?? 0) >= offset);
}
