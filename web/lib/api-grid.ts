// Types of figures for several settings over the same questions, a part of api.ts. They
// match `seam eval grid` (shared/eval/grid.go).

import type { JudgedRun } from './api-judge.ts';

/**
 * A mean and the bounds of its 95 % interval, to five decimals. With fewer than two values,
 * the bounds are null.
 */
export interface Interval {
  mean: number;
  low: number | null;
  high: number | null;
}

/** A way to cut, embed and search. */
export interface GridSetting {
  method: string;
  /** The maximum chunk length; absent means the method's default. */
  size?: number;
  /** Absent if neither cutting nor searching uses one. */
  embedder?: string;
  ranker: string;
  chunks: number;
  /** The mean length of a chunk. */
  tokens: number;
}

/**
 * The results of a setting: for each question the chunks found, best first, with start, end
 * and tokens.
 */
export interface Ranking extends GridSetting {
  found: [start: number, end: number, tokens: number][][];
  /**
   * The judged answers of a model, `times` in a row for each question, answerable questions
   * first. Empty if some are missing.
   */
  runs: Pick<JudgedRun, 'answerable' | 'refused' | 'scores' | 'tokens' | 'tokensOut'>[];
}

/** The numbers of chunks and the numbers of tokens at which settings are compared. */
export interface Budgets {
  depths: readonly number[];
  tokens: readonly number[];
}

/** Places are in characters (code points). Prices are for a million tokens, or null if unknown. */
export interface GridParams {
  budgets: Budgets;
  /** The start and end of each answer, for each question. */
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
  /** The share of questions for which some part of the answer was found. */
  success: Interval;
  /** The tokens of these chunks, averaged over questions. */
  read: number;
}

export interface GridRow extends GridSetting {
  depths: AtDepth[];
  budgets: { tokens: number; recall: Interval }[];
  /** The mean reciprocal rank of the first chunk with a part of the answer; 0 if none was found. */
  mrr: Interval;
  /** 0, because searches in the page are not timed. */
  millis: number;
  /** The difference from the best setting. */
  against: Interval;
  tie: boolean;
  /** Absent if some answers were not judged. */
  answers?: AnswerScores;
}

/** The settings that are best on one half of the questions, scored on the other. */
export interface Halves {
  odd: string;
  even: string;
  unseen: Interval;
  /** The best setting's score on the questions it was chosen by. */
  seen: Interval;
}

export interface GridReport {
  questions: number;
  /** The figure that settings are ordered and compared by. */
  goal: string;
  /** Highest goal first. */
  rows: GridRow[];
  /** The first setting, if these questions single it out. */
  winner?: string;
  /** If there is no winner: about how many questions would single one out. Absent if unknown. */
  needed?: number;
  /** Absent if there are too few questions or settings. */
  halves?: Halves;
  /**
   * The setting with the highest quality of answers, whether these questions single it out,
   * otherwise about how many would, and the scores of choosing by answers.
   */
  bestAnswers?: string;
  answersWin?: boolean;
  answersNeeded?: number;
  answerHalves?: Halves;
}

export interface AnswerScores {
  faithfulness: Interval;
  relevancy: Interval;
  /** The mean of both. */
  quality: Interval;
  /** The difference in quality from the best setting. */
  against: Interval;
  tie: boolean;
  /** The standard deviation of the quality over repetitions. */
  spread?: number;
  refused: number;
  unanswerable: number;
  refusedRightly: number;
  read: number;
  written: number;
  dollars?: number;
}
