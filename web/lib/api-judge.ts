// The messages by which answers are judged and models write of a text, as types: a part of
// api.ts. The page asks the models; the worker says what is to be asked, and reads what they
// say.

import type { ChatMessage } from './api-hosted.ts';

/** A question with the passages found for it, and what models have said of it so far, in the order in which it was wanted. */
export interface JudgeItem {
  question: string;
  /** The true answer. */
  ideal: string;
  answerable: boolean;
  passages: string[];
  /** Of the repetitions of a question, from 0. */
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

/** What a model is to be asked next; the same request has the same key. */
export interface WantedReply {
  key: string;
  /** Its id, without the prefix. */
  model: string;
  messages: ChatMessage[];
  temperature?: number;
  /** The answer is to be a JSON object. */
  json?: boolean;
  /** A second try. */
  nth?: number;
}

/** What a model is to write: statements or a title of a text, or the parts of a question. */
export type Enriching = 'statements' | 'titles' | 'parts';

/** A text that a model is to write of, and what it has said so far. */
export interface EnrichItem {
  text: string;
  replies: ModelReply[];
}

/** Either `next` is there, or what was written, or a `warning` why nothing was. */
export interface EnrichedItem {
  next: WantedReply | null;
  statements: { text: string; grounded: boolean; title: boolean }[];
  /** The questions that a question is made of. */
  parts: string[];
  warning: string;
  /** Tokens that the model still reads and writes, about. */
  read: number;
  written: number;
}

/** Requests that are left, and about the tokens that they take: of the model that answers, and of the judge. */
export interface LeftToAsk {
  answers: number;
  read: number;
  written: number;
  judgements: number;
  judgeRead: number;
  judgeWrite: number;
}

export type ScoreName = 'faithfulness' | 'relevancy';

/** An answer and its scores, as `seam eval grid --json` has them. */
export interface JudgedRun {
  setting: string;
  chunks: number;
  question: string;
  answerable: boolean;
  subQuestions: string[];
  passages: { text: string; header: string; score: number; start: number; end: number; page: number }[];
  answer: string;
  refused: boolean;
  /** Of 0 to 1; none where the question has no answer. */
  scores: Partial<Record<ScoreName, number>>;
  /** What the judges said, word for word. */
  judged?: Partial<Record<ScoreName, string>>;
  tokens: number;
  tokensOut: number;
  /** From 1, where questions are answered several times. */
  repeat?: number;
}

/** One of `next` and `run` is there. */
export interface JudgedItem {
  next: WantedReply | null;
  run: JudgedRun | null;
  left: LeftToAsk;
  /** Scores that are 0 because the judgement could not be read. */
  unscored: ScoreName[];
  warnings: string[];
}
