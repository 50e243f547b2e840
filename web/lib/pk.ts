// How far two ways of cutting the same text are apart.

/**
 * Pk (Beeferman, Berger and Lafferty 1999): how often two sentences k apart are in one
 * chunk by one list of boundaries and in two by the other. 0: they cut alike. Boundaries
 * are numbers of the sentences that begin a chunk, ascending, without the first; k is half
 * the mean length of a chunk of `reference`, at least 1. Of fewer than two sentences it is 0.
 */
export function pkOf(reference: readonly number[], other: readonly number[], sentences: number): number {
  const k = Math.max(1, Math.round(sentences / (reference.length + 1) / 2));
  if (sentences <= k) return 0;
  const [a, b] = [chunkOf(reference, sentences), chunkOf(other, sentences)];
  let wrong = 0;
  for (let i = 0; i + k < sentences; i++) if ((a[i] === a[i + k]) !== (b[i] === b[i + k])) wrong++;
  return wrong / (sentences - k);
}

/** The chunk of each sentence. */
function chunkOf(boundaries: readonly number[], sentences: number): Uint32Array {
  const of = new Uint32Array(sentences);
  for (let i = 0, chunk = 0; i < sentences; i++) {
    while (chunk < boundaries.length && (boundaries[chunk] ?? 0) <= i) chunk++;
    of[i] = chunk;
  }
  return of;
}
