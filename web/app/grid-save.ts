// A grid as `seam eval grid` prints it with --json and --csv; it was not timed, and no
// model has answered.

import type { Interval } from '../lib/bootstrap.ts';
import type { GridReport } from '../lib/grid.ts';

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals)) || 0; // no −0

function intervalOf({ mean, low, high }: Interval): Interval {
  return { mean: rounded(mean, 5), low: low === null ? null : rounded(low, 5), high: high === null ? null : rounded(high, 5) };
}

/** Offsets, bounds and means as Go rounds them. `version` is the engine's. */
export function gridAsJson({ questions, goal, rows, halves }: GridReport, document: string, version: string): string {
  const whole = {
    questions, goal,
    rows: rows.map(({ method, size, embedder, ranker, chunks, tokens, ...scores }) => ({
      method, ...(size > 0 && { size }), ...(embedder && { embedder }), ranker, chunks, tokens, ...scores,
    })),
    ...(halves && { halves }), documents: [{ name: document }], seam: version,
  };
  return `${JSON.stringify(whole, (_, value: unknown) => (typeof value === 'object' && value !== null && 'low' in value ? intervalOf(value as Interval) : value), 2)}\n`;
}

export function gridAsCsv({ rows }: GridReport): string {
  const bounds = (name: string) => [name, `${name}_low`, `${name}_high`];
  const [first] = rows;
  const head = ['method', 'size', 'embedder', 'ranker', 'chunks', 'tokens', ...(first?.budgets ?? []).flatMap(({ tokens }) => bounds(`recall_in_${tokens}`)),
    ...(first?.depths ?? []).flatMap(({ k }) => [...['recall', 'precision', 'iou', 'success'].flatMap((name) => bounds(`${name}_at_${k}`)), `read_at_${k}`]),
    ...bounds('mrr'), ...bounds('against_best'), 'tie'];
  const values = (interval: Interval) => Object.values(intervalOf(interval)).map((value: number | null) => value ?? '');
  const lines = rows.map(({ method, size, embedder, ranker, chunks, tokens, budgets, depths, mrr, against, tie }) => [method, size, embedder, ranker, chunks, tokens,
    ...budgets.flatMap(({ recall }) => values(recall)),
    ...depths.flatMap(({ recall, precision, iou, success, read }) => [...[recall, precision, iou, success].flatMap(values), rounded(read, 2)]),
    ...values(mrr), ...values(against), String(tie)]);
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
