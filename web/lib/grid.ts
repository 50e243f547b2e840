// The figures of several settings over the same questions: those of `seam eval grid`, to
// the digit (shared/eval/grid.go). Places are in characters (code points), as there.

import { bootstrap, draw, isTie, meanOf, pairedBootstrap, type Interval } from './bootstrap.ts';
import { lowest } from './lowest.ts';
import { merged, type Span } from './questions.ts';

/** One way to cut, embed and search. */
export interface GridSetting {
  method: string;
  /** The largest chunk; 0: as the method has it. */
  size: number;
  /** Empty: neither cutting nor searching asks one. */
  embedder: string;
  ranker: string;
  chunks: number;
  /** The mean of a chunk. */
  tokens: number;
}

/** A chunk that a search has found. */
export interface FoundChunk extends Span {
  tokens: number;
}

/** What a setting has found: of each question the chunks, best first, and its answer. */
export interface Ranking {
  setting: GridSetting;
  found: FoundChunk[][];
  answers: readonly (readonly Span[])[];
}

/** Settings are compared by so many chunks, and by so many tokens. */
export interface Budgets {
  depths: readonly number[];
  tokens: readonly number[];
}

export interface AtDepth {
  k: number;
  recall: Interval;
  precision: Interval;
  iou: Interval;
  /** The share of questions of whose answer any part is there. */
  success: Interval;
  /** Tokens of those chunks, the mean over questions. */
  read: number;
}

export interface GridRow extends GridSetting {
  depths: AtDepth[];
  budgets: { tokens: number; recall: Interval }[];
  /** Of the rank of the first chunk with a part of the answer; 0 where none was found. */
  mrr: Interval;
  /** The difference to the best. */
  against: Interval;
  tie: boolean;
  /** Absent where not all of its answers were judged. */
  answers?: AnswerScores;
}

/** The settings that are best on one half of the questions, scored on the other. */
export interface Halves {
  odd: string;
  even: string;
  unseen: Interval;
  /** Of the best of all, on what it was chosen by. */
  seen: Interval;
}

export interface GridReport {
  questions: number;
  /** What settings are ordered and compared by. */
  goal: string;
  /** The best first. */
  rows: GridRow[];
  halves: Halves | null;
  /** The setting with the best answers, and what choosing by them is worth. */
  bestAnswers?: string;
  answerHalves?: Halves | null;
}

/** Tells a setting from the others of its grid. */
export function nameOf({ method, size, embedder, ranker }: GridSetting): string {
  return [size > 0 ? `${method} ${size}` : method, ...(embedder ? [embedder] : []), ranker].join(', ');
}

/** How many of the best chunks the figures need, where the shortest of them has `least` tokens. */
export function deepest({ depths, tokens }: Budgets, least: number): number {
  return Math.max(0, ...depths, ...tokens.map((t) => Math.floor(t / Math.max(1, least)) + 1));
}

type Scored = Omit<GridRow, 'against' | 'tie' | 'answers'>;

/**
 * Scores rankings, each of the same questions. The goal is the recall in the first number
 * of tokens or, where there is none, among the first number of chunks. A step is a few milliseconds.
 */
export function* gridOf(rankings: readonly Ranking[], budgets: Budgets): Generator<void, GridReport> {
  const questions = rankings[0]?.found.length ?? 0;
  const [inTokens, among] = [budgets.tokens[0], budgets.depths[0] ?? 0];
  const goal = inTokens === undefined ? `recall at ${among}` : `recall in ${inTokens} tokens`;
  const scored: { row: Scored; goals: number[]; mean: number }[] = [];
  yield* draw(questions);
  for (const ranking of rankings) {
    const goals = ranking.found.map(
      (_, q) => (inTokens === undefined ? first(ranking, q, among) : within(ranking, q, inTokens)).recall,
    );
    scored.push({ row: yield* rowOf(ranking, budgets), goals, mean: meanOf(goals) });
  }
  const order = [...scored].sort((a, b) => b.mean - a.mean);
  const best = order[0]?.goals ?? [];
  const rows: GridRow[] = [];
  for (const { row, goals } of order) {
    const against = pairedBootstrap(goals, best);
    rows.push({ ...row, against, tie: isTie(against) });
    yield;
  }
  return {
    questions,
    goal,
    rows,
    halves:
      scored.length > 1 && questions > 3
        ? halvesOf(
            scored.map(({ row, goals }) => ({ name: nameOf(row), goals })),
            best,
          )
        : null,
  };
}

