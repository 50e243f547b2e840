// Questions with known answers: where the answers stand in a text, how much of them a
// search has found, and the files that hold them.

import type { Question, View } from './api.ts';

export interface Span {
  start: number;
  end: number;
}

/** What a search has found of an answer: the number of the first chunk with a part of it, from 1, 0 for none; and the share of it in the first chunks. */
export interface Retrieved {
  rank: number;
  share: number;
}

/** Characters of a question and of an excerpt; questions of a document. */
export const LONGEST = { question: 1000, excerpt: 20_000, questions: 500 };

/** A selection without the white space at its ends; null where there is nothing else. */
export function trimmed(text: string, from: number, to: number): Span | null {
  const words = text.slice(from, to);
  const start = from + (words.length - words.trimStart().length);
  const end = start + words.trim().length;
  return end > start ? { start, end } : null;
}

/** A question as it is kept: of one line. */
export const oneLine = (words: string): string => words.replace(/\s+/g, ' ').trim();

/** Where the excerpts of a question stand in the text of a view: those that do. */
export function spansOf({ excerpts, places = [] }: Question, text: string, view: View): Span[] {
  return excerpts
    .map((excerpt, i) => spanOf(excerpt, places[i]?.view === view, places[i]?.start ?? 0, text))
    .filter((span) => span !== null);
}

/** Word for word at its place; else nearest to it; else with other white space and other hyphens, as another view or version has them. */
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
  /** The place of each of its characters. */
  from: Int32Array;
}

/** The last long text: several excerpts are looked for in it. */
let last: Squeezed | null = null;

/** A text without white space and hyphens. */
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

/** What the chunks found, best first, have of an answer, of which white space is no part; `most` of them count for its share. */
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

/** The same without what is there twice. */
export function merged(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { start, end } of spans.filter((each) => each.end > each.start).sort((a, b) => a.start - b.start)) {
    const before = out.at(-1);
    if (before && start <= before.end) before.end = Math.max(before.end, end);
    else out.push({ start, end });
  }
  return out;
}

/** Of several questions: how many have a part of their answer among the first `most` chunks, and the mean share. */
export function summed(all: readonly Retrieved[], most: number): { found: number; of: number; share: number } {
  return {
    found: all.filter(({ rank }) => rank > 0 && rank <= most).length,
    of: all.length,
    share: all.reduce((sum, { share }) => sum + share, 0) / Math.max(1, all.length),
  };
}

/** As `seam eval retrieval --questions` reads them: an object a line. */
export function questionLines(file: string, questions: readonly Question[]): string {
  return questions
    .map(({ question, excerpts, made }) => `${JSON.stringify({ question, file, excerpts, made })}\n`)
    .join('');
}

/** What such a file asks about a document: one a line, or one list; `unanswerable` are questions that it does not answer. Null where it is no such file. */
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
    const { question, excerpts = [], file: of, made, has_answer: answered } = (each ?? {}) as Record<string, unknown>; // one that is not answered has none
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
