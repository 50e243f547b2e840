// What messages say of chunks, as types: a part of api.ts.

/** `content` is the PDF's own order of text, `reading` is for people. */
export type View = 'reading' | 'content';

/** What ends a chunk. */
export type ReasonKind =
  | 'end'
  | 'distance'
  | 'gradient'
  | 'similarity'
  | 'strength'
  | 'topic'
  | 'largest'
  | 'cluster'
  | 'heading'
  | 'page'
  | 'paragraph'
  | 'line'
  | 'sentence'
  | 'clause'
  | 'word'
  | 'max'
  | 'size'
  | 'manual';

/** Numbers that say nothing for a kind, and zeros, are left out. */
export interface Reason {
  kind: ReasonKind;
  /** On the curve. */
  value?: number;
  threshold?: number;
  /** Of `largest`: how many were chosen. */
  of?: number;
  /** Of what begins behind the boundary: the title of a heading. */
  name?: string;
}

export interface Chunk {
  id: string;
  start: number;
  end: number;
  tokens: number;
  /** The first page it touches. */
  page: number;
  pages: number[];
  section: string;
  /** With `headers`: what stands before its text where it is embedded. */
  header?: string;
  /** Why the chunk ENDS here. */
  reason: Reason;
  /** Of `semantic`: the topic that it is of, or most of it, from 1. */
  topic?: number;
}

/** How a document was cut, with all that settings leave open. */
export interface Plan {
  /** Empty: it was not cut. */
  method: string;
  view: View | '';
  join: { given: boolean; with: string };
  sentences: string;
  embedder: string;
  criterion: { by?: 'setting' | 'threshold' | 'count'; value?: number };
  limits: { unit: string; min: number; max: number; overlap: number; asked: boolean; english?: boolean };
  headers: boolean;
}
