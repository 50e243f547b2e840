// The figures of judged answers: those of `seam eval grid`, to the digit
// (shared/eval/grid_answers.go).

import type { JudgedRun } from './api.ts';
import { bootstrap, isTie, meanOf, pairedBootstrap } from './bootstrap.ts';
import { type AnswerScores, type GridReport, type Halves, halvesOf, nameOf } from './grid.ts';
import { rounded } from './rounded.ts';

/** The answers of one setting. */
export interface Judged {
  /** Of each question that the text answers, 0 to 1: means over its repetitions. */
  faithful: readonly number[];
  relevant: readonly number[];
  /** The quality of each repetition over all questions. */
  repeats: readonly number[];
  /** Of the answers to those. */
  refused: number;
  /** Answers to questions that the text does not answer, and how many of them were refused. */
  unanswerable: number;
  rightly: number;
  /** Tokens of an answer, the means. */
  read: number;
  written: number;
  /** Of an answer; null: the price is not known. */
  dollars: number | null;
}

export interface AnswerReport {
  /** By the names of their settings. */
  of: ReadonlyMap<string, AnswerScores>;
  /** The setting with the best answers. */
  best: string;
  /** What choosing by them is worth. */
  halves: Halves | null;
}

/** Dollars for a million tokens read and written; null: not known. */
export interface Price {
  price: number | null;
  priceOut: number | null;
}

/** Sums the runs of a setting up, those of questions with an answer first, each question `times` in a row. */
export function judgedOf(runs: readonly JudgedRun[], { price, priceOut }: Price, times = 1): Judged {
  const answerable = runs.filter((run) => run.answerable);
  const others = runs.filter((run) => !run.answerable);
  const mean = (of: (run: JudgedRun) => number) => runs.reduce((sum, run) => sum + of(run) / runs.length, 0);
  const read = mean(({ tokens }) => tokens);
  const written = mean(({ tokensOut }) => tokensOut);
  const n = answerable.length / times;
  const faithful = Array<number>(n).fill(0);
  const relevant = Array<number>(n).fill(0);
  const repeats = Array<number>(times).fill(0);
  for (const [
    i,
    {
      scores: { faithfulness = 0, relevancy = 0 },
    },
  ] of answerable.entries()) {
    const q = Math.floor(i / times);
    faithful[q] = (faithful[q] ?? 0) + faithfulness / times;
    relevant[q] = (relevant[q] ?? 0) + relevancy / times;
    repeats[i % times] = (repeats[i % times] ?? 0) + (faithfulness + relevancy) / 2 / n;
  }
  return {
    faithful,
    relevant,
    repeats,
    refused: answerable.filter(({ refused }) => refused).length,
    unanswerable: others.length,
    rightly: others.filter(({ refused }) => refused).length,
    read,
    written,
    dollars: price === null || priceOut === null ? null : rounded((read * price + written * priceOut) / 1e6, 9),
  };
}

/** Of settings in the order in which they were measured, by their names. A step is a few milliseconds. */
export function* answersOf(
  { questions }: GridReport,
  judged: ReadonlyMap<string, Judged>,
): Generator<void, AnswerReport> {
  const all = [...judged].map(([name, { faithful, relevant }]) => ({
    name,
    goals: faithful.map((value, q) => (value + (relevant[q] ?? 0)) / 2),
  }));
  const means = all.map(({ goals }) => meanOf(goals));
  const best = all[means.indexOf(Math.max(...means))];
  const of = new Map<string, AnswerScores>();
  for (const { name, goals } of all) {
    const { faithful, relevant, repeats, refused, unanswerable, rightly, read, written, dollars } = judged.get(
      name,
    ) as Judged;
    const against = pairedBootstrap(goals, best?.goals ?? []);
    of.set(name, {
      faithfulness: bootstrap(faithful),
      relevancy: bootstrap(relevant),
      quality: bootstrap(goals),
      against,
      tie: isTie(against),
      ...(repeats.length > 1 && { spread: rounded(deviation(repeats), 5) }),
      refused,
      unanswerable,
      refusedRightly: rightly,
      read: rounded(read, 2),
      written: rounded(written, 2),
      ...(dollars !== null && { dollars }),
    });
    yield;
  }
  return {
    of,
    best: best?.name ?? '',
    halves: all.length > 1 && questions > 3 ? halvesOf(all, best?.goals ?? []) : null,
  };
}

/** Of all of them, not of a sample. */
function deviation(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** A report with the scores of answers; settings whose answers are not all there have none. */
export function withAnswers(report: GridReport, { of, best, halves }: AnswerReport): GridReport {
  const rows = report.rows.map((row) => {
    const answers = of.get(nameOf(row));
    return answers ? { ...row, answers } : row;
  });
  return { ...report, rows, bestAnswers: best, answerHalves: halves };
}
