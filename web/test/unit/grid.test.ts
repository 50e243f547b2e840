import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gridAsCsv } from '../../app/grid/grid-save.ts';
import type { JudgedRun } from '../../lib/api.ts';
import { bootstrap, meanOf, type Interval } from '../../lib/bootstrap.ts';
import { answersOf, judgedOf, withAnswers } from '../../lib/grid-answers.ts';
import { characters, deepest, gridOf, nameOf, rankOf, type Ranking } from '../../lib/grid.ts';
import { rounded } from '../../lib/rounded.ts';

interface Golden {
  budgets: { depths: number[] | null; tokens: number[] | null };
  rankings: {
    method: string;
    size: number;
    ranker: string;
    chunks: number;
    tokens: number;
    found: number[][][];
    refs: { Start: number; End: number }[][];
  }[];
  judged?: {
    Faithful: number[];
    Relevant: number[];
    Repeats: number[];
    Refused: number;
    Unanswerable: number;
    Rightly: number;
    Read: number;
    Written: number;
    Dollars: number | null;
  }[];
  report: { questions: number; goal: string; rows: object[]; halves?: object };
}

/** As Go prints it: intervals to five decimals, no embedder where none is asked, how long searches took where they took none. */
const printed = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, each: unknown) => {
      if ((key === 'embedder' && each === '') || key === 'millis' || (/alves$/.test(key) && each === null))
        return undefined;
      const { mean, low, high } = (each ?? {}) as Interval;
      const round = (x: number | null) => (x === null ? null : Number(x.toFixed(5)) || 0);
      return mean === undefined ? each : { mean: round(mean), low: round(low), high: round(high) };
    }),
  );

