// The values of a small text, and the cuts of each method by the rules of
// ../../../shared/breakpoint. The pictures are therefore computed, not drawn by hand.

/** One for each gap of the text. */
export const DISTANCES: readonly number[] = [
  0.3, 0.24, 0.36, 0.28, 0.64, 0.33, 0.27, 0.41, 0.3, 0.97, 0.38, 0.22, 0.31, 0.26, 0.4, 0.29, 0.34, 0.25, 0.43, 0.8,
  0.47, 0.32, 0.27, 0.37, 0.24, 0.7, 0.36, 0.28, 0.33, 0.23, 0.3,
];

export const SIMILARITIES = DISTANCES.map((d) => 1 - d);

/** For each gap, the highest coarseness at which its boundary stays, as a binary logarithm. */
export const STRENGTHS: readonly number[] = [
  -2.6, -2.4, -1.1, -2.5, 1.2, -2.6, -1.4, -2.5, -2.3, 3.4, -2.5, -2.6, -0.9, -2.4, -2.6, -1.2, -2.5, -2.4, -2.6, 2.3,
  -2.4, -2.5, -1.3, -2.6, -2.4, 0.7, -2.5, -2.6, -1, -2.5, -2.4,
];

/** Computes the same as numpy.percentile. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = ((sorted.length - 1) * p) / 100;
  const [a = 0, b = a] = sorted.slice(Math.floor(at));
  return a + (b - a) * (at - Math.floor(at));
}

export const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((v) => (v - middle) ** 2)));
}

export const quartiles = (values: readonly number[]): number => percentile(values, 75) - percentile(values, 25);

/** Computes the same as numpy.gradient. */
export function gradient(values: readonly number[]): number[] {
  const at = (i: number) => values[Math.min(Math.max(i, 0), values.length - 1)] ?? 0;
  return values.map((_, i) => (at(i + 1) - at(i - 1)) / (i === 0 || i === values.length - 1 ? 1 : 2));
}

/** Returns the gaps with a cut. */
export const passing = (values: readonly number[], line: number, below = false): number[] =>
  values.flatMap((v, i) => ((below ? v < line : v > line) ? [i] : []));

/** The sentence lengths of each paragraph of another text. */
export const PARAGRAPHS: readonly (readonly number[])[] = [
  [7, 9, 5],
  [8, 6],
  [11, 7, 9, 6, 8],
  [6, 5],
  [9, 7, 10],
  [5, 8],
];

/** Returns the ends of its sentences, and whether a paragraph ends there. */
export function sentenceEnds(): { end: number; paragraph: boolean }[] {
  let end = 0;
  return PARAGRAPHS.flatMap((lengths) =>
    lengths.map((length, i) => ({ end: (end += length), paragraph: i === lengths.length - 1 })),
  );
}

/**
 * Returns the ends of chunks filled up to `most`, at a paragraph if possible, otherwise at
 * a sentence.
 */
export function filled(most: number): number[] {
  const ends = sentenceEnds();
  const whole = ends.at(-1)?.end ?? 0;
  const cuts: number[] = [];
  for (let at = 0; at < whole; ) {
    const within = ends.filter(({ end }) => end > at && end <= at + most);
    const best = at + most >= whole ? within.at(-1) : (within.findLast(({ paragraph }) => paragraph) ?? within.at(-1));
    cuts.push((at = best?.end ?? at + most));
  }
  return cuts;
}

/** Returns the ends of windows of length `most`, regardless of the text. */
export function windows(most: number): number[] {
  const whole = sentenceEnds().at(-1)?.end ?? 0;
  return Array.from({ length: Math.ceil(whole / most) }, (_, i) => Math.min(whole, (i + 1) * most));
}

/** The subject of each sentence of a third text. Sentences with the same subject are similar. */
export const SUBJECTS: readonly number[] = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3];

/** Returns the similarity of two of its sentences, with small variations between pairs. */
export const alike = (a: number, b: number): number =>
  (SUBJECTS[a] === SUBJECTS[b] ? 0.75 : 0.15) + ((a * 7 + b * 5) % 6) / 25;

/**
 * Returns the chunk ends with the greatest sum of similarities within chunks, after
 * subtracting the mean of all pairs from each.
 */
export function clustered(): number[] {
  const n = SUBJECTS.length;
  const pairs = SUBJECTS.flatMap((_, b) => SUBJECTS.slice(0, b).map((__, a) => alike(a, b)));
  const middle = mean(pairs);
  const best = [0];
  const from = [0];
  for (let end = 1; end <= n; end++) {
    best[end] = -Infinity;
    let worth = 0;
    for (let start = end - 1; start >= 0; start--) {
      for (let b = start + 1; b < end; b++) worth += alike(start, b) - middle;
      const sum = (best[start] ?? 0) + worth;
      if (sum >= (best[end] ?? 0)) [best[end], from[end]] = [sum, start];
    }
  }
  const ends: number[] = [];
  for (let end = n; end > 0; end = from[end] ?? 0) ends.unshift(end);
  return ends;
}
