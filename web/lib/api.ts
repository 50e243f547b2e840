// Types of the messages between the page and its two workers.
//
// The Go programs in ../../wasm send and receive exactly these. Every offset is in UTF-16
// units in the text of one view of one document, so `text.slice(start, end)` is the
// passage. Large values are sent next to the JSON as transferred buffers ("blobs"), in the
// order that each method documents.

import type { Bundled, Statement, ToBundle } from './api-bundles.ts';
import type { ReasonKind, View } from './api-chunks.ts';
import type { ChunkParams, Chunked, Cohesion, CurveKind, Line, Step } from './api-cuts.ts';
import type { Extracted, Opened, ViewPages } from './api-documents.ts';
import type { EditParams, HandLog, History } from './api-edits.ts';
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
export * from './api-cuts.ts';
export * from './api-documents.ts';
export * from './api-edits.ts';
export * from './api-envelope.ts';
export * from './api-grid.ts';
export * from './api-hosted.ts';
export * from './api-judge.ts';
export * from './api-search.ts';

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
  extract: {
    params: { name: string; password: string; encoding?: string; any?: boolean; hidden?: boolean };
    result: Extracted;
  };
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
