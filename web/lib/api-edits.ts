// What messages say of changes by hand, as types: a part of api.ts.

import type { Plan } from './api-chunks.ts';

/** What was done by hand to the boundaries of a document's text. */
export interface Edits {
  /** Changes in force; a boundary that was moved is one. */
  count: number;
  /** Boundaries that are to be none, and that the maximum keeps. */
  held: number;
  canUndo: boolean;
  canRedo: boolean;
}

export interface EditParams {
  doc: number;
  /** `back`: all after `step` is undone; `load`: `log` takes the place of all that was done. */
  action: 'split' | 'merge' | 'move' | 'undo' | 'redo' | 'back' | 'clear' | 'load';
  /** To split: where a chunk is to begin. To merge and move: where one ends. */
  at?: number;
  /** To move: where a chunk is to begin instead. */
  to?: number;
  /** To undo and redo one that is not the last; to go back: 0 for the beginning. */
  step?: number;
  /** Milliseconds since 1970. */
  when?: number;
  /** Who does it. */
  by?: string;
  log?: HandLog | null;
}

/** All that was done by hand to a document, for `reopen` and `load`: the engine alone knows its places. */
export type HandLog = Record<string, { base?: unknown[]; steps?: unknown[] }>;

/** One thing done by hand. */
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

/** `came` and `gone`: where chunks end that did not at the time that was asked for, and the other way round. */
export interface History {
  log: HandLog | null;
  /** As it was cut last; null: it was not. */
  plan: Plan | null;
  changes: HandChange[];
  came: number[];
  gone: number[];
}
