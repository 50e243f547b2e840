// The parameters of cuts and changes by hand: the messages without the document.

import type { ChunkParams, EditParams } from './api.ts';

export type Settings = Omit<ChunkParams, 'doc'>;

/** A change by hand. */
export type Change = Omit<EditParams, 'doc'>;

/** Absent values are taken from the settings in use. */
export interface Limits {
  /** 0 means the method's default. */
  maxTokens?: number;
  overlap?: number;
  embedder?: string;
}

/** The unit of lengths that estimate a model's tokens. It is no setting. */
export const ESTIMATED = 'estimated';

/** Returns the unit of a cut's lengths: ESTIMATED, or the setting. */
export const unitOf = ({ estimated }: { estimated?: boolean }, { unit = '' }: Settings): string =>
  estimated ? ESTIMATED : unit;
