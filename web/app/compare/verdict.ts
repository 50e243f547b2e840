// The first sentence of a comparison. With questions about the document it rests on the answers
// that a search finds first; otherwise on the places of the cuts.

import { kindOf, type Place } from '../../lib/compare.ts';
import type { PdfClient } from '../../lib/workers.ts';
import { shown } from '../words/en/views.ts';
import type { Judged } from './question-list.ts';

const words = shown.compare.place;

export interface Verdict {
  /** One sentence. */
  first: string;
  /** The figures for it. */
  more: string;
}

/** The answers that each method finds first. */
export interface Firsts {
  letters: string[];
  /** For each method, whether it finds the answer to each question first. */
  found: boolean[][];
}

/** How many cuts all methods make at the same place, all near each other, and some only. */
export function cutsVerdict(letters: readonly string[], places: readonly Place[]): string {
  if (letters.length < 2) return words.alone;
  if (places.length === 0) return words.noCuts(letters);
  const count = { same: 0, near: 0, some: 0 };
  const only = letters.map(() => 0);
  for (const place of places) {
    const kind = kindOf(place);
    count[kind]++;
    const [makes = -1, ...more] = letters.map((_, i) => i).filter((i) => typeof place.cuts[i] === 'number');
    if (kind === 'some' && more.length === 0) only[makes] = (only[makes] ?? 0) + 1;
  }
  if (count.near + count.some === 0) return words.alike(letters, count.same);
  return letters.length === 2
    ? words.two(
        count,
        letters.map((letter, i) => ({ letter, n: only[i] ?? 0 })),
      )
    : words.many(count);
}

/** Returns null if a method was not judged, or if no question has its answer in the text. */
export function firstsOf(judged: readonly Judged[]): Firsts | null {
  const all = judged.map(({ found }) => found);
  if (judged.length < 2 || all.includes(null)) return null;
  const asked = (all[0] ?? []).map((_, q) => q).filter((q) => all.every((found) => found?.[q]));
  return asked.length === 0
    ? null
    : {
        letters: judged.map(({ letter }) => letter),
        found: all.map((found) => asked.map((q) => found?.[q]?.rank === 1)),
      };
}

/**
 * Asks for the best method by the rule of the grid (shared/eval/choice.go). The grid compares
 * chunks with answers, so the answer is a character, and a method finds it or the next one.
 */
export async function chosen(
  pdf: PdfClient,
  { letters, found }: Firsts,
): Promise<{ best: string; wins: boolean; needed: number }> {
  const { result } = await pdf.call('grid', {
    budgets: { depths: [1], tokens: [] },
    answers: (found[0] ?? []).map(() => [[0, 1]]),
    rankings: found.map((hits, i) => ({
      method: letters[i] ?? '',
      ranker: 'hybrid',
      chunks: 1,
      tokens: 1,
      runs: [],
      found: hits.map((hit) => [hit ? [0, 1, 1] : [1, 2, 1]]),
    })),
    times: 1,
    price: null,
    priceOut: null,
  });
  return { best: result.rows[0]?.method ?? '', wins: result.winner !== undefined, needed: result.needed ?? 0 };
}

/** `cuts` is the sentence about the cuts. */
export function answersVerdict(
  { letters, found }: Firsts,
  { best, wins, needed }: { best: string; wins: boolean; needed: number },
  cuts: string,
): Verdict {
  const of = found[0]?.length ?? 0;
  const counts = letters.map((letter, i) => ({ letter, n: (found[i] ?? []).filter(Boolean).length }));
  const equal = counts.every(({ n }) => n === counts[0]?.n);
  const others = letters.filter((letter) => letter !== best);
  return {
    first: wins ? words.won(best, others) : words.undecided(of, needed),
    more: [words.firsts(counts, of), wins ? words.sure(best) : equal ? '' : words.chance, cuts]
      .filter(Boolean)
      .join(' '),
  };
}
