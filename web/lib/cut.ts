// How a document is cut, and changed by hand: the messages without its number.

import type { ChunkParams, EditParams } from './api.ts';

export type Settings = Omit<ChunkParams, 'doc'>;

/** Something done by hand. */
export type Change = Omit<EditParams, 'doc'>;

/** What is not there is as it is in use. */
export interface Limits {
  /** 0: as the method has it. */
  maxTokens?: number;
  overlap?: number;
  embedder?: string;
}
