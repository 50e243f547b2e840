// The types of queries and results.

import type { Form } from './open.ts';

export interface Query {
  text: string;
  /** The number of pages, 10 by default. */
  k?: number;
  /** Whether the last word may be unfinished. */
  typing?: boolean;
  filters?: Record<string, string[]>;
  /**
   * Sorts the pages with most of the words by date, newest first. Pages without a date come
   * last.
   */
  newest?: boolean;
}

/** Scores chunks by their similarity to the vector of a query. */
export interface Near {
  score(chunk: number): number;
  /** Returns the nearest allowed chunks. */
  best(allowed: (chunk: number) => boolean): number[];
}

export interface Hit {
  page: number;
  chunks: number[];
  score: number;
}

/** A word of the query with all forms that match it. */
export interface Wanted {
  word: string;
  forms: { form: Form; weight: number }[];
  rarity: [number, number];
}

export interface Found {
  hits: Hit[];
  /** The number of pages with any of the words. */
  count: number;
  unknown: string[];
  corrections: { word: string; taken: string }[];
  /** How many of the `all` words the best chunk has. */
  together: number;
  all: number;
  words: Wanted[];
  /**
   * For all pages with any of the words, before filters: the number of pages for each
   * value, by name and value.
   */
  facets: Map<string, Map<string, number>>;
}
