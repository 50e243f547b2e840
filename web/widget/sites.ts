// Searches several indexes as one, such as a handbook and a reference on another host.

import { together } from './together.ts';
import { type Options, type Result, type Results, Site } from './site.ts';
import { Unavailable } from './files.ts';

export class Sites {
  readonly #all: { site: Site; weight: number }[];

  /** Addresses are separated by spaces. Weights are in the same order, with a default of 1. */
  constructor(addresses: string, weights: string, language: string, root?: string) {
    const by = weights.split(/\s+/).filter(Boolean).map(Number);
    this.#all = addresses
      .trim()
      .split(/\s+/)
      .map((address, i) => ({ site: new Site(address, language, root), weight: by[i]! >= 0 ? by[i]! : 1 }));
  }

  /** Opens all indexes; fails if none can be opened. */
  async open(): Promise<void> {
    await some(this.#all.map(({ site }) => site.open()));
  }

  /** Reports whether any index has vectors. */
  get meant(): boolean {
    return this.#all.some(({ site }) => site.meant);
  }

  /** Searches all indexes. A page's score is multiplied by the weight of its index. */
  async search(query: string, options: Options = {}): Promise<Results> {
    const { done, failed } = await some(
      this.#all.map(async ({ site, weight }) => {
        const { first, ...rest } = options;
        const r = await site.search(query, first && this.#all.length === 1 ? { ...rest, first } : rest);
        for (const page of r.results) page.score *= weight;
        return r;
      }),
    );
    const missing = failed.map((i) => this.#all[i]!.site.host);
    return done.length === 1 ? { ...done[0]!, missing } : { ...merged(done, options), missing };
  }
}

/**
 * Returns the results of the successful ones, and the indexes of the failed; throws if all
 * failed.
 */
async function some<T>(all: Promise<T>[]): Promise<{ done: T[]; failed: number[] }> {
  const settled = await Promise.allSettled(all);
  const done = settled.flatMap((s) => (s.status === 'fulfilled' ? [s.value] : []));
  const failed = settled.flatMap((s, i) => (s.status === 'rejected' ? [i] : []));
  if (!done.length) throw (settled[0] as PromiseRejectedResult | undefined)?.reason ?? new Unavailable('missing');
  for (const s of settled)
    if (s.status === 'rejected' && !(s.reason instanceof Unavailable)) console.error('seam-search:', s.reason);
  return { done, failed };
}

function merged(all: Results[], options: Options): Results {
  const better = (a: Result, b: Result) => b.score - a.score;
  const newer = (a: Result, b: Result) => (a.date < b.date ? 1 : a.date > b.date ? -1 : better(a, b));
  // With the newest first, only indexes that match the most words contribute pages.
  const most = Math.max(...all.map(({ found }) => found.all));
  const asked = options.newest ? all.filter(({ found }) => found.all === most) : all;
  return {
    ...all[0]!,
    found: together(asked.map(({ found }) => found)),
    results: asked
      .flatMap((r) => r.results)
      .sort(options.newest ? newer : better)
      .slice(0, options.k ?? 10),
    filters: Object.assign({}, ...all.map((r) => r.filters)),
    dated: all.some((r) => r.dated),
    ms: Math.max(...all.map((r) => r.ms)),
  };
}
