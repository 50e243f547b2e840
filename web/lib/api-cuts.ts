// A cut of a document: its settings, its chunks and its curve. See api.ts.

import type { Chunk, View } from './api-chunks.ts';
import type { Edits } from './api-edits.ts';

/**
 * The meaning of the curve's bars. For `similarity`, a boundary is where the bar is BELOW
 * the line.
 */
export type CurveKind = 'distance' | 'similarity' | 'gradient' | 'strength' | '';

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
