// The messages between the page and its two workers, as types.
//
// The Go programs in ../../wasm answer exactly these. Every offset is a number
// of UTF-16 units into the text of one view of one document, so that
// `text.slice(start, end)` is the passage. Large values travel beside the JSON
// as transferred buffers ("blobs"), in the order that each method names.

/** The version that both sides must agree on, sent in the `ready` event. */
export const PROTOCOL = 1;

/** `content` is the PDF's own order of text, `reading` is for people. */
export type View = 'reading' | 'content';
export type SearchMode = 'hybrid' | 'dense' | 'keyword';

/** What the bars of the curve are. For `similarity` a cut is where the bar is BELOW the line. */
export type CurveKind = 'distance' | 'similarity' | 'gradient' | 'strength' | '';

export interface Threshold {
  label: string;
  default: number;
  min: number;
  max: number;
  step: number;
  /** Equal ratios are equal steps, of the binary logarithm. */
  logarithmic: boolean;
}

export interface Method {
  name: string;
  label: string;
  /** One sentence. */
  help: string;
  view: View;
  needsEmbeddings: boolean;
  curve: CurveKind;
  /** Absent for methods without one; those without a curve take no count either. */
  threshold: Threshold | null;
  /** The maximum where none is given; 0: none. */
  size: number;
  /** The minimum where none is given; 0: none. */
  least: number;
  /** Whether it takes a minimum, and an overlap. */
  minTokens: boolean;
  overlap: boolean;
}

export interface Embedder {
  name: string;
  label: string;
  help: string;
}

export interface Hello {
  protocol: number;
  version: string;
  methods: Method[];
  embedders: Embedder[];
  defaults: { method: string; embedder: string };
}

export interface Opened {
  doc: number;
  name: string;
  title: string;
  pages: number;
  /** Sentences for people, such as "pages 3, 7–9 hold images without text (scanned)". */
  notes: string[];
  /** Of another version of a document: changes by hand that have no place in it. Null: it is new. */
  lost: number | null;
}

export interface PageSpan {
  number: number;
  start: number;
  end: number;
}

/** Blob: the text, UTF-8. */
export interface ViewPages {
  view: View;
  pages: PageSpan[];
}

export interface ViewText extends ViewPages {
  text: string;
}

/** Everything but `doc` is optional; 0 and absent both mean "not set". */
export interface ChunkParams {
  doc: number;
  method?: string;
  embedder?: string;
  /** What it means is the method's business: a percentile, a factor, … */
  threshold?: number;
  /** Instead of `threshold`: an absolute value on the curve, as from dragging the line. */
  cut?: number;
  minTokens?: number;
  maxTokens?: number;
  overlap?: number;
  /** What lengths are counted in: words, chars, cl100k, o200k; absent: the embedder's tokens. */
  unit?: string;
  count?: number;
  /** Chunks have a header, and `tokens` and `maxTokens` are of both together. */
  headers?: boolean;
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
  /** Why the chunk ENDS here; the last one says "end", one that was made by hand "manual". */
  reason: string;
  /** Of `semantic`: the topic that it is of, or most of it, from 1. */
  topic?: number;
}

/** What was done by hand to the boundaries of a document's text. */
export interface Edits {
  /** Changes in force; a boundary that was moved is one. */
  count: number;
  /** Boundaries that are to be none, and that the maximum keeps. */
  held: number;
  canUndo: boolean;
  canRedo: boolean;
}

export interface EditParams {
  doc: number;
  action: 'split' | 'merge' | 'move' | 'undo' | 'redo' | 'clear';
  /** To split: where a chunk is to begin. To merge and move: where one ends. */
  at?: number;
  /** To move: where a chunk is to begin instead. */
  to?: number;
}

/**
 * Blobs: 0 the curve (Float32Array, sentences − 1 values, or none), 1 sentence
 * starts and ends in turn (Int32Array), 2 boundaries (Int32Array; a break after
 * sentence i).
 */
export interface Chunked {
  doc: number;
  view: View;
  method: string;
  /** Both null for methods without a curve. */
  threshold: number | null;
  cut: number | null;
  curve: CurveKind;
  sentences: number;
  chunks: Chunk[];
  milliseconds: Record<string, number>;
  cached: string[];
  /** What the embedder does not know of the document's language: its name, and the share of the letters. */
  unknown: { language: string; share: number } | null;
  edits: Edits;
  /** Sentences that a vector was made of, and that had one. */
  embedded: number;
  reused: number;
}

export interface SearchParams {
  query: string;
  k?: number;
  mode?: SearchMode;
  /** Absent: all open documents. */
  docs?: number[];
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
  score: number;
  why: string;
  text: string;
  /** Matched words, as offsets into `text`. */
  marks: [number, number][];
}

