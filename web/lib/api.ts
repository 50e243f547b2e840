// Types of the messages between the page and its two workers.
//
// The Go programs in ../../wasm send and receive exactly these. Every offset is in UTF-16
// units in the text of one view of one document, so `text.slice(start, end)` is the
// passage. Large values are sent next to the JSON as transferred buffers ("blobs"), in the
// order that each method documents.

import type { Bundled, Statement, ToBundle } from './api-bundles.ts';
import type { Chunk, ReasonKind, View } from './api-chunks.ts';
import type { Edits, EditParams, HandLog, History } from './api-edits.ts';
import type { GridParams, GridReport } from './api-grid.ts';
import type {
  Answered,
  AskEvents,
  AskParams,
  ChatParams,
  ChatReply,
  Connected,
  KnownModel,
  Preview,
} from './api-hosted.ts';
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

/**
 * The meaning of the curve's bars. For `similarity`, a boundary is where the bar is BELOW
 * the line.
 */
export type CurveKind = 'distance' | 'similarity' | 'gradient' | 'strength' | '';

/** The number that a method takes: a percentile, a factor, a coarseness. */
export interface Setting {
  label: string;
  default: number;
  min: number;
  max: number;
  step: number;
  /** Whether equal steps are equal ratios. The step is in the binary logarithm. */
  logarithmic: boolean;
  /** Whether a greater number makes finer chunks, not coarser ones. */
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
  /**
   * Null for methods without one. Methods without a curve take no threshold and no count
   * either.
   */
  setting: Setting | null;
  /** The default maximum and minimum; 0 means none. */
  maxTokens: number;
  minTokens: number;
  takesMin: boolean;
  takesOverlap: boolean;
}

export interface Embedder {
  name: string;
  label: string;
  help: string;
  /** The prefixes of a hosted one; absent for none. */
  query?: string;
  passage?: string;
}

/** A row of the table of formats. The fields are documented in shared/read. */
export interface Format {
  name: string;
  /** The name in a list of formats, such as “PDF”; only for formats that Seam reads. */
  label?: string;
  /** “a PDF” */
  one: string;
  extensions?: string[];
  mediaTypes?: string[];
  /**
   * The bytes that its files begin with, or contain in the first `within` bytes: one
   * character for each byte, `?` for any.
   */
  marks?: { bytes: string; within?: number }[];
  /** The format with the same content, from which only the file name differs. */
  in?: string;
  /** The worker that reads it; absent if Seam does not read it. */
  room?: 'engine' | 'pdf';
}

export interface Hello {
  protocol: number;
  version: string;
  methods: Method[];
  embedders: Embedder[];
  /** In the order of the numbers in `Row.reason`. */
  reasons: ReasonKind[];
  formats: Format[];
  /** The size of the encoder that `encode` fetches, in bytes. */
  meaning: number;
  defaults: { method: string; embedder: string };
}

export interface Opened {
  doc: number;
  name: string;
  title: string;
  pages: number;
  /** Sentences such as "pages 3, 7–9 hold images without text (scanned)". */
  notes: string[];
  /**
   * For another version of a document: how many changes by hand have no place in it. Null
   * for a new document.
   */
  lost: number | null;
}

export interface PageSpan {
  number: number;
  /** The printed number, if the file has one. */
  label?: string;
  start: number;
  end: number;
}

/** Blobs: the text as UTF-8; its elements (see element-marks.ts); its marks (see marks.ts). */
export interface ViewPages {
  view: View;
  pages: PageSpan[];
  /**
   * Levels count from 1 at the top. Empty for a content view with another text than the
   * reading view.
   */
  headings: { level: number; start: number; end: number }[];
  /** Ascending by start. Empty in the same cases as the headings. */
  links: Link[];
  /** Absent without any. The size is as the file states it. */
  attachments?: { name: string; type?: string; bytes?: number }[];
}