/** Chooses by the goals of each half of the questions, and scores by the other. */
export function halvesOf(all: readonly { name: string; goals: readonly number[] }[], best: readonly number[]): Halves {
  const chosen = [0, 1].map((half) => {
    const means = all.map(({ goals }) => meanOf(goals.filter((_, q) => q % 2 === half)));
    return all[means.indexOf(Math.max(...means))];
  });
  const unseen = best.map((_, q) => chosen[1 - (q % 2)]?.goals[q] ?? 0);
  return { odd: chosen[0]?.name ?? '', even: chosen[1]?.name ?? '', unseen: bootstrap(unseen), seen: bootstrap(best) };
}

function* rowOf(ranking: Ranking, { depths, tokens }: Budgets): Generator<void, Scored> {
  const each = (of: (q: number) => number) => ranking.found.map((_, q) => of(q));
  const row: Scored = {
    ...ranking.setting,
    depths: [],
    budgets: [],
    mrr: bootstrap(each((q) => (rankOf(ranking, q) > 0 ? 1 / rankOf(ranking, q) : 0))),
  };
  for (const k of depths) {
    const scores = ranking.found.map((_, q) => first(ranking, q, k));
    const found: Interval[] = [];
    for (const of of [
      ({ recall }: Scores) => recall,
      ({ precision }: Scores) => precision,
      ({ iou }: Scores) => iou,
      ({ recall }: Scores) => Number(recall > 0),
    ]) {
      found.push(bootstrap(scores.map(of)));
      yield;
    }
    const [recall, precision, iou, success] = found as [Interval, Interval, Interval, Interval];
    row.depths.push({
      k,
      recall,
      precision,
      iou,
      success,
      read: meanOf(each((q) => (ranking.found[q] ?? []).slice(0, k).reduce((sum, chunk) => sum + chunk.tokens, 0))),
    });
  }
  for (const t of tokens) {
    row.budgets.push({ tokens: t, recall: bootstrap(each((q) => within(ranking, q, t).recall)) });
    yield;
  }
  return row;
}

/** That of the first chunk with a part of the answer, from 1; 0: none was found. */
export function rankOf({ found, answers }: Ranking, q: number): number {
  return (
    (found[q] ?? []).findIndex((chunk) => (answers[q] ?? []).some((answer) => length(meet(chunk, answer)) > 0)) + 1
  );
}

function first({ found, answers }: Ranking, q: number, k: number): Scores {
  return scoresOf(answers[q] ?? [], (found[q] ?? []).slice(0, k));
}

/** The first chunks that have so many tokens together; of the last one the part that has the tokens left, by its characters. */
function within({ found, answers }: Ranking, q: number, tokens: number): Scores {
  const got: Span[] = [];
  let left = tokens;
  for (const chunk of found[q] ?? []) {
    const end = chunk.tokens > left ? chunk.start + Math.floor((length(chunk) * left) / chunk.tokens) : chunk.end;
    got.push({ start: chunk.start, end });
    left -= chunk.tokens;
    if (left <= 0) break;
  }
  return scoresOf(answers[q] ?? [], got);
}

interface Scores {
  recall: number;
  precision: number;
  iou: number;
}

/** Chroma's chunking_evaluation: |∪(c∩a)| over Σ|a|, over Σ|c|, and over Σ|c| with what of a is in no c. */
function scoresOf(answer: readonly Span[], got: readonly Span[]): Scores {
  const hits: Span[] = [];
  let left = answer;
  for (const chunk of got) {
    for (const each of answer) {
      const shared = meet(chunk, each);
      if (length(shared) < 0) continue;
      hits.push(shared);
      left = without(left, shared);
    }
  }
  const found = total(merged(hits));
  const long = total(got);
  return { recall: share(found, total(answer)), precision: share(found, long), iou: share(found, long + total(left)) };
}

const length = ({ start, end }: Span): number => end - start;
const total = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + length(span), 0);
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
const meet = (a: Span, b: Span): Span => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) });

function without(spans: readonly Span[], cut: Span): Span[] {
  return spans.flatMap((span) => {
    if (span.end < cut.start || span.start > cut.end) return [span];
    const parts = [
      { start: span.start, end: cut.start },
      { start: cut.end, end: span.end },
    ];
    return parts.filter((part) => length(part) > 0);
  });
}

/** Tells how many characters stand before an offset of a text in UTF-16 units. */
export function characters(text: string): (offset: number) => number {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(/[\u{10000}-\u{10ffff}]/gu)) pairs.push(index);
  if (pairs.length === 0) return (offset) => offset;
  return (offset) => offset - lowest(pairs.length, (i) => (pairs[i] ?? 0) >= offset);
}

export interface AnswerScores {
  faithfulness: Interval;
  relevancy: Interval;
  /** The mean of both. */
  quality: Interval;
  /** The difference of the quality to the best. */
  against: Interval;
  tie: boolean;
  /** Standard deviation of the quality over repetitions. */
  spread?: number;
  refused: number;
  unanswerable: number;
  refusedRightly: number;
  read: number;
  written: number;
  dollars?: number;
}
