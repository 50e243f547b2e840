// Helpers for a grid of settings before it is scored.

import type { Budgets, GridSetting } from './api.ts';
import { lowest } from './lowest.ts';

/** Returns a name for a setting that is unique in its grid. */
export function nameOf({ method, size = 0, embedder, ranker }: GridSetting): string {
  return [size > 0 ? `${method} ${size}` : method, ...(embedder ? [embedder] : []), ranker].join(', ');
}

/** Returns how many of the best chunks the figures need, if the shortest has `least` tokens. */
export function deepest({ depths, tokens }: Budgets, least: number): number {
  return Math.max(0, ...depths, ...tokens.map((t) => Math.floor(t / Math.max(1, least)) + 1));
}

/** Returns a function that converts a UTF-16 offset to a number of characters. */
export function characters(text: string): (offset: number) => number {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(/[\u{10000}-\u{10ffff}]/gu)) pairs.push(index);
  if (pairs.length === 0) return (offset) => offset;
  return (offset) => offset - lowest(pairs.length, (i) => (pairs[i] ?? 0) >= offset);
}