/** A link of a document: to a URL, which may have any scheme, or to a page. Its part of the text may be empty. */
export interface Link {
  url?: string;
  page?: number;
  start: number;
  end: number;
}

export interface ViewText extends ViewPages {
  text: string;
  /**
   * Kind, start and end of each, outer ones first. Empty in the same cases as the headings,
   * or if the format has no elements.
   */
  elements: Int32Array;
  /** Look, start and end of each, ascending. Only Markdown texts have any. */
  marks: Int32Array;
}

/** Everything but `doc` is optional; 0 and absent both mean "not set". */
export interface ChunkParams {
  doc: number;
  method?: string;
  embedder?: string;
  /** Absent means the method's own. */
  view?: View;
  /** Its meaning depends on the method: a percentile, a factor, … */
  setting?: number;
  /** Instead of `setting`: a value on the curve, as from dragging the line. */
  threshold?: number;
  minTokens?: number;
  maxTokens?: number;
  overlap?: number;
  /** The unit of lengths: words, chars, cl100k, o200k. Absent means the embedder's tokens. */
  unit?: string;
  count?: number;
  /** Whether chunks have a header. `tokens` and `maxTokens` then include it. */
  headers?: boolean;
  /** A preview only: it does not affect later displays, moves, changes by hand or searches. */
  aside?: boolean;
}

/**
 * Blobs: 0 the curve (Float32Array, sentences − 1 values, or none), 1 start and end of each
 * sentence in turn (Int32Array), 2 boundaries (Int32Array; a break after sentence i).
 */
export interface Chunked {
  doc: number;
  view: View;
  method: string;
  /** Null for methods without one. */
  setting: number | null;
  /** On the curve; null if there is none. */
  threshold: number | null;
  curve: CurveKind;
  sentences: number;
  chunks: Chunk[];
  /** Whether lengths are estimates of a model's tokens. */
  estimated: boolean;
  /** The limits used, from the settings or the method; 0 for none. */
  minTokens: number;
  maxTokens: number;
  milliseconds: Record<string, number>;
  cached: string[];
  /** The embedder used, also for auto. */
  embedder: string;
  /**
   * The document's language and its share of the letters, if the requested embedder does
   * not know it. For auto, this is why another was used.
   */
  unknown: { language: string; share: number } | null;
  edits: Edits;
  /** How many sentences were embedded, and how many vectors were reused. */
  embedded: number;
  reused: number;
  /**
   * Set if nothing is cut but something could be: the reason, and the nearest setting that
   * cuts. For a method without a setting, `count` is the number of chunks to ask for,
   * otherwise 0.
   */
  remedy: { why: string; step: Step | null; count: number } | null;
}

/** Blob 0 of the answer is the encoded document, to be passed to the engine unchanged. */
export interface Extracted {
  pages: number;
  title: string;
  notes: string[];
  milliseconds: Record<string, number>;
}

