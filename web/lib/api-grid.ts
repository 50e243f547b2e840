// The figures of several settings over the same questions, as types: a part of api.ts. They
// are those of `seam eval grid` (shared/eval/grid.go).

import type { JudgedRun } from './api-judge.ts';

/** A mean and the bounds of its 95 % interval, to five decimals; with fewer than two values the bounds are not known. */
export interface Interval {
  mean: number;
  low: number | null;
  high: number | null;
}

/** One way to cut, embed and search. */
export interface GridSetting {
  method: string;
  /** The largest chunk; absent: as the method has it. */
  size?: number;
  /** Absent: neither cutting nor searching asks one. */
  embedder?: string;
  ranker: string;
  chunks: number;
  /** The mean of a chunk. */
  tokens: number;
}

/** What a setting has found: of each question the chunks, best first, each by its start, its end and its tokens. */
export interface Ranking extends GridSetting {
  found: [start: number, end: number, tokens: number][][];
  /** The judged answers of a model, each question `times` in a row, those that the text answers first. None: not all of them are there. */
  runs: Pick<JudgedRun, 'answerable' | 'refused' | 'scores' | 'tokens' | 'tokensOut'>[];
}

/** Settings are compared by so many chunks, and by so many tokens. */
export interface Budgets {
  depths: readonly number[];
  tokens: readonly number[];
}

/** Places are in characters (code points). Prices are of a million tokens, null where they are not known. */
export interface GridParams {
  budgets: Budgets;
  /** Of each question, each by its start and its end. */
  answers: [start: number, end: number][][];
  rankings: Ranking[];
  times: number;
  price: number | null;
  priceOut: number | null;
}

export interface AtDepth {
  k: number;
  recall: Interval;
  precision: Interval;
  iou: Interval;
  /** The share of questions of whose answer any part is there. */
  success: Interval;
  /** Tokens of those chunks, the mean over questions. */
  read: number;
}

export interface GridRow extends GridSetting {
  depths: AtDepth[];
  budgets: { tokens: number; recall: Interval }[];
  /** Of the rank of the first chunk with a part of the answer; 0 where none was found. */
  mrr: Interval;
  /** 0: searches in the page are not timed. */
  millis: number;
  /** The difference to the best. */
  against: Interval;
  tie: boolean;
  /** Absent where not all of its answers were judged. */
  answers?: AnswerScores;
}

/** The settings that are best on one half of the questions, scored on the other. */
export interface Halves {
  odd: string;
  even: string;
  unseen: Interval;
  /** Of the best of all, on what it was chosen by. */
  seen: Interval;
}

export interface GridReport {
  questions: number;
  /** What settings are ordered and compared by. */
  goal: string;
  /** The best first. */
  rows: GridRow[];
  /** Absent where there are too few questions or settings. */
  halves?: Halves;
  /** The setting with the best answers, and what choosing by them is worth. */
  bestAnswers?: string;
  answerHalves?: Halves;
}

export interface AnswerScores {
  faithfulness: Interval;
  relevancy: Interval;
  /** The mean of both. */
  quality: Interval;
  /** The difference of the quality to the best. */
  against: Interval;
  tie: boolean;
  /** Standard deviation of the quality over repetitions. */
  spread?: number;
  refused: number;
  unanswerable: number;
  refusedRightly: number;
  read: number;
  written: number;
  dollars?: number;
}
