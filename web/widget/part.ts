// The part of a site's index for one language.

import type { Found, Query } from './index/found.ts';
import { Index, type Source } from './index/open.ts';
import { type Meaning, search } from './index/search.ts';
import type { Sense } from './meaning/meaning.ts';

declare const __MEANING__: string;

/** A search, without its text. */
export interface Asked extends Omit<Query, 'text'> {
  /** Also searches by meaning, if the index has vectors, until this is aborted. */
  meaning?: AbortSignal;
  /**
   * The facets of the current page. They narrow the search if the index distinguishes pages
   * by them and `filters` does not override them.
   */
  page?: Record<string, string[]> | undefined;
}

export interface PartEntry {
  language: string;
  meta: string;
  meaning?: string;
}

export class Part {
  #index: Promise<Index> | undefined;
  #vectors: string | undefined; // their first file
  #sense: Promise<Sense> | undefined;

  constructor(
    readonly source: Source,
    readonly at: URL,
    readonly entry: PartEntry,
  ) {
    this.#vectors = entry.meaning;
  }

  /** Whether it can be searched by meaning. */
  get meant(): boolean {
    return this.#vectors !== undefined;
  }

  /** Opens the index once. After a failure, the next call tries again. */
  open(): Promise<Index> {
    if (!this.#index) {
      this.#index = Index.open(this.source, this.entry.meta);
      this.#index.catch(() => {
        this.#index = undefined;
      });
    }
    return this.#index;
  }

  async search(
    query: string,
    options: Asked,
  ): Promise<{ index: Index; found: Found; filters: Record<string, string[]> }> {
    const index = await this.open();
    const { meaning: signal, page, ...asked } = options;
    const filters = { ...narrowed(index, page), ...asked.filters };
    const meaning: Meaning | undefined = signal && ((...found) => this.#rank(index, query, signal, found));
    return { index, filters, found: await search(index, { text: query, ...asked, filters }, meaning) };
  }

  /** Ranks by meaning too. After a failure, it is reported once, and only words are used. */
  async #rank(index: Index, query: string, signal: AbortSignal, found: Parameters<Meaning>): Promise<void> {
    const first = this.#vectors;
    if (!first) return;
    this.#sense ??= (
      import(new URL(__MEANING__, import.meta.url).href) as Promise<typeof import('./meaning/meaning.ts')>
    ).then(({ Sense: Loaded }) => Loaded.open(index, this.source, this.at, first));
    try {
      await (await this.#sense).rank(query, signal, ...found);
    } catch (e) {
      if (signal.aborted || !this.#vectors) return;
      this.#vectors = undefined;
      console.warn('seam-search: pages are found by their words alone:', e);
    }
  }
}

/** Returns the page's facets for which the index has other values too. */
function narrowed(index: Index, page: Record<string, string[]> = {}): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(page).filter(([name, values]) => {
      const all = index.filters.get(name);
      return all && all.size > 1 && values.some((v) => all.has(v));
    }),
  );
}
