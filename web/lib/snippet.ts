// Selects the part of a found passage that shows best why it was found.

import type { Hit } from './api.ts';

type Mark = [start: number, end: number];

export interface Snippet {
  text: string;
  marks: Mark[];
}

/** Characters of context before the first match shown. */
const BEFORE = 50;
/** Words up to this length ("the", "is") count little, but break ties. */
const SHORT = 3;

/**
 * Returns the mark at which `length` characters contain the most and the longest different
 * matched words.
 */
export function bestMark({ text, marks }: Pick<Hit, 'text' | 'marks'>, length: number): number {
  let best = 0;
  let most = -1;
  marks.forEach(([from], i) => {
    const seen = new Set<string>();
    let weight = 0;
    for (let j = i; j < marks.length; j++) {
      const [start, end] = marks[j] as Mark;
      if (end > from + length) break;
      const word = text.slice(start, end).toLowerCase();
      if (seen.has(word)) continue;
      seen.add(word);
      weight += word.length <= SHORT ? 0.1 : word.length;
    }
    if (weight > most) {
      most = weight;
      best = i;
    }
  });
  return best;
}

/** Begins with the best sentence, unless its matches would then be out of sight. */
export function snippet(hit: Pick<Hit, 'text' | 'marks' | 'passage'>, length: number): Snippet {
  const { text, marks, passage } = hit;
  const first = marks[bestMark(hit, length - BEFORE)]?.[0] ?? 0;
  const begins = passage && passage[0] <= first && first < passage[0] + 0.75 * length;
  const wanted = begins ? passage[0] : Math.max(0, first - BEFORE);
  // Begins at a word, if there is one before the match.
  const blank = wanted === 0 || begins ? -1 : text.slice(wanted, first).search(/\s/);
  const from = blank < 0 ? wanted : wanted + blank + 1;
  const to = Math.min(text.length, from + length);
  const lead = from > 0 ? '… ' : '';
  const shift = lead.length - from;
  return {
    text: `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
    marks: marks
      .filter(([start, end]) => start >= from && end <= to)
      .map(([start, end]) => [start + shift, end + shift]),
  };
}

/** About how many characters of a text are visible together. */
const SCREEN = 600;

/** Returns the place in a hit's text to scroll to. */
export function focusOf(hit: Pick<Hit, 'text' | 'marks' | 'passage'>): number {
  return hit.passage?.[0] ?? hit.marks[bestMark(hit, SCREEN)]?.[0] ?? 0;
}
