// What is searched for and what is found, as types.

import type { Form } from './open.ts';

export interface Query {
  text: string;
  /** How many pages, 10 by default. */
  k?: number;
  /** The last word may not be finished. */
  typing?: boolean;
  filters?: Record<string, string[]>;
  /** The newest pages first, of those that have most of the words; pages without a date come last. */
  newest?: boolean;
}

/** What the vector of a query says of chunks. */
export interface Near {
  score(chunk: number): number;
  /** The nearest chunks, of those that are allowed. */
  best(allowed: (chunk: number) => boolean): number[];
}

export interface Hit {
  page: number;
  chunks: number[];
  score: number;
}

/** A word of the query with all that stands for it. */
export interface Wanted {
  word: string;
  forms: { form: Form; weight: number }[];
  rarity: [number, number];
}

export interface Found {
  hits: Hit[];
  /** Pages that have any of the words. */
  count: number;
  unknown: string[];
  corrections: { word: string; taken: string }[];
  /** How many of the words the best chunk has, of `all`. */
  together: number;
  all: number;
  words: Wanted[];
  /** Of all pages that have any of the words, whatever the filters: how many have a value, by name and value. */
  facets: Map<string, Map<string, number>>;
}
