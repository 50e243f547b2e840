// Shows the results of a grid: a table with the best first, and a plot.

import type { AnswerScores, GridReport, GridRow, Interval, JudgedItem } from '../../lib/api.ts';
import { nameOf } from '../../lib/grid.ts';
import { extent } from '../../lib/histogram.ts';
import { button, h, setAttribute } from '../ground/dom.ts';
import { answersOf } from './grid-answers.ts';
import type { Measured } from './grid-run.ts';
import { grid as words, judged as answerWords } from '../words/en/grid.ts';
import { number } from '../words/en/page.ts';
import { svg } from '../ground/svg.ts';

/** A row of the table: its figures, its measurement, and its label. */
export interface Told {
  row: GridRow;
  measured: Measured;
  name: string;
  /** Its judged answers in the order of the questions, or null if some are missing. */
  items: readonly JudgedItem[] | null;
}

export interface Acts {
  use: (told: Told) => void;
  compare: (told: Told) => void;
}

interface Column {
  label: string;
  /** The sort key, or null if the column has no figures. */
  value: ((told: Told) => number) | null;
  cell: (told: Told) => (Node | string)[];
}

/** Returns the figure that a report is ordered by. */
export const goalOf = ({ budgets: [first], depths: [deep] }: GridRow): Interval =>
  first?.recall ?? deep?.recall ?? { mean: 0, low: null, high: null };

export const goalWords = ({ budgets: [first], depths: [deep] }: GridRow, unit: string): string =>
  first ? words.inTokens(first.tokens, unit) : words.among(deep?.k ?? 0);

export class GridTable {
  readonly #rows: readonly Told[];
  readonly #columns: readonly Column[];
  readonly #body = h('tbody');
  /** The elements below the rows with open answers. */
  readonly #open = new Map<Told, HTMLElement>();
  readonly #heads: HTMLElement[];
  /** The column to sort by; −1 keeps the order of the rows: the one in use, then the report's. */
  #by = -1;
  #down = true;
  readonly element: HTMLElement;

