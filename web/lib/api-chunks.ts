// Types of messages about chunks, a part of api.ts.

/** `content` is the text order of the PDF, `reading` is for readers. */
export type View = 'reading' | 'content';

/** Why a chunk ends. */
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

/** Numbers without meaning for a kind, and zeros, are omitted. */
export interface Reason {
  kind: ReasonKind;
  /** On the curve. */
  value?: number;
  threshold?: number;
  /** For `largest`: how many were chosen. */
  of?: number;
  /** A name from the text after the boundary, such as the title of a heading. */
  name?: string;
  /** Set if the boundary would not be there without this limit. */
  for?: 'max';
}

export interface Chunk {
  id: string;
  start: number;
  end: number;
  tokens: number;
  /** The first page it touches. */
  page: number;
  pages: number[];
  /** The printed numbers of `pages`; absent if they are the same. */
  labels?: string[];
  section: string;
  /** With `headers`: the text before it for embedding. */
  header?: string;
  /** Why the chunk ENDS here. */
  reason: Reason;
  /** For `semantic`: the topic of all or most of the chunk, from 1. */
  topic?: number;
  /** Set if a maximum from the settings forbids joining it with the next. */
  full?: true;
}

/** All parameters of a document's cut, including those that the settings leave open. */
export interface Plan {
  /** Empty if it was not cut. */
  method: string;
  view: View | '';
  join: { given: boolean; with: string };
  sentences: string;
  embedder: string;
  criterion: { by?: 'setting' | 'threshold' | 'count'; value?: number };
  limits: { unit: string; min: number; max: number; overlap: number; asked: boolean; english?: boolean };
  headers: boolean;
}
