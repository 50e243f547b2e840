// The states of a question.

import type { Answered, ChatMessage } from '../../lib/api.ts';
import type { SeamError } from '../../lib/seam-error.ts';
import type { Chosen } from './finder.ts';
import type { WholeRun } from './whole.ts';

export type AskState =
  /** The proxy has not been asked for its models. */
  | { kind: 'apart'; error: SeamError | null }
  | { kind: 'connecting' }
  | { kind: 'idle' }
  /** The passages are searched for, to be shown before anything is sent. */
  | { kind: 'looking'; question: string }
  /** `chosen` is null if the passages can only be found once the question has been sent. */
  | { kind: 'consent'; question: string; chosen: Chosen | null; whole?: WholeRun }
  /** `part` is the number of the request of a document that is read part by part. */
  | { kind: 'busy'; question: string; part?: { n: number; of: number } }
  | { kind: 'done'; question: string; answered: Answered }
  /** The model read only a part of the passages, so its answer is not shown. */
  | { kind: 'cut'; question: string; answered: Answered }
  /** The number of passages found; no model was asked. */
  | { kind: 'passages'; question: string; found: number }
  | { kind: 'failed'; question: string; error: SeamError };

/**
 * The messages for a model, in order. `searched` is false if the passages were found by
 * words alone.
 */
export interface Prompt {
  messages: readonly ChatMessage[];
  passages: number;
  searched: boolean;
  /** Whether it is the first of several. */
  part: boolean;
}
