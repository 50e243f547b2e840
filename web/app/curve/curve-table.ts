// Shows the boundaries of the curve as a table, for screen readers and for anyone who wants
// the numbers: cut and joined gaps with the sentences on both sides.

import { gapsOf, STATES } from '../../lib/gaps.ts';
import type { Chunking } from '../session/doc.ts';
import { button, h, type Props } from '../ground/dom.ts';
import { inSlices } from '../ground/slices.ts';
import { shown } from '../words/en/views.ts';

const words = shown.curve.table;
/** The most rows. A saved file has all chunks. */
const MOST = 500;
/** The most characters of a sentence. */
const QUOTED = 80;

/** Opens the table. `goTo` shows a sentence in the text. */
export function showCurveTable(chunking: Chunking, goTo: (sentence: number) => void): void {
  const dialog = h('dialog', { class: 'curve-table', 'aria-labelledby': 'curve-table-title' });
  const body = h('tbody', { role: 'rowgroup', 'aria-busy': 'true' });
  const { states } = gapsOf(chunking);
  const gaps = [...states.keys()].filter((gap) => states[gap] !== 0);
  const { curve: kind, threshold } = chunking.result;
  const line = kind && threshold !== null ? words.line(shown.curve.at(kind, threshold)) : '';
  dialog.append(
    ...[
      h('h2', { id: 'curve-table-title' }, words.title(kind)),
      h(
        'p',
        { class: 'help' },
        gaps.length === 0
          ? words.none
          : [words.count(gaps.length), line, gaps.length > MOST ? words.first(MOST) : ''].filter(Boolean).join(' '),
      ),
      ...(gaps.length === 0
        ? []
        : [
            h(
              'div',
              { class: 'wide', tabindex: 0, role: 'region', 'aria-labelledby': 'curve-table-title' },
              h(
                'table',
                { role: 'table' },
                h(
                  'thead',
                  { role: 'rowgroup' },
                  h(
                    'tr',
                    { role: 'row' },
                    ...words.heads.map((each) => h('th', { role: 'columnheader', scope: 'col' }, each)),
                  ),
                ),
                body,
              ),
            ),
          ]),
      h(
        'div',
        { class: 'bar' },
        button(words.close, () => dialog.close(), { class: 'primary' }),
      ),
    ],
  );
  const closed = new AbortController();
  dialog.addEventListener('close', () => {
    closed.abort();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  void inSlices(rows(), closed.signal).then(() => body.setAttribute('aria-busy', 'false'));

  /** Yields between rows to keep the page responsive. */
  function* rows(): Generator<void> {
    for (const gap of gaps.slice(0, MOST)) {
      body.append(
        rowOf(chunking, gap, STATES[states[gap] ?? 0] ?? 'none', () => {
          dialog.close();
          goTo(gap + 1);
        }),
      );
      yield;
    }
  }
}

function rowOf(
  { text, sentences, curve, result }: Chunking,
  gap: number,
  state: (typeof STATES)[number],
  go: () => void,
): HTMLElement {
  const quote = (sentence: number) => {
    const all = text.text
      .slice(sentences[2 * sentence], sentences[2 * sentence + 1])
      .replace(/\s+/g, ' ')
      .trim();
    return all.length > QUOTED ? `${all.slice(0, QUOTED - 1).trim()}…` : all;
  };
  const start = sentences[2 * gap + 2] ?? 0;
  const page = text.pages.length > 1 ? text.pages.findLast((each) => each.start <= start)?.number : undefined;
  const value = curve[gap];
  const cells: [Node | string, Props?][] = [
    [String(gap + 1)],
    [page === undefined ? '–' : String(page)],
    [quote(gap), { dir: 'auto' }],
    [button(quote(gap + 1), go, { class: 'link' }), { dir: 'auto' }],
    [value === undefined || result.curve === '' ? '–' : shown.curve.at(result.curve, value)],
    [state === 'none' ? '' : words.states[state]],
  ];
  // On a phone each row is a block, where a cell shows its head. The roles stay a table's.
  return h(
    'tr',
    { role: 'row' },
    ...cells.map(([cell, props], i) => h('td', { role: 'cell', 'data-head': words.heads[i] ?? '', ...props }, cell)),
  );
}
