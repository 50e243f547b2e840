// Measures the difference between two cuts of the same text.

/**
 * Computes Pk (Beeferman, Berger and Lafferty 1999): how often two sentences k apart are in
 * one chunk by one list of boundaries and in two by the other. 0 means equal cuts.
 * Boundaries are the first sentences of chunks, ascending, without the first chunk's. k is
 * half the mean chunk length of `reference`, at least 1. With fewer than two sentences, the
 * result is 0.
 */
export function pkOf(reference: readonly number[], other: readonly number[], sentences: number): number {
  const k = Math.max(1, Math.round(sentences / (reference.length + 1) / 2));
  if (sentences <= k) return 0;
  const [a, b] = [chunkOf(reference, sentences), chunkOf(other, sentences)];
  let wrong = 0;
  for (let i = 0; i + k < sentences; i++) if ((a[i] === a[i + k]) !== (b[i] === b[i + k])) wrong++;
  return wrong / (sentences - k);
}

/** Returns the chunk of each sentence. */
function chunkOf(boundaries: readonly number[], sentences: number): Uint32Array {
  const of = new Uint32Array(sentences);
  for (let i = 0, chunk = 0; i < sentences; i++) {
    while (chunk < boundaries.length && (boundaries[chunk] ?? 0) <= i) chunk++;
    of[i] = chunk;
  }
  return of;
}
