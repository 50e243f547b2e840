// The result of a compared method: its chunks, and their sizes in words and as a histogram.

import type { Chunk } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import { extent, histogram, median } from '../../lib/histogram.ts';
import { partsOf } from '../../lib/overlap.ts';
import type { Chunking } from '../session/doc.ts';
import { shown } from '../words/en/views.ts';

/** Bars of a method's histogram. */
const BINS = 24;

/** The result of a method for the document. */
export interface Cut {
  /** The chunking it is compared with, and its settings as a string. */
  of: Chunking;
  by: string;
  /** Its settings, with the embedder used; null for the method in use. */
  settings: Settings | null;
  /** A note shown next to its sizes. */
  note: string;
  /** The unit of the lengths: see Chunking. */
  unit: string;
  chunks: readonly Chunk[];
  /** The starts of the new text of each chunk. */
  starts: number[];
}

export function cutOf(chunks: readonly Chunk[], of: Chunking, by: string, settings: Settings | null): Cut {
  return {
    of,
    by,
    settings,
    note: '',
    unit: of.unit,
    chunks,
    starts: partsOf(chunks, of.text.text).own.map(({ start }) => start),
  };
}

/**
 * Returns histograms of chunk lengths, as shares of each method's highest bar. All methods
 * have the same scale so they can be compared.
 */
export function barsOf(sizes: number[][]): number[][] {
  const range = extent(sizes.flat());
  return sizes.map((of) => {
    const counts = histogram(of, BINS, range).map(({ count }) => count);
    const [, most] = extent(counts);
    return counts.map((count) => count / most);
  });
}

export function sizesOf(chunks: readonly Chunk[], unit: string): string {
  const sizes = chunks.map(({ tokens }) => tokens);
  const [low, high] = sizes.length > 0 ? extent(sizes) : [0, 0];
  return shown.compare.sizes(sizes.length, low, median(sizes), high, unit);
}
