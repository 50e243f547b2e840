// Types of messages about changes by hand, a part of api.ts.

import type { Plan } from './api-chunks.ts';

/** The state of a document's changes by hand. */
export interface Edits {
  /** Changes in force. A moved boundary counts as one. */
  count: number;
  /** Boundaries that were removed by hand but are kept because of the maximum. */
  held: number;
  canUndo: boolean;
  canRedo: boolean;
}

export interface EditParams {
  doc: number;
  /** `back` undoes everything after `step`; `load` replaces all changes by `log`. */
  action: 'split' | 'merge' | 'move' | 'undo' | 'redo' | 'back' | 'clear' | 'load';
  /** For split: where a chunk should begin. For merge and move: where one ends. */
  at?: number;
  /** For move: the new start of the chunk. */
  to?: number;
  /** For undo and redo: a step other than the last. For back: 0 is the beginning. */
  step?: number;
  /** Milliseconds since 1970. */
  when?: number;
  /** The author. */
  by?: string;
  log?: HandLog | null;
}

/**
 * All changes by hand to a document, for `reopen` and `load`. Only the engine can interpret
 * its places.
 */
export type HandLog = Record<string, { base?: unknown[]; steps?: unknown[] }>;

/** A change by hand. */
export interface HandChange {
  id: number;
  action: 'split' | 'merge' | 'move' | 'clear';
  at: number;
  to: number;
  when: number;
  by: string;
  undone: boolean;
  /** Some text on both sides of the place; empty for `clear`. */
  before: string;
  after: string;
}

/**
 * `came` has the chunk ends that did not exist at the requested time, and `gone` those that
 * did and do not any more.
 */
export interface History {
  log: HandLog | null;
  /** The last cut, or null if there was none. */
  plan: Plan | null;
  changes: HandChange[];
  came: number[];
  gone: number[];
}
