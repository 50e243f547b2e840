// The messages between the page and its two workers, as types.
//
// The Go programs in ../../wasm answer exactly these. Every offset is a number
// of UTF-16 units into the text of one view of one document, so that
// `text.slice(start, end)` is the passage. Large values travel beside the JSON
// as transferred buffers ("blobs"), in the order that each method names.

import type { Bundled, Statement, ToBundle } from './api-bundles.ts';
import type { Chunk, ReasonKind, View } from './api-chunks.ts';
import type { Edits, EditParams, HandLog, History } from './api-edits.ts';
import type { GridParams, GridReport } from './api-grid.ts';
import type { Answered, AskEvents, AskParams, ChatParams, ChatReply, Connected, Preview } from './api-hosted.ts';
import type { EnrichedItem, Enriching, EnrichItem, JudgedItem, JudgeItem } from './api-judge.ts';
import type { Found, SearchMode, SearchParams } from './api-search.ts';

export * from './api-bundles.ts';
export * from './api-chunks.ts';
export * from './api-edits.ts';
export * from './api-grid.ts';
export * from './api-hosted.ts';
export * from './api-judge.ts';
export * from './api-search.ts';

/** The version that both sides must agree on, sent in the `ready` event. */
export const PROTOCOL = 1;

/** What the bars of the curve are. For `similarity` a boundary is where the bar is BELOW the line. */
export type CurveKind = 'distance' | 'similarity' | 'gradient' | 'strength' | '';

/** The number that a method takes: a percentile, a factor, a coarseness. */
export interface Setting {
  label: string;
  default: number;
  min: number;
  max: number;
  step: number;
  /** Equal ratios are equal steps, of the binary logarithm. */
  logarithmic: boolean;
  /** More of it makes finer chunks; of others, coarser ones. */
  finer: boolean;
}

export interface Method {
  name: string;
  label: string;
  /** One sentence. */
  help: string;
  view: View;
  needsVectors: boolean;
  curve: CurveKind;
  /** Null for methods without one; those without a curve take no threshold and no count either. */
  setting: Setting | null;
  /** The maximum and the minimum where none is given; 0: none. */
  maxTokens: number;
  minTokens: number;
  takesMin: boolean;
  takesOverlap: boolean;
}

export interface Embedder {
  name: string;
  label: string;
  help: string;
}

/** A row of the table of formats: shared/read says what each field is. */
export interface Format {
  name: string;
  /** In a list of what Seam reads: “PDF”. Of those that it does read. */
  label?: string;
  /** “a PDF” */
  one: string;
  extensions?: string[];
  mediaTypes?: string[];
  /** What its files begin with, a character for each byte and `?` for any; or hold in the first `within` bytes. */
  marks?: { bytes: string; within?: number }[];
  /** The format that its files look like but for their names. */
  in?: string;
  /** The worker that reads it; absent: Seam does not read it. */
  room?: 'engine' | 'pdf';
}

