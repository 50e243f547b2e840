// Types of messages of a search, a part of api.ts.

export type SearchMode = 'hybrid' | 'dense' | 'keyword';

export interface SearchParams {
  query: string;
  k?: number;
  mode?: SearchMode;
  /** Absent means all open documents. */
  docs?: number[];
  /**
   * `from` and `to` are page numbers, 0 for no bound. `section` must occur in the section
   * titles. `formats` are file extensions, and `meta` the metadata of a file.
   */
  filter?: { from?: number; to?: number; section?: string; formats?: string[]; meta?: Record<string, string> };
  /** From 0 to 1: the penalty of a hit that repeats a better one. */
  diversity?: number;
  /** The ID of the encoder of blob 0, the query's vector. */
  encoder?: string;
}

/**
 * A part of a hit's score: from its words, from its section's and document's words, from
 * words close together, or from similarity.
 */
export interface ScorePart {
  name: 'words' | 'section' | 'document' | 'proximity' | 'meaning';
  score: number;
}

export interface Found {
  hits: Hit[];
  /** Words of the query that no document has, not even similar ones. */
  unknown: string[];
  /** Words that no document has, and the similar words used for them. */
  corrections: { word: string; taken: string }[];
  /** Words of `unknown` and `corrections` that occur outside the chunks, such as in a running head; `hidden` if only in text that nobody sees. */
  aside: { word: string; docs: number[]; hidden?: true }[];
  /**
   * Embedders that could not be asked, with the reason. Their documents were searched by
   * words alone.
   */
  missing: { embedder: string; reason: string }[];
  /** The query with corrected words, for an encoder. */
  asked: string;
  /** Hits of `ask` in lists of references or contents that the question does not name. They are left out. */
  lists: number;
  /** Documents of `shelve` whose files could not be read. The engine has dropped them. */
  lost: number[];
}

export interface Hit {
  doc: number;
  name: string;
  /** An index into the document's current chunks. */
  chunk: number;
  start: number;
  end: number;
  page: number;
  pages: number[];
  /** The printed numbers of `pages`; absent if they are the same. */
  labels?: string[];
  /** The titles of its sections, or empty. */
  section: string;
  /** The sum of `parts`. */
  score: number;
  parts: ScorePart[];
  /** The words of the query that it has. */
  words: string[];
  /** The parts in words. */
  why: string;
  text: string;
  /** Matched words, as offsets into `text`. */
  marks: [number, number][];
  /** The sentence with most matched words, as offsets into `text`, or null. */
  passage: [number, number] | null;
  /** The page on which `passage` begins. */
  passagePage?: number;
  /** The statement it was found by; empty if its own text matches better. */
  written: string;
  /** The line above it in a question to a model: document, section, page, date. */
  source?: string;
  /** The passage as `ask` sends it, if it takes text around it along. */
  sent?: string;
}
