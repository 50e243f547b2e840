// The messages of a search, as types: a part of api.ts.

export type SearchMode = 'hybrid' | 'dense' | 'keyword';

export interface SearchParams {
  query: string;
  k?: number;
  mode?: SearchMode;
  /** Absent: all open documents. */
  docs?: number[];
  /** Pages by number, 0: no bound; `section` is in the titles of its sections; `formats` are extensions, `meta` what a file says of itself. */
  filter?: { from?: number; to?: number; section?: string; formats?: string[]; meta?: Record<string, string> };
  /** 0 to 1: how much a hit that says the same as a better one falls behind. */
  diversity?: number;
  /** The encoder, by its ID, whose vector of the query is blob 0. */
  encoder?: string;
}

/** A share of a hit's score: of its words, those of its section and document, words that stand together, similarity. */
export interface ScorePart {
  name: 'words' | 'section' | 'document' | 'proximity' | 'meaning';
  score: number;
}

export interface Found {
  hits: Hit[];
  /** Words of the query that no document has, nor anything like them. */
  unknown: string[];
  /** Words that no document has, and what was taken for them. */
  corrections: { word: string; taken: string }[];
  /** Embedders that could not be asked, and why: their documents were searched by words alone. */
  missing: { embedder: string; reason: string }[];
  /** The query with its words corrected: what an encoder is to read. */
  asked: string;
}

export interface Hit {
  doc: number;
  name: string;
  /** Index into the document's current chunks. */
  chunk: number;
  start: number;
  end: number;
  page: number;
  pages: number[];
  /** The titles of its sections; empty where there are none. */
  section: string;
  /** The sum of `parts`. */
  score: number;
  parts: ScorePart[];
  /** Of the query, that it has. */
  words: string[];
  /** The parts for people. */
  why: string;
  text: string;
  /** Matched words, as offsets into `text`. */
  marks: [number, number][];
  /** The sentence with most of them, in `text`; null where there is none. */
  passage: [number, number] | null;
  /** Of what was written of it, what it was found by; empty: its own text says more. */
  written: string;
}