  constructor(rows: readonly Told[], unit: string, acts: Acts, report: GridReport) {
    this.#rows = rows;
    this.#columns = columnsOf(rows, unit, { ...acts, open: (told, toggle) => this.#toggle(told, toggle) }, report);
    this.#heads = this.#columns.map(({ label, value }, i) =>
      h('th', { scope: 'col' }, value ? button(label, () => this.#sort(i), { class: 'sort' }) : h('span', {}, label)),
    );
    this.#heads.at(-1)?.classList.add('acts');
    this.element = h(
      'div',
      { class: 'scrolled', tabindex: 0, role: 'region', 'aria-label': words.table },
      h('table', {}, h('thead', {}, h('tr', {}, ...this.#heads)), this.#body),
    );
    this.#show();
  }

  #sort(column: number): void {
    if (this.#by === column) this.#down = !this.#down;
    else [this.#by, this.#down] = [column, true];
    this.#show();
  }

  #toggle(told: Told, toggle: HTMLElement): void {
    const below = this.#open.get(told);
    below?.remove();
    if (below) this.#open.delete(told);
    else if (told.items) {
      const row = h('tr', { class: 'opened' }, h('td', { colspan: this.#columns.length }, answersOf(told.items)));
      this.#open.set(told, row);
      toggle.closest('tr')?.after(row);
    }
    setAttribute(toggle, 'aria-expanded', String(!below));
  }

  #show(): void {
    const value = this.#columns[this.#by]?.value;
    const sign = this.#down ? -1 : 1;
    const rows = value ? [...this.#rows].sort((a, b) => sign * (value(a) - value(b))) : this.#rows;
    this.#heads.forEach((head, i) => {
      if (i === this.#by) head.setAttribute('aria-sort', this.#down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    this.#open.clear();
    this.#body.replaceChildren(
      ...rows.map((told) =>
        h(
          'tr',
          { class: told.row.tie ? 'tie' : null },
          ...this.#columns.map(({ cell }, i) =>
            i === 0 ? h('th', { scope: 'row' }, ...cell(told)) : h('td', {}, ...cell(told)),
          ),
        ),
      ),
    );
  }
}

interface Opening extends Acts {
  open: (told: Told, toggle: HTMLElement) => void;
}

function columnsOf(rows: readonly Told[], unit: string, { use, compare, open }: Opening, report: GridReport): Column[] {
  const { columns } = words;
  const best = rows[0];
  const first = report.rows[0];
  const shares = (label: string, of: (row: GridRow) => Interval | undefined, said = false): Column => ({
    label,
    value: ({ row }) => of(row)?.mean ?? 0,
    cell: ({ row }) => interval(of(row), said),
  });
  return [
    {
      label: columns.setting,
      value: null,
      cell: (told) => {
        const [first, ...more] = told.name.split(' · ');
        return [
          h('b', {}, first ?? ''),
          ' ',
          h('small', {}, more.join(' · ')),
          ...(told.items ? [' ', opener(told, open)] : []),
        ];
      },
    },
    ...(best?.row.budgets ?? []).map(({ tokens }, i) =>
      shares(words.inTokensShort(tokens, unit), ({ budgets }) => budgets[i]?.recall, i === 0),
    ),
    {
      label: columns.against,
      value: null,
      cell: (told) => [against(told.row, told.row === first, report.winner !== undefined)],
    },
    ...(rows.some(({ row }) => row.answers) ? answerColumns(rows, report) : []),
    ...(best?.row.depths ?? []).flatMap(({ k }, i) => [
      shares(words.recall(k), ({ depths }) => depths[i]?.recall),
      {
        label: words.success(k),
        value: ({ row }: Told) => row.depths[i]?.success.mean ?? 0,
        cell: ({ row }: Told) => [words.share(row.depths[i]?.success.mean ?? 0)],
      },
    ]),
    { label: columns.mrr, value: ({ row }) => row.mrr.mean, cell: ({ row }) => [words.mean(row.mrr.mean)] },
    { label: columns.chunks, value: ({ row }) => row.chunks, cell: ({ row }) => [number.format(row.chunks)] },
    {
      label: columns.median,
      value: ({ measured }) => measured.median,
      cell: ({ measured }) => [number.format(measured.median)],
    },
    {
      label: columns.acts,
      value: null,
      cell: (told) => [
        h(
          'span',
          { class: 'acts' },
          button(words.use, () => use(told), { class: 'small', 'aria-label': words.useNamed(told.name) }),
          button(words.compare, () => compare(told), { class: 'small', 'aria-label': words.compareNamed(told.name) }),
        ),
      ],
    },
  ];
}

function opener(told: Told, open: Opening['open']): HTMLElement {
  return button(
    answerWords.open,
    ({ currentTarget }) => {
      if (currentTarget instanceof HTMLElement) open(told, currentTarget);
    },
    { class: 'link open', 'aria-expanded': 'false', 'aria-label': answerWords.openNamed(told.name) },
  );
}

/** Returns the columns for judged answers. */
function answerColumns(rows: readonly Told[], { bestAnswers, answersWin = false }: GridReport): Column[] {
  const { columns } = answerWords;
  const of = ({ row }: Told) => row.answers;
  const column = (
    label: string,
    value: (answers: AnswerScores) => number,
    cell: (answers: AnswerScores, told: Told) => (Node | string)[],
  ): Column => ({
    label,
    value: (told) => {
      const answers = of(told);
      return answers ? value(answers) : -1;
    },
    cell: (told) => {
      const answers = of(told);
      return answers ? cell(answers, told) : ['–'];
    },
  });
  return [
    column(
      columns.faithfulness,
      ({ faithfulness }) => faithfulness.mean,
      ({ faithfulness }) => interval(faithfulness, true),
    ),
    column(
      columns.relevancy,
      ({ relevancy }) => relevancy.mean,
      ({ relevancy }) => interval(relevancy, true),
    ),
    column(
      columns.against,
      ({ quality }) => quality.mean,
      (answers, { row }) => [against(answers, nameOf(row) === bestAnswers, answersWin)],
    ),
    ...(rows.some((told) => of(told)?.spread !== undefined)
      ? [
          column(
            columns.spread,
            ({ spread = 0 }) => spread,
            ({ spread = 0 }) => [words.points(spread)],
          ),
        ]
      : []),
    column(
      columns.refused,
      ({ refused }) => refused,
      ({ refused }, { items }) => [answerWords.of(refused, items?.filter(({ run }) => run?.answerable).length ?? 0)],
    ),
    ...(rows.some((told) => of(told)?.unanswerable)
      ? [
          column(
            columns.rightly,
            ({ refusedRightly }) => refusedRightly,
            ({ refusedRightly, unanswerable }) => [answerWords.of(refusedRightly, unanswerable)],
          ),
        ]
      : []),
    ...(rows.some((told) => of(told)?.dollars !== undefined)
      ? [
          column(
            columns.cost,
            ({ dollars = 0 }) => dollars,
            ({ dollars }) => [dollars === undefined ? '' : answerWords.money(1000 * dollars)],
          ),
        ]
      : [
          column(
            columns.read,
            ({ read }) => read,
            ({ read }) => [number.format(Math.round(read))],
          ),
        ]),
  ];
}

function against(
  { against: to, tie }: { against: Interval; tie: boolean },
  first: boolean,
  wins: boolean,
): Node | string {
  if (first) return wins ? h('strong', {}, words.isBest) : words.isFirst;
  if (tie || to.low === null || to.high === null) return words.tie;
  return h('span', {}, words.points(to.mean), ' ', h('small', {}, words.interval(to.low, to.high)));
}

/**
 * Returns a share with a bar and its interval. With `said`, the interval is also written in
 * words.
 */
function interval(of: Interval | undefined, said: boolean): (Node | string)[] {
  if (!of) return [];
  const bar = h('span', { class: 'share', 'aria-hidden': 'true' }, h('i'));
  bar.style.setProperty('--mean', `${100 * of.mean}%`);
  if (of.low === null || of.high === null) return [words.share(of.mean), bar];
  bar.style.setProperty('--low', `${100 * of.low}%`);
  bar.style.setProperty('--high', `${100 * of.high}%`);
  const bounds = words.interval(of.low, of.high);
  bar.title = bounds;
  return [words.share(of.mean), ...(said ? [' ', h('small', {}, bounds)] : []), bar];
}

// ---- the picture

/** In pixels: the greatest and the least width. */
const WIDEST = 820;
const NARROWEST = 300;
const HEIGHT = 240;
const LEFT = 52;
const BOTTOM = 28;
const TOP = 10;
const RIGHT = 12;
const COLOURS = 5;

/**
 * Plots each setting's goal with its interval against its median chunk length. Each method
 * has a colour and a shape. `room` is the width in pixels.
 */
export function plotOf(rows: readonly Told[], unit: string, room: number): HTMLElement {
  const width = Math.min(WIDEST, Math.max(NARROWEST, room));
  const best = rows[0];
  if (!best) return h('figure', { hidden: true });
  const [low, high] = extent(rows.map(({ measured }) => measured.median));
  const x = (tokens: number) =>
    LEFT + 14 + (width - LEFT - RIGHT - 28) * (high > low ? (tokens - low) / (high - low) : 0.5);
  // The axis starts at a grid line below all values, because differences are often small.
  const least = Math.min(...rows.map(({ row }) => goalOf(row).low ?? goalOf(row).mean));
  const step = least < 0.5 ? 0.25 : least < 0.9 ? 0.1 : 0.02;
  const lines = Array.from({ length: Math.ceil((1 - Math.min(least, 1 - step)) / step) + 1 }, (_, i) => 1 - i * step);
  const floor = lines.at(-1) ?? 0;
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - floor) / (1 - floor));
  const methods = [...new Set(rows.map(({ measured }) => measured.cell.method.label))];
  const drawn: Element[] = lines.flatMap((value) => [
    svg('line', { class: 'rule', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
    svg('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, words.share(value)),
  ]);
  for (const tokens of [...new Set([low, Math.round((low + high) / 2), high])])
    drawn.push(svg('text', { x: x(tokens), y: HEIGHT - 8, 'text-anchor': 'middle' }, number.format(tokens)));
  for (const { row, measured, name } of [...rows].reverse()) {
    // the best on top
    const { mean, low: from, high: to } = goalOf(row);
    const at = x(measured.median);
    const form = methods.indexOf(measured.cell.method.label);
    const point = svg('g', { class: `point m${form % COLOURS}` }, svg('title', {}, `${name}: ${words.share(mean)}`));
    if (from !== null && to !== null) point.append(svg('line', { x1: at, x2: at, y1: y(from), y2: y(to) }));
    point.append(mark(form, at, y(mean)));
    drawn.push(point);
  }
  const goal = goalWords(best.row, unit);
  return h(
    'figure',
    {},
    h('figcaption', {}, words.plot(goal, unit)),
    h('ul', { class: 'legend' }, ...methods.map((label, form) => h('li', {}, key(form), label))),
    svg(
      'svg',
      {
        viewBox: `0 0 ${width} ${HEIGHT}`,
        width,
        height: HEIGHT,
        role: 'img',
        'aria-label': words.plotSaid(best.name),
      },
      ...drawn,
    ),
  );
}

function key(form: number): Element {
  return svg(
    'svg',
    { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' },
    svg('g', { class: `point m${form % COLOURS}` }, mark(form, 6, 6)),
  );
}

/** Each method has a shape, so that the plot does not rely on colour alone. */
function mark(form: number, x: number, y: number): Element {
  switch (form % 4) {
    case 0:
      return svg('circle', { cx: x, cy: y, r: 5 });
    case 1:
      return svg('rect', { x: x - 4.5, y: y - 4.5, width: 9, height: 9 });
    case 2:
      return svg('path', { d: `M${x} ${y - 6}l5.5 10h-11z` });
    default:
      return svg('path', { d: `M${x} ${y - 6}l6 6-6 6-6-6z` });
  }
}

/** Returns the rows of a report with their measurements. */
export function toldOf(
  { rows }: GridReport,
  all: readonly Measured[],
  name: (measured: Measured) => string,
  items: (measured: Measured) => readonly JudgedItem[] | null,
): Told[] {
  const of = new Map(all.map((measured) => [nameOf(measured.ranking), measured]));
  return rows.flatMap((row) => {
    const measured = of.get(nameOf(row));
    return measured ? [{ row, measured, name: name(measured), items: items(measured) }] : [];
  });
}
