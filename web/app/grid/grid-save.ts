// Writes a grid as `seam eval grid` does with --json and --csv, but without timings.

import type { AnswerScores, GridReport, Interval, JudgedRun } from '../../lib/api.ts';
import { rounded } from '../../lib/rounded.ts';
import { csv } from '../session/export.ts';

/** The data of a grid besides its figures. */
export interface GridOf {
  document: string;
  /** The engine's version. */
  version: string;
  /** How many of the questions a model has written. */
  made: number;
  /** The answers of all settings with a complete set, and the warnings about any answer. */
  runs: readonly JudgedRun[];
  warnings: readonly string[];
}

/** Writes JSON in the format that Go prints. */
export function gridAsJson(report: GridReport, { document, version, made, runs, warnings }: GridOf): string {
  const whole = {
    ...report,
    rows: report.rows.map((row) => ({ ...row, millis: undefined })), // no search was timed
    documents: [{ name: document }],
    ...(made > 0 && { made }),
    seam: version,
    ...(runs.length > 0 && { runs }),
    ...(warnings.length > 0 && { warnings }),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

export function gridAsCsv({ rows }: GridReport, made: number): string {
  const bounds = (name: string) => [name, `${name}_low`, `${name}_high`];
  const [first] = rows;
  const answered = rows.some(({ answers }) => answers);
  const head = [
    'method',
    'size',
    'embedder',
    'ranker',
    'chunks',
    'tokens',
    ...(first?.budgets ?? []).flatMap(({ tokens }) => bounds(`recall_in_${tokens}`)),
    ...(first?.depths ?? []).flatMap(({ k }) => [
      ...['recall', 'precision', 'iou', 'success'].flatMap((name) => bounds(`${name}_at_${k}`)),
      `read_at_${k}`,
    ]),
    ...bounds('mrr'),
    ...bounds('against_best'),
    'tie',
    ...(answered ? answerHead(bounds) : []),
  ];
  const values = ({ mean, low, high }: Interval) => [mean, low ?? '', high ?? ''];
  const lines = rows.map(
    ({ method, size = 0, embedder = '', ranker, chunks, tokens, budgets, depths, mrr, against, tie, answers }) => [
      method,
      size,
      embedder,
      ranker,
      chunks,
      tokens,
      ...budgets.flatMap(({ recall }) => values(recall)),
      ...depths.flatMap(({ recall, precision, iou, success, read }) => [
        ...[recall, precision, iou, success].flatMap(values),
        rounded(read, 2),
      ]),
      ...values(mrr),
      ...values(against),
      String(tie),
      ...(answered ? answerCells(answers, values, made) : []),
    ],
  );
  return csv([head, ...lines]);
}

const answerHead = (bounds: (name: string) => string[]): string[] => [
  ...['faithfulness', 'relevancy', 'quality', 'quality_against_best'].flatMap(bounds),
  'quality_tie',
  'refused',
  'unanswerable',
  'refused_rightly',
  'answer_read',
  'answer_written',
  'answer_dollars',
  'quality_spread',
  'made',
];

/** Returns empty cells if a setting's answers are incomplete. The spread needs repeated answers. */
function answerCells(
  answers: AnswerScores | undefined,
  values: (interval: Interval) => (number | string)[],
  made: number,
): (number | string)[] {
  if (!answers) return Array<string>(answerHead((name) => [name, '', '']).length).fill('');
  const {
    faithfulness,
    relevancy,
    quality,
    against,
    tie,
    refused,
    unanswerable,
    refusedRightly,
    read,
    written,
    dollars,
    spread,
  } = answers;
  return [
    ...[faithfulness, relevancy, quality, against].flatMap(values),
    String(tie),
    refused,
    unanswerable,
    refusedRightly,
    read,
    written,
    dollars ?? '',
    spread ?? '',
    made,
  ];
}