export interface EngineMethods {
  hello: { params: Record<string, never>; result: Hello };
  /**
   * `replace` is an open document, and this is another version of it. With `any`, a text that
   * looks like no language is read, too.
   */
  /** `saved` is the day on which the file was written, such as 2024-03-05; empty if unknown. So it is below. */
  open: {
    params: { name: string; kind: 'document' | 'file'; replace?: number; any?: boolean; saved?: string };
    result: Opened;
  };
  text: { params: { doc: number; view: View }; result: ViewPages };
  /**
   * Returns the positions of a view's words on the pages, with page sizes in points as
   * displayed. Blob 0 has three Int32 for each word: start, end and page index. Blob 1 has
   * four Float32: its box in points from the upper left corner.
   */
  words: { params: { doc: number; view: View }; result: { pages: { width: number; height: number }[] } };
  chunk: { params: ChunkParams; result: Chunked };
  /** Cuts like the last `chunk`; the same blobs. */
  edit: { params: EditParams; result: Chunked };
  search: { params: SearchParams; result: Found };
  /**
   * Searches the collection of the proxy, which receives the query. The passages belong to
   * no open document: `doc` is 0, `chunk` is -1, and `start` and `end` are in bytes.
   */
  collection: { params: { query: string; k: number; mode: SearchMode; encoder?: string }; result: Found };
  /**
   * Embeds texts with the encoder that comes with Seam. Without texts, only loads it. Blob:
   * the vectors.
   */
  encode: { params: { texts: string[]; query?: boolean }; result: { encoder: string; dim: number } };
  /**
   * Takes the vectors of `texts` in blob 0. Returns the next texts to embed from all open
   * documents, how many are done, and how many documents are complete.
   */
  read: {
    params: { encoder: string; texts: string[]; most: number; keep: boolean };
    result: { texts: string[]; done: number; total: number; ready: number };
  };
  /**
   * Returns the chunks found for each question, as numbers, best first. They come from a
   * cut with the settings, or from the current cut if null. Nothing shown or searched
   * changes.
   */
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
  /**
   * Returns the similarity of sentences inside and between chunks for several cuts. A cut
   * is given by the first sentence of each chunk. The values are mean cosines, or null
   * without a pair.
   */
  cohesion: { params: { doc: number; starts: number[][] }; result: { ways: Cohesion[] } };
  /** Makes a file of the chunks of the last cut. Blob: the file. */
  export: { params: ExportParams; result: { chunks: number } };
  /**
   * With `known`, the embedders of the proxy on an earlier visit, no request is made, and
   * stored vectors can be used.
   */
  connect: { params: { url: string; token: string; known: readonly KnownModel[] | null }; result: Connected };
  /**
   * Moves the line of the last `chunk`. Blob: an Int32Array with a `Row` for each chunk,
   * empty if the line cannot be moved.
   */
  recut: { params: { doc: number } & Line; result: { setting: number; threshold: number } };
  /**
   * Returns the effect of other settings on the last `chunk`. Empty if its method has no
   * setting.
   */
  steps: { params: { doc: number; settings: number[] }; result: { steps: Step[] } };
  preview: { params: ChunkParams; result: Preview };
  ask: { params: AskParams; result: Answered; events: AskEvents };
  /** Asks a chat model of the proxy, which must accept prompts of the client. */
  chat: { params: ChatParams; result: ChatReply };
  /** One blob for each file. */
  model: { params: { name: string; files: string[] }; result: Embedder };
  /** Returns how many vectors of hosted models are stored. */
  cache: { params: Record<string, never>; result: { vectors: number; bytes: number } };
  /** Deletes them. */
  clear: { params: Record<string, never>; result: Record<string, never> };
  /**
   * Writes to a new file: a document, its vectors, other computed results, the index for
   * `shelve` with the size of its head, or the bytes of blob 0. Nothing is written if `has` already names that content; `bytes` is then 0.
   * Without a file name, the content is blob 0 of the answer.
   */
  keep: {
    params: { doc?: number; file: string; what: 'document' | 'vectors' | 'seen' | 'index' | 'bytes'; has?: string };
    result: { bytes: number; key: string; head: number };
  };
  /**
   * Lets searches cover kept documents without opening them, by the files that `keep` wrote
   * as `index`. Blob 0 has the files with a size `given`, one after another. Returns a number
   * for each document, or 0 if its file cannot be read.
   */
  shelve: {
    params: { docs: { name: string; file: string; head: number; given?: number; saved?: string }[] };
    result: { docs: number[] };
  };
  /**
   * Opens a kept document, and drops its number from `shelve`. Without a file, opens one of a bundle: blob 0 is the document,
   * blob 1 its vectors or empty.
   */
  reopen: {
    params: {
      name: string;
      file: string;
      vectors: string;
      seen: string;
      log: HandLog | null;
      shelf?: number;
      saved?: string;
    };
    result: Opened;
  };
  /**
   * Returns the changes by hand, compared with the time `since` in milliseconds since 1970,
   * if set.
   */
  history: { params: { doc: number; since: number }; result: History };
  /** Replaces the statements about a document, by which searches find its parts. */
  written: {
    params: { doc: number; statements: (Pick<Statement, 'view' | 'start' | 'end' | 'text'> & { title: boolean })[] };
    result: Record<string, never>;
  };
  close: { params: { doc: number }; result: Record<string, never> };
}

