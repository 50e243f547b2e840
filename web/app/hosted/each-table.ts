// Draws the table of answers by document, and writes it as CSV.

import type { Hit } from '../../lib/api.ts';
import { button, h, setAttribute } from '../ground/dom.ts';
import { csv } from '../session/export.ts';
import { explainHosted } from '../words/en/hosted.ts';
import { each as words } from '../words/en/each.ts';
import { Answer } from './answer.ts';
import type { Cell, EachRun } from './each-run.ts';
import { withoutInvented } from './markdown.ts';

/** Characters of a passage without a best sentence. */
const BEGINNING = 200;

/** Returns the name of a passage's document and page. */
const whereOf = ({ places }: Cell, index: number): string =>
  [places[index]?.name, places[index]?.page].filter(Boolean).join(' · ');

/** Opens a passage of a cell. */
export type Follow = (cell: Cell, index: number) => void;

/** Returns the best sentence of a passage, or its beginning. */
const quoteOf = ({ text, passage }: Hit): string =>
  (passage ? text.slice(...passage) : text.slice(0, BEGINNING)).replace(/\s+/g, ' ').trim();

/** Returns the numbers that an answer cites, from 1, ascending. */
function citedBy({ answer }: Cell): number[] {
  const text = answer ? withoutInvented(answer.text, answer.passages) : '';
  const numbers = [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list = '']) =>
    list.split(',').map(Number),
  );
  return [...new Set(numbers)].filter((n) => n > 0 && n <= (answer?.passages ?? 0)).sort((a, b) => a - b);
}

/** Returns the passages that an answer cites, or else all that were sent. */
function evidenceOf(cell: Cell): { cited: boolean; numbers: number[] } {
  const { answer } = cell;
  if (!answer || answer.refused) return { cited: false, numbers: [] };
  const numbers = citedBy(cell);
  return numbers.length > 0
    ? { cited: true, numbers }
    : { cited: false, numbers: cell.hits.slice(0, answer.passages).map((_, i) => i + 1) };
}

/** Returns a cell in words, without its evidence. */
function textOf(cell: Cell): string {
  const { answer, error } = cell;
  if (answer)
    return answer.refused
      ? words.absent
      : `${withoutInvented(answer.text, answer.passages).trim()}${words.cutOff[answer.finish] ?? ''}`;
  if (error) return words.failed(explainHosted(error).message);
  return cell.request ? words.open : words.unsent;
}

/** Returns the table as CSV, with the evidence of each column at the end of the row. */
export function eachAsCsv({ rows, questions }: EachRun): string {
  const evidence = (cell: Cell) =>
    evidenceOf(cell)
      .numbers.flatMap((n) => {
        const hit = cell.hits[n - 1];
        return hit ? [`[${n}] ${whereOf(cell, n - 1)}: ${quoteOf(hit)}`] : [];
      })
      .join('\n');
  return `\ufeff${csv([
    [words.document, ...questions, ...questions.map((question) => words.column(question))],
    ...rows.map(({ doc, cells }) => [doc.name, ...cells.map(textOf), ...cells.map(evidence)]),
  ])}`;
}

export class EachTable {
  readonly #follow: Follow;
  readonly #drawn = new Map<Cell, { element: HTMLElement; of: unknown }>();
  readonly element: HTMLElement;

  constructor(run: EachRun, follow: Follow) {
    this.#follow = follow;
    const head = h(
      'tr',
      {},
      h('th', { scope: 'col' }, words.document),
      ...run.questions.map((question) => h('th', { scope: 'col', dir: 'auto' }, question)),
    );
    const body = run.rows.map(({ doc, cells }) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row', dir: 'auto' }, doc.name),
        ...cells.map((cell) => {
          const element = h('td', {});
          this.#drawn.set(cell, { element, of: undefined });
          return element;
        }),
      ),
    );
    this.element = h(
      'div',
      { class: 'scrolled', tabindex: 0, role: 'group', 'aria-label': words.table },
      h('table', {}, h('thead', {}, head), h('tbody', {}, ...body)),
    );
    this.update();
  }

  /** Draws the cells that changed. */
  update(): void {
    for (const [cell, drawn] of this.#drawn) {
      const now = cell.answer ?? cell.error ?? cell.request;
      if (drawn.of === now) continue;
      drawn.of = now;
      drawn.element.replaceChildren(...this.#content(cell));
      setAttribute(drawn.element, 'class', cell.answer && !cell.answer.refused ? null : cell.error ? 'error' : 'none');
    }
  }

  #content(cell: Cell): Node[] {
    const { answer } = cell;
    if (!answer || answer.refused) return [h('span', { dir: 'auto' }, textOf(cell))];
    const shown = new Answer((index) => this.#follow(cell, index));
    shown.clear();
    shown.names = cell.hits.map((_, i) => whereOf(cell, i));
    shown.push(answer.text);
    shown.end(answer.passages);
    const { cited, numbers } = evidenceOf(cell);
    const items = numbers.flatMap((n) => {
      const hit = cell.hits[n - 1];
      return hit
        ? [
            h(
              'li',
              { value: n },
              button(whereOf(cell, n - 1), () => this.#follow(cell, n - 1), { class: 'link' }),
              h('q', { dir: 'auto' }, quoteOf(hit)),
            ),
          ]
        : [];
    });
    const more = words.cutOff[answer.finish];
    return [
      shown.element,
      ...(more ? [h('small', {}, more.trim())] : []),
      h(
        'details',
        {},
        h('summary', {}, cited ? words.evidence(items.length) : words.sent(items.length)),
        h('ol', {}, ...items),
      ),
    ];
  }
}