function finished<Value>(work: Generator<void, Value>): Value {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

test('grids come to the figures of seam eval grid', () => {
  const all = JSON.parse(readFileSync('shared/eval/testdata/grid.json', 'utf8')) as Golden[];
  assert.equal(all.length, 4);
  for (const { budgets, rankings, judged = [], report } of all) {
    const read: Ranking[] = rankings.map(({ found, refs, method, size, ranker, chunks, tokens }) => ({
      setting: { method, size, embedder: '', ranker, chunks, tokens },
      found: found.map((of) => of.map(([, start = 0, end = 0, length = 0]) => ({ start, end, tokens: length }))),
      answers: refs.map((of) => of.map(({ Start, End }) => ({ start: Start, end: End }))),
    }));
    const made = finished(gridOf(read, { depths: budgets.depths ?? [], tokens: budgets.tokens ?? [] }));
    const answers = new Map(
      judged.map((of, i) => [
        nameOf(read[i]!.setting),
        {
          faithful: of.Faithful,
          relevant: of.Relevant,
          repeats: of.Repeats,
          refused: of.Refused,
          unanswerable: of.Unanswerable,
          rightly: of.Rightly,
          read: of.Read,
          written: of.Written,
          dollars: of.Dollars,
        },
      ]),
    );
    assert.deepEqual(
      printed(judged.length > 0 ? withAnswers(made, finished(answersOf(made, answers))) : made),
      printed(report),
    );
  }
});

test('the runs of a setting are summed up: refusals apart, those of questions without an answer by themselves', () => {
  const run = (faithfulness: number, relevancy: number, rest = {}): JudgedRun => ({
    setting: '',
    chunks: 1,
    question: '?',
    answerable: true,
    subQuestions: [],
    passages: [],
    answer: '',
    refused: false,
    scores: { faithfulness, relevancy },
    tokens: 10,
    tokensOut: 2,
    ...rest,
  });
  const runs = [
    run(1, 0.5),
    run(0, 0, { refused: true }),
    run(0, 0, { answerable: false, scores: {}, refused: true, tokens: 40 }),
    run(0, 0, { answerable: false, scores: {} }),
  ];
  assert.deepEqual(judgedOf(runs, { price: 100, priceOut: 200 }), {
    faithful: [1, 0],
    relevant: [0.5, 0],
    repeats: [0.375],
    refused: 1,
    unanswerable: 2,
    rightly: 1,
    read: 17.5,
    written: 2,
    dollars: 0.00215,
  });
  const twice = judgedOf(runs, { price: 100, priceOut: 200 }, 2);
  assert.deepEqual(
    [twice.faithful, twice.relevant, twice.repeats, twice.refused, twice.unanswerable],
    [[0.5], [0.25], [0.75, 0], 1, 2],
    'means of a question, and the quality of each round',
  );
  assert.equal(judgedOf(runs, { price: 100, priceOut: null }).dollars, null);
});

test('numbers are rounded as Go rounds them: of two that are as near to the even one', () => {
  for (const [value, decimals, want] of [
    [105.125, 2, 105.12],
    [4.375, 2, 4.38],
    [1.005, 2, 1],
    [1 / 64, 5, 0.01562],
    [3 / 64, 5, 0.04688],
    [-4.625, 2, -4.62],
    [2.5, 0, 2],
    [3.5, 0, 4],
    [2 / 3, 5, 0.66667],
    [1234.5678, 2, 1234.57],
    [-1e-9, 5, 0],
  ] as const) {
    assert.ok(Object.is(rounded(value, decimals), want), `${value}: ${rounded(value, decimals)}`);
  }
});

test('a mean is that of the sum without rounding', () => {
  assert.equal(meanOf([0.1, 0.2, 0.3]), 0.6 / 3);
  assert.equal(meanOf([1e16, 1, -1e16]), 1 / 3);
  assert.equal(meanOf(Array.from({ length: 10 }, () => 0.1)), 0.1);
  assert.equal(meanOf([]), 0);
});

test('of less than two values there is no interval; of equal ones it has no width; of others it holds the mean', () => {
  assert.deepEqual(bootstrap([0.5]), { mean: 0.5, low: null, high: null });
  assert.deepEqual(bootstrap([1, 1, 1]), { mean: 1, low: 1, high: 1 });
  const { mean, low, high } = bootstrap(Array.from({ length: 500 }, (_, i) => i % 2));
  assert.ok(mean === 0.5 && low! > 0.44 && low! < 0.47 && high! > 0.53 && high! < 0.56, `${low} ${high}`); // ± 1.96 · 0.5/√500
});

test('what a grid of nothing comes to, how deep it looks, and its names', () => {
  assert.deepEqual(finished(gridOf([], { depths: [1], tokens: [] })), {
    questions: 0,
    goal: 'recall at 1',
    rows: [],
    halves: null,
  });
  assert.equal(deepest({ depths: [5], tokens: [1000] }, 100), 11);
  assert.equal(deepest({ depths: [5], tokens: [] }, 0), 5);
  assert.equal(
    nameOf({ method: 'fixed', size: 128, embedder: '', ranker: 'keyword', chunks: 1, tokens: 1 }),
    'fixed 128, keyword',
  );
  assert.equal(
    nameOf({ method: 'semantic', size: 0, embedder: 'builtin', ranker: 'hybrid', chunks: 1, tokens: 1 }),
    'semantic, builtin, hybrid',
  );
  assert.equal(
    rankOf(
      {
        setting: {} as Ranking['setting'],
        found: [
          [
            { start: 0, end: 5, tokens: 1 },
            { start: 5, end: 9, tokens: 1 },
          ],
        ],
        answers: [[{ start: 5, end: 6 }]],
      },
      0,
    ),
    2,
  );
});

test('characters are counted as Go counts them', () => {
  const text = 'a😀b𝒳c';
  const at = characters(text);
  assert.deepEqual([0, 1, 3, 4, 6, 7].map(at), [0, 1, 2, 3, 4, 5]);
  assert.equal(characters('plain')(4), 4);
});

test('a model whose folder has a comma and quotes in its name stays one cell of the CSV', () => {
  const none = { mean: 0, low: null, high: null };
  const row = {
    method: 'semantic',
    size: 128,
    embedder: 'static:small, "mine"',
    ranker: 'hybrid',
    chunks: 3,
    tokens: 90,
    depths: [],
    budgets: [],
    mrr: none,
    against: none,
    tie: false,
  };
  const [head = '', line = ''] = gridAsCsv({ questions: 1, goal: '', rows: [row], halves: null }, 0).split('\r\n');
  assert.ok(line.startsWith('semantic,128,"static:small, ""mine""",hybrid,3,90,'), line);
  assert.equal(line.replace(/"(?:[^"]|"")*"/, 'x').split(',').length, head.split(',').length);
});
