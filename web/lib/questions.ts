// Questions with known answers: the places of the answers in a text, how much of them a
// search found, and their files.

import type { Question, View } from './api.ts';

export interface Span {
  start: number;
  end: number;
}

/**
 * How a search found an answer: the rank of the first chunk with a part of it, from 1, or
 * 0; and the share of it in the first chunks.
 */
export interface Retrieved {
  rank: number;
  share: number;
}

/** Limits: characters of a question and of an excerpt, and questions of a document. */
export const LONGEST = { question: 1000, excerpt: 20_000, questions: 500 };

/** Trims white space from a selection; returns null if nothing is left. */
export function trimmed(text: string, from: number, to: number): Span | null {
  const words = text.slice(from, to);
  const start = from + (words.length - words.trimStart().length);
  const end = start + words.trim().length;
  return end > start ? { start, end } : null;
}

/** Returns a question on one line, as it is stored. */
export const oneLine = (words: string): string => words.replace(/\s+/g, ' ').trim();

/** Returns the spans of a question's excerpts found in the text of a view. */
export function spansOf({ excerpts, places = [] }: Question, text: string, view: View): Span[] {
  return excerpts
    .map((excerpt, i) => spanOf(excerpt, places[i]?.view === view, places[i]?.start ?? 0, text))
    .filter((span) => span !== null);
}

/**
 * Finds an excerpt verbatim at its place, otherwise nearest to it. Otherwise ignores white
 * space and hyphens, which another view or version may change.
 */
function spanOf(excerpt: string, here: boolean, place: number, text: string): Span | null {
  if (!excerpt.trim()) return null;
  if (here && text.startsWith(excerpt, place)) return { start: place, end: place + excerpt.length };
  const at = nearest(text, excerpt, place);
  if (at >= 0) return { start: at, end: at + excerpt.length };
  const bare = squeezed(text);
  const wanted = squeezed(excerpt).text;
  const found = wanted
    ? nearest(
        bare.text,
        wanted,
        bare.from.findIndex((each) => each >= place),
      )
    : -1;
  return found < 0 ? null : { start: bare.from[found] ?? 0, end: (bare.from[found + wanted.length - 1] ?? 0) + 1 };
}

function nearest(text: string, words: string, place: number): number {
  const after = text.indexOf(words, Math.max(0, place));
  const before = text.lastIndexOf(words, Math.max(0, place));
  if (after < 0 || before < 0) return Math.max(after, before);
  return after - place < place - before ? after : before;
}

interface Squeezed {
  of: string;
  text: string;
  /** The original offset of each of its characters. */
  from: Int32Array;
}

/** The last long text, because several excerpts are searched in it. */
let last: Squeezed | null = null;

/** Returns a text without white space and hyphens. */
function squeezed(of: string): Squeezed {
  if (last?.of === of) return last;
  const from = new Int32Array(of.length);
  const parts: string[] = [];
  let n = 0;
  for (const { 0: part, index } of of.matchAll(/[^\s\-\u00ad\u2010\u2011]+/g)) {
    parts.push(part);
    for (let i = 0; i < part.length; i++) from[n++] = index + i;
  }
  const made = { of, text: parts.join(''), from: from.subarray(0, n) };
  if (of.length > LONGEST.excerpt) last = made;
  return made;
}

/**
 * Measures an answer in the chunks found, best first. White space does not count. The share
 * is of the first `most` chunks.
 */
export function retrieved(answer: readonly Span[], found: readonly Span[], text: string, most: number): Retrieved {
  const meets = (chunk: Span) => answer.some(({ start, end }) => chunk.start < end && start < chunk.end);
  const whole = weight(merged(answer), text);
  const parts = found
    .slice(0, most)
    .flatMap((chunk) =>
      answer.map(({ start, end }) => ({ start: Math.max(start, chunk.start), end: Math.min(end, chunk.end) })),
    );
  return { rank: found.findIndex(meets) + 1, share: whole > 0 ? weight(merged(parts), text) / whole : 0 };
}

function weight(spans: readonly Span[], text: string): number {
  return spans.reduce((sum, { start, end }) => sum + text.slice(start, end).replace(/\s+/g, '').length, 0);
}

/** Returns the spans with overlaps merged. */
export function merged(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { start, end } of spans.filter((each) => each.end > each.start).sort((a, b) => a.start - b.start)) {
    const before = out.at(-1);
    if (before && start <= before.end) before.end = Math.max(before.end, end);
    else out.push({ start, end });
  }
  return out;
}

/**
 * Returns how many questions have a part of their answer in the first `most` chunks, and
 * the mean share.
 */
export function summed(all: readonly Retrieved[], most: number): { found: number; of: number; share: number } {
  return {
    found: all.filter(({ rank }) => rank > 0 && rank <= most).length,
    of: all.length,
    share: all.reduce((sum, { share }) => sum + share, 0) / Math.max(1, all.length),
  };
}

/** Writes questions for `seam eval retrieval --questions`: one JSON object per line. */
export function questionLines(file: string, questions: readonly Question[]): string {
  return questions
    .map(({ question, excerpts, made }) => `${JSON.stringify({ question, file, excerpts, made })}\n`)
    .join('');
}

/**
 * Reads a document's questions from such a file: one per line, or one list. `unanswerable`
 * has questions that it does not answer. Returns null for other files.
 */
export function readQuestions(
  content: string,
  file: string,
): { mine: Question[]; unanswerable: string[]; others: number } | null {
  const mine: Question[] = [];
  const unanswerable: string[] = [];
  let others = 0;
  const all = objects(content) ?? [];
  if (all.length === 0) return null;
  for (const each of all) {
    const { question, excerpts = [], file: of, made, has_answer: answered } = (each ?? {}) as Record<string, unknown>; // an unanswerable one has none
    if (typeof question !== 'string' || !Array.isArray(excerpts) || !excerpts.every((one) => typeof one === 'string'))
      return null;
    const words = oneLine(question);
    const asked =
      words !== '' && words.length <= LONGEST.question && (typeof of !== 'string' || of.split(/[/\\]/).at(-1) === file);
    if (asked && answered === false) unanswerable.push(words);
    else if (asked && excerpts.length > 0 && excerpts.every((one) => one.trim() && one.length <= LONGEST.excerpt))
      mine.push({
        question: words,
        excerpts,
        ...(typeof made === 'string' && made.length <= LONGEST.question && { made }),
      });
    else others++;
  }
  return { mine, unanswerable, others };
}

function objects(content: string): unknown[] | null {
  const text = content.replace(/^\ufeff/, '').trim();
  try {
    if (text.startsWith('[')) return JSON.parse(text) as unknown[];
    return text
      .split(/\r?\n/)
      .filter((line) => line.trim())
      .map((line) => JSON.parse(line) as unknown);
  } catch {
    return null;
  }
}
