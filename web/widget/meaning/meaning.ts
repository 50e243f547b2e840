// Search by meaning: the vectors of an index's chunks, and the encoder of questions. A
// separate script, loaded after the first search if the index has vectors.

import type { Found } from '../index/found.ts';
import type { Index, Source } from '../index/open.ts';
import type { Scores } from '../index/scores.ts';
import type { Meaning } from '../index/search.ts';
import { Damaged } from '../index/unpack.ts';
import { QueryEncoder } from './encoder.ts';
import { kept } from './kept.ts';
import { corrected, Vectors } from './vectors.ts';

export class Sense {
  private constructor(
    readonly vectors: Vectors,
    readonly encoder: QueryEncoder,
  ) {}

  /**
   * Opens the vectors of an index from their first file, and their encoder. `at` is the
   * address of the index.
   */
  static async open(x: Index, source: Source, at: URL, first: string): Promise<Sense> {
    const vectors = await Vectors.open(x, source, first);
    const { head } = vectors;
    const part = kept(source, at, head);
    const encoder = await QueryEncoder.open((n) => (n === 'head' ? part(head) : part(vectors.blocks[Number(n)]!)));
    if (encoder.id !== vectors.model) throw new Damaged('its encoder');
    return new Sense(vectors, encoder);
  }

  /** Ranks the word matches of a query. */
  async rank(query: string, signal: AbortSignal, found: Found, s: Scores, rank: Parameters<Meaning>[2]): Promise<void> {
    const asked = corrected(found, query);
    if (!this.encoder.knows(asked)) return;
    const vector = await this.encoder.encode(asked, signal);
    await this.vectors.rank(vector, found, s, rank);
  }
}
