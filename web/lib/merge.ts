// Merges a second answer to a question while the user reads the first.

import type { Hit } from './api.ts';

export const sameHit = (a: Hit, b: Hit | undefined): boolean =>
  a.doc === b?.doc && a.name === b.name && a.start === b.start && a.end === b.end;

/**
 * Returns the first answer's hits unchanged, followed by the hits that only the second has,
 * in its order.
 */
export function merged(first: readonly Hit[], second: readonly Hit[]): Hit[] {
  return [...first, ...second.filter((hit) => !first.some((shown) => sameHit(shown, hit)))];
}
