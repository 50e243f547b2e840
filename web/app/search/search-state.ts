// The parameters, events and states of a search.

import type { Found, SearchMode } from '../../lib/api.ts';
import type { SeamError } from '../../lib/seam-error.ts';
import type { Turn } from '../../lib/thread.ts';

/** Bytes from which the engine completes the last word: shortestPrefix in shared/index. */
const COMPLETED = 3;

/** The vector of a question, and the ID of its encoder. */
export interface Vector {
  encoder: string;
  vector: ArrayBuffer;
}

/** Returns the vectors of questions: see meaning.ts. */
export interface Understanding {
  /** Whether documents are embedded for questions, which needs them open. */
  readonly wanted: boolean;
  vectorOf(text: string, signal?: AbortSignal): Promise<Vector | null>;
}

/** A search of passages outside the open documents: see collection.ts. */
export interface RemoteSearch {
  label: string;
  /** A note to read before searching it. */
  hint: string;
  find(query: string, mode: SearchMode, signal: AbortSignal, known?: Vector): Promise<Found>;
}

export type SearchState =
  | { kind: 'idle' }
  /** `early` is shown until the results come. */
  | { kind: 'busy'; query: string; early?: Found }
  /** `more` means that the same question was answered again. */
  | ({ kind: 'found'; query: string; more?: boolean } & Found)
  | { kind: 'failed'; query: string; error: SeamError };

export type SearchEvents = {
  changed: SearchState;
  asked: string;
  typed: string;
  answered: number;
  ready: void;
  thread: readonly Turn[];
};

/** Returns the last word of a query if it is too short to be completed, or ''. */
export function begunIn(query: string): string {
  const word = query.split(/\s/).at(-1) ?? '';
  return new TextEncoder().encode(word).length < COMPLETED ? word : '';
}
