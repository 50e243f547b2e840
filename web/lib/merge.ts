// A second answer to a question whose first one is being read.

import type { Hit } from './api.ts';

export const sameHit = (a: Hit, b: Hit | undefined): boolean =>
  a.doc === b?.doc && a.name === b.name && a.start === b.start && a.end === b.end;

/** The first answer's hits as they stand, and behind them, in their order, those that only the second one has. */
export function merged(first: readonly Hit[], second: readonly Hit[]): Hit[] {
  return [...first, ...second.filter((hit) => !first.some((shown) => sameHit(shown, hit)))];
}
