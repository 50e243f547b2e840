// Types of messages for judging answers and for texts by models, a part of api.ts. The
// worker builds the requests and parses the replies; the page sends them to the models.

import type { ChatMessage } from './api-hosted.ts';

/**
 * A question with the passages found for it, and the models' replies so far, in the order
 * of the requests.
 */
export interface JudgeItem {
  question: string;
  /** The true answer. */
  ideal: string;
  answerable: boolean;
  passages: string[];
  /** The number of the repetition, from 0. */
  nth: number;
  replies: ModelReply[];
}

export interface ModelReply {
  text: string;
  finish: string;
  tokens: number;
  tokensOut: number;
  /** Why it cannot be used. */
  unusable?: string;
}

/** The next request to a model. Equal requests have the same key. */
export interface WantedReply {
  key: string;
  /** The model's id, without the prefix. */
  model: string;
  messages: ChatMessage[];
  temperature?: number;
  /** Whether the reply must be a JSON object. */
  json?: boolean;
  /** A second try. */
  nth?: number;
}

/** The output wanted from a model: statements or a title for a text, or the parts of a question. */
export type Enriching = 'statements' | 'titles' | 'parts';

/** A text for a model to write about, and its replies so far. */
export interface EnrichItem {
  text: string;
  replies: ModelReply[];
}

/** Has `next`, or the output, or a `warning` that explains why there is none. */
export interface EnrichedItem {
  next: WantedReply | null;
  statements: { text: string; grounded: boolean; title: boolean }[];
  /** The parts of a question. */
  parts: string[];
  warning: string;
  /** An estimate of the remaining tokens to read and to write. */
  read: number;
  written: number;
}

/**
 * The remaining requests, and an estimate of their tokens: for the answering model and for
 * the judge.
 */
export interface LeftToAsk {
  answers: number;
  read: number;
  written: number;
  judgements: number;
  judgeRead: number;
  judgeWrite: number;
}

export type ScoreName = 'faithfulness' | 'relevancy';

/** An answer and its scores, in the format of `seam eval grid --json`. */
export interface JudgedRun {
  setting: string;
  chunks: number;
  question: string;
  answerable: boolean;
  subQuestions: string[];
  passages: { text: string; header: string; score: number; start: number; end: number; page: number }[];
  answer: string;
  refused: boolean;
  /** From 0 to 1; a score is absent if the question has no answer. */
  scores: Partial<Record<ScoreName, number>>;
  /** The judges' replies, verbatim. */
  judged?: Partial<Record<ScoreName, string>>;
  tokens: number;
  tokensOut: number;
  /** The number of the repetition from 1, if questions are answered several times. */
  repeat?: number;
}

/** Has either `next` or `run`. */
export interface JudgedItem {
  next: WantedReply | null;
  run: JudgedRun | null;
  left: LeftToAsk;
  /** Scores that are 0 because the judgement could not be read. */
  unscored: ScoreName[];
  warnings: string[];
}
