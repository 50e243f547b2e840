// Finds where several cuts of the same text agree and differ.

import { lowest } from './lowest.ts';

/** A place where at least one of them cuts. */
export interface Place {
  /** The position in the first list that cuts here. */
  at: number;
  /** The position of each list's cut at or near this place, or null. */
  cuts: (number | null)[];
}

export interface Agreement {
  /**
   * The number of places where all cut at the same position, where all cut but at different
   * ones, and where some do not cut.
   */
  same: number;
  near: number;
  some: number;
}

/** Cuts at most this many sentences apart count as one that has moved. */
export const NEAR = 2;

/**
 * Returns the places of several ascending lists of cuts. `sentence` returns the sentence
 * number at a cut.
 */
export function placesOf(lists: readonly (readonly number[])[], sentence: (at: number) => number): Place[] {
  let places: Place[] = [];
  lists.forEach((cuts, k) => {
    const partner = pair(
      places.map(({ at }) => at),
      cuts,
      sentence,
    );
    const taken = new Set(partner);
    places.forEach((place, i) => place.cuts.push(cuts[partner[i] ?? -1] ?? null));
    const alone = cuts
      .filter((_, j) => !taken.has(j))
      .map((at) => ({ at, cuts: [...Array.from({ length: k }, () => null), at] }));
    places = [...places, ...alone].sort((a, b) => a.at - b.at);
  });
  return places;
}

export function agreementOf(places: readonly Place[]): Agreement {
  const sum = { same: 0, near: 0, some: 0 };
  for (const place of places) sum[kindOf(place)]++;
  return sum;
}

export function kindOf({ at, cuts }: Place): keyof Agreement {
  if (cuts.includes(null)) return 'some';
  return cuts.every((cut) => cut === at) ? 'same' : 'near';
}

/**
 * Returns for each of `a` the index of its partner in `b`, or −1. Equal positions are
 * paired first, then near ones between them, the nearest if there are two.
 */
function pair(a: readonly number[], b: readonly number[], sentence: (at: number) => number): number[] {
  const partner = a.map((at) => {
    const j = lowest(b.length, (i) => (b[i] ?? 0) >= at);
    return b[j] === at ? j : -1;
  });
  const exact = new Set(partner);
  const apart = (i: number, j: number) => Math.abs(sentence(a[i] ?? Infinity) - sentence(b[j] ?? Infinity));
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (partner[i] !== -1) j = (partner[i++] ?? 0) + 1;
    else if (exact.has(j) || apart(i, j) > NEAR) (a[i] ?? 0) < (b[j] ?? 0) ? i++ : j++;
    else if (partner[i + 1] === -1 && apart(i + 1, j) < apart(i, j)) i++;
    else if (j + 1 < b.length && !exact.has(j + 1) && apart(i, j + 1) < apart(i, j)) j++;
    else partner[i++] = j++;
  }
  return partner;
}