export interface Hello {
  protocol: number;
  version: string;
  methods: Method[];
  embedders: Embedder[];
  /** In the order by which `Row.reason` numbers them. */
  reasons: ReasonKind[];
  formats: Format[];
  /** Bytes of the encoder that `encode` fetches. */
  meaning: number;
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

/** Blobs: the text, UTF-8; its elements (see element-marks.ts); its marks (see marks.ts). */
export interface ViewPages {
  view: View;
  pages: PageSpan[];
  /** With their levels, from 1 at the top; none in a content view that is another text than the reading view. */
  headings: { level: number; start: number; end: number }[];
}

export interface ViewText extends ViewPages {
  text: string;
  /** Kind, start and end of each, the outer ones first; as the headings, and none where the format has none. */
  elements: Int32Array;
  /** Look, start and end of each, ascending; none but of a text in Markdown. */
  marks: Int32Array;
}

/** Everything but `doc` is optional; 0 and absent both mean "not set". */
export interface ChunkParams {
  doc: number;
  method?: string;
  embedder?: string;
  /** Absent: the method's own. */
  view?: View;
  /** What it means is the method's business: a percentile, a factor, … */
  setting?: number;
  /** Instead of `setting`: a value on the curve, as from dragging the line. */
  threshold?: number;
  minTokens?: number;
  maxTokens?: number;
  overlap?: number;
  /** What lengths are counted in: words, chars, cl100k, o200k; absent: the embedder's tokens. */
  unit?: string;
  count?: number;
  /** Chunks have a header, and `tokens` and `maxTokens` are of both together. */
  headers?: boolean;
  /** Only to be looked at: what is shown, moved, changed by hand and searched stays. */
  aside?: boolean;
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
  /** Null for methods that take none. */
  setting: number | null;
  /** On the curve; null where there is none. */
  threshold: number | null;
  curve: CurveKind;
  sentences: number;
  chunks: Chunk[];
  milliseconds: Record<string, number>;
  cached: string[];
  /** The one that was used, of auto too. */
  embedder: string;
  /** What the embedder that was asked for does not know of the document's language: its name, and the share of the letters. Of auto it is why another was used. */
  unknown: { language: string; share: number } | null;
  edits: Edits;
  /** Sentences that a vector was made of, and that had one. */
  embedded: number;
  reused: number;
  /** Where nothing is cut and something could be: why, and the nearest setting that cuts; of a method without one how many chunks to ask for, else 0. */
  remedy: { why: string; step: Step | null; count: number } | null;
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
  /** Where the words of a view are on the pages: their sizes, in points as they are shown. Blob 0: three Int32 for each word, its start, its end and the index of its page. Blob 1: four Float32, its box in points from the upper left corner. */
  words: { params: { doc: number; view: View }; result: { pages: { width: number; height: number }[] } };
  chunk: { params: ChunkParams; result: Chunked };
  /** Cuts as the last `chunk` did; the same blobs. */
  edit: { params: EditParams; result: Chunked };
  search: { params: SearchParams; result: Found };
  /** Finds passages in the collection of the proxy, which is sent the query. They are of no document here: `doc` is 0, `chunk` -1, `start` and `end` are bytes. */
  collection: { params: { query: string; k: number; mode: SearchMode; encoder?: string }; result: Found };
  /** Makes vectors of texts by the encoder that comes with Seam; of none it only opens it. Blob: the vectors. */
  encode: { params: { texts: string[]; query?: boolean }; result: { encoder: string; dim: number } };
  /** Takes the vectors of `texts`, blob 0, and says which texts of all open documents are to be encoded next, how many are read, and how many documents as a whole. */
  read: {
    params: { encoder: string; texts: string[]; most: number; keep: boolean };
    result: { texts: string[]; done: number; total: number; ready: number };
  };
  /** The chunks that each question finds, by their numbers and best first, where settings cut the document, or, null, as it is cut now. Nothing that is shown or searched changes. */
  retrieve: {
    params: {
      doc: number;
      settings: Omit<ChunkParams, 'doc' | 'aside'> | null;
      questions: string[];
      k: number;
      mode: SearchMode;
    };
    result: { hits: number[][] };
  };
  /** How alike sentences are inside and between the chunks of several ways to cut, each by the sentences that its chunks begin with: means of cosines, null where there is no pair. */
  cohesion: { params: { doc: number; starts: number[][] }; result: { ways: Cohesion[] } };
  /** With `known`, names of embedders that the proxy had on an earlier visit, nobody is asked: stored vectors can be used. */
  connect: { params: { url: string; token: string; known: readonly string[] | null }; result: Connected };
  /** Cuts as the last `chunk` did, but with the line elsewhere. Blob: an Int32Array with a `Row` for each chunk, empty where the line cannot be moved. */
  recut: { params: { doc: number } & Line; result: { setting: number; threshold: number } };
  /** What settings would make of a document, cut otherwise as the last `chunk` did. None where it has no setting. */
  steps: { params: { doc: number; settings: number[] }; result: { steps: Step[] } };
  preview: { params: ChunkParams; result: Preview };
  ask: { params: AskParams; result: Answered; events: AskEvents };
  /** Has a chat model of the proxy answer, whose prompts have to be the client's. */
  chat: { params: ChatParams; result: ChatReply };
  /** A blob a file. */
  model: { params: { name: string; files: string[] }; result: Embedder };
  /** How many vectors of hosted models are stored. */
  cache: { params: Record<string, never>; result: { vectors: number; bytes: number } };
  /** Deletes them. */
  clear: { params: Record<string, never>; result: Record<string, never> };
  /** Writes a document, its vectors or what else was seen of it unless that is what `has` says, or the bytes of blob 0 into a new file. `bytes` 0: nothing was written. Without the name of a file it is blob 0 of the answer. */
  keep: {
    params: { doc?: number; file: string; what: 'document' | 'vectors' | 'seen' | 'bytes'; has?: string };
    result: { bytes: number; key: string };
  };
  /** Opens a document that was kept; without a file one of a bundle: blob 0 is the document, blob 1 its vectors, or empty. */
  reopen: {
    params: { name: string; file: string; vectors: string; seen: string; log: HandLog | null };
    result: Opened;
  };
  /** Deletes files that were kept: those of `remove`, and with `retain` all others than those and what begins with one of `spare`. */
  files: { params: { remove: string[]; retain: string[] | null; spare: string[] }; result: { files: string[] } };
  /** What was done by hand; with `since`, in milliseconds since 1970, compared with then. */
  history: { params: { doc: number; since: number }; result: History };
  /** What was written of a document, in the place of what was before: searches find its parts by it. */
  written: {
    params: { doc: number; statements: (Pick<Statement, 'view' | 'start' | 'end' | 'text'> & { title: boolean })[] };
    result: Record<string, never>;
  };
  close: { params: { doc: number }; result: Record<string, never> };
}

export interface PdfMethods {
  extract: { params: { name: string; password: string }; result: Extracted };
  /** Opens the bundle in blob 0. Blobs: of each document itself, and its vectors, empty where there are none. */
  unbundle: { params: Record<string, never>; result: { documents: Bundled[] } };
  /** Makes a bundle, which is blob 0 of the answer. Two blobs for each document, as `keep` gives them. */
  bundle: { params: { documents: ToBundle[] }; result: { bytes: number } };
  /** Compares settings by what they have found, and by the answers of a model. */
  grid: { params: GridParams; result: GridReport };
  /** Takes answers and their judgements on by a step: what is to be asked of each item next, or what it came to. `model` and `judge` are ids. */
  judge: { params: { model: string; judge: string; items: JudgeItem[] }; result: { items: JudgedItem[] } };
  /** Takes what a model writes of texts on by a step: statements, titles, or the questions that a question is made of. `model` is an id. */
  enrich: { params: { model: string; what: Enriching; items: EnrichItem[] }; result: { items: EnrichedItem[] } };
}

export interface Progress {
  stage: 'documents' | 'pages' | 'sentences' | 'vectors' | 'curve' | 'chunks' | 'index';
  done: number;
  total: number;
}

/** The engine's own codes, and those the page adds: a file without a byte, a worker that died or is of another version. */
export type ErrorCode =
  | 'cancelled'
  | 'password'
  | 'not-pdf'
  | 'damaged'
  | 'not-text'
  | 'empty'
  | 'unknown-document'
  | 'bad-request'
  | 'too-large'
  | 'internal'
  | 'gone'
  | 'storage'
  | 'bad-model'
  | 'offline'
  | 'refused'
  | 'budget'
  | 'busy'
  | 'upstream'
  | 'no-bytes'
  | 'died'
  | 'version';

export interface ErrorData {
  code: string;
  message: string;
  hint?: string;
}

/** Of two sentences of a chunk, and of one and another of the next chunk. */
export interface Cohesion {
  inside: number | null;
  between: number | null;
}

/** What a setting makes of a document. */
export interface Step {
  setting: number;
  chunks: number;
  /** The median of their lengths. */
  typical: number;
  /** The same for settings that make the same. */
  cuts: string;
}

/** Where a moving line is to be: at a value of the curve, or where a setting of the method puts it. */
export type Line = { threshold: number; setting?: never } | { setting: number; threshold?: never };

/** The numbers of a chunk in the blob of `recut`, in this order. */
export const Row = {
  start: 0,
  end: 1,
  tokens: 2,
  /** Page numbers; 0 where there is none. */
  firstPage: 3,
  lastPage: 4,
  /** The sentence i whose gap ends the chunk, -1 where none does. */
  after: 5,
  /** The kind of its reason, by its place in `Hello.reasons`. */
  reason: 6,
  width: 7,
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