/** Before the name of an embedder or a chat model that the proxy relays to. */
export const HOSTED = 'openai:';

/** A model that the proxy relays to; prices in US dollars for a million tokens, null where they are not known. */
export interface HostedModel {
  /** What `chunk` and `ask` take: HOSTED and the id. */
  name: string;
  id: string;
  kind: 'embed' | 'chat';
  label: string;
  /** Numbers of a vector and tokens of a text; 0 where that is not known. */
  dimensions: number;
  input: number;
  price: number | null;
  priceOut: number | null;
}

export interface Connected {
  /** Who writes the prompts of `ask`. */
  prompts: 'client' | 'server';
  models: HostedModel[];
}

/** What `chunk` with the same parameters would send: nothing where `missing` is 0. */
export interface Preview {
  embedder: string;
  texts: number;
  missing: number;
  /** Of the missing texts, estimated. */
  tokens: number;
  calls: number;
  dollars: number | null;
}

export interface AskParams {
  question: string;
  model: string;
  docs?: number[];
  k?: number;
  mode?: SearchMode;
}

/** `hits` come first, in the order in which the answer numbers them from 1. */
export interface AskEvents {
  hits: { hits: Hit[] };
  delta: { text: string };
}

export interface Answered {
  /** stop, length or filter. */
  finish: string;
  tokens: number;
  tokensOut: number;
  /** The model has said that the passages do not hold the answer. */
  refused: boolean;
  /** How many were sent. */
  passages: number;
}

/** Blob 0 of the answer is the encoded document, to be handed to the engine as it is. */
export interface Extracted {
  pages: number;
  title: string;
  notes: string[];
  milliseconds: Record<string, number>;
}

export interface EngineMethods {
  hello: { params: Record<string, never>; result: Hello };
  /** `replace` is the open document that this is another version of. */
  open: { params: { name: string; kind: 'document' | 'file'; replace?: number }; result: Opened };
  text: { params: { doc: number; view: View }; result: ViewPages };
  chunk: { params: ChunkParams; result: Chunked };
  /** Cuts as the last `chunk` did; the same blobs. */
  edit: { params: EditParams; result: Chunked };
  search: { params: SearchParams; result: { hits: Hit[] } };
  connect: { params: { url: string; token: string }; result: Connected };
  preview: { params: ChunkParams; result: Preview };
  ask: { params: AskParams; result: Answered; events: AskEvents };
  /** A blob a file. */
  model: { params: { name: string; files: string[] }; result: Embedder };
  kept: { params: Record<string, never>; result: { vectors: number; bytes: number } };
  forget: { params: Record<string, never>; result: Record<string, never> };
  close: { params: { doc: number }; result: Record<string, never> };
}

export interface PdfMethods {
  extract: { params: { name: string; password: string }; result: Extracted };
}

export interface Progress {
  stage: 'pages' | 'sentences' | 'embeddings' | 'curve' | 'chunks' | 'index';
  done: number;
  total: number;
}

/** The engine's own codes, and those the page adds: a file without a byte, a worker that died or is of another version. */
export type ErrorCode =
  | 'cancelled' | 'password' | 'not-pdf' | 'damaged' | 'not-text' | 'empty'
  | 'unknown-document' | 'bad-request' | 'too-large' | 'internal'
  | 'bad-model' | 'offline' | 'refused' | 'budget' | 'busy' | 'upstream'
  | 'no-bytes' | 'died' | 'version';

export interface ErrorData {
  code: string;
  message: string;
  hint?: string;
}

/** A call for each step of a moving line, beside the JSON: to the engine… */
export type HotCall = { hot: number; doc: number } & Line;

/** Where a moving line is to be: at a value of the curve, or where a setting of the method puts it. */
export type Line = { cut: number; threshold?: never } | { threshold: number; cut?: never };

/** …and back: an Int32Array with a `Row` for each chunk, none where the line cannot be moved; and where the line is now. */
export interface HotAnswer {
  hot: number;
  rows: ArrayBuffer;
  cut: number;
  threshold: number;
}

/** The numbers of a chunk in the answer of a hot call, in this order (engine.Recut in Go). */
export const Row = {
  start: 0,
  end: 1,
  tokens: 2,
  /** Page numbers; 0 where there is none. */
  firstPage: 3,
  lastPage: 4,
  /** The sentence i whose gap ends the chunk, -1 where none does; -3 - i where it was ended by hand. */
  after: 5,
  width: 6,
} as const;

/** What goes through postMessage, in both directions. */
export interface Envelope {
  json: string;
  blobs?: ArrayBuffer[];
}

/** The JSON of a message from a worker. Without an id it is about the worker itself. */
export interface Incoming {
  id?: number;
  event?: string;
  data?: unknown;
  result?: unknown;
  error?: ErrorData;
}
