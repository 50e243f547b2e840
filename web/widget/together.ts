// Joins the results of several indexes.

import type { Found } from './index/found.ts';

/** A word is unknown or corrected only if no index has it. */
export function together(all: Found[]): Found {
  const amiss = (f: Found) => [...f.unknown, ...f.corrections.map(({ word }) => word)];
  const inAll = (word: string) => all.every((f) => amiss(f).includes(word));
  const corrections = all
    .flatMap((f) => f.corrections)
    .filter(({ word }, i, list) => inAll(word) && list.findIndex((c) => c.word === word) === i);
  const facets: Found['facets'] = new Map();
  for (const f of all) {
    for (const [name, values] of f.facets) {
      const sum = facets.get(name) ?? new Map<string, number>();
      facets.set(name, sum);
      for (const [value, n] of values) sum.set(value, (sum.get(value) ?? 0) + n);
    }
  }
  const best = all.reduce((a, b) => (b.together > a.together ? b : a));
  return {
    hits: [],
    count: all.reduce((n, f) => n + f.count, 0),
    unknown: all[0]!.unknown.filter((word) => inAll(word) && !corrections.some((c) => c.word === word)),
    corrections,
    together: best.together,
    all: best.all,
    words: all.flatMap((f) => f.words),
    facets,
  };
}