/** `csv` has every text as it is, `spreadsheet` has no formulas, `langchain` is for loaders. */
export type ExportFormat = 'json' | 'jsonl' | 'csv' | 'spreadsheet' | 'langchain';

/** The unit of offsets in a file. */
export type OffsetUnit = 'bytes' | 'utf16' | 'codepoints';

export interface ExportParams {
  doc: number;
  /** The name of the document in the file. */
  file: string;
  format: ExportFormat;
  offsets: OffsetUnit;
  /** Makes the file of settings beside the chunks instead. */
  settings: boolean;
  /** The digest of the document's file, for the settings; may be empty. */
  sha256: string;
}

export interface PdfMethods {
  extract: { params: { name: string; password: string; encoding?: string; any?: boolean }; result: Extracted };
  /** Returns in blob 0 a file attached to the PDF in blob 0. */
  attached: { params: { name: string; password: string }; result: { bytes: number } };
  /**
   * Opens the bundle in blob 0. Blobs: for each document itself and its vectors, empty if
   * there are none.
   */
  unbundle: { params: Record<string, never>; result: { documents: Bundled[] } };
  /**
   * Writes a bundle to blob 0 of the answer. Takes two blobs for each document, as returned
   * by `keep`.
   */
  bundle: { params: { documents: ToBundle[] }; result: { bytes: number } };
  /** Compares settings by their search results, and by the answers of a model. */
  grid: { params: GridParams; result: GridReport };
  /**
   * Advances answers and their judgements by a step, to the next request of each item or to
   * its result. `model` and `judge` are ids.
   */
  judge: { params: { model: string; judge: string; items: JudgeItem[] }; result: { items: JudgedItem[] } };
  /**
   * Advances texts by a model by a step: statements, titles, or the parts of a question.
   * `model` is an id.
   */
  enrich: { params: { model: string; what: Enriching; items: EnrichItem[] }; result: { items: EnrichedItem[] } };
}

export interface Progress {
  stage: 'documents' | 'pages' | 'sentences' | 'vectors' | 'curve' | 'chunks' | 'index';
  done: number;
  total: number;
}

/**
 * The engine's codes, and the page's own: an empty file, a worker that died or has
 * another version.
 */
export type ErrorCode =
  | 'cancelled'
  | 'password'
  | 'not-pdf'
  | 'damaged'
  | 'not-text'
  | 'no-language'
  | 'encoding'
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

/** Between two sentences of a chunk, and between sentences of neighbouring chunks. */
export interface Cohesion {
  inside: number | null;
  between: number | null;
}

/** The effect of a setting on a document. */
export interface Step {
  setting: number;
  chunks: number;
  /** Their median length. */
  typical: number;
  /** Equal for settings with the same cuts. */
  cuts: string;
}

/** The position of a moving line: a value of the curve, or a setting of the method. */
export type Line = { threshold: number; setting?: never } | { setting: number; threshold?: never };

/** The numbers of a chunk in the blob of `recut`, in this order. */
export const Row = {
  start: 0,
  end: 1,
  tokens: 2,
  /** Page numbers; 0 if there is none. */
  firstPage: 3,
  lastPage: 4,
  /** The sentence whose gap ends the chunk, or -1. */
  after: 5,
  /** The kind of its reason, as an index into `Hello.reasons`. */
  reason: 6,
  /** 1 if the reason is for the maximum, otherwise 0. */
  needed: 7,
  width: 8,
} as const;

/** A message through postMessage, in either direction. */
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
