// Finds the rows and cells of a text's tables, to show them in columns. The text between
// two cells is not displayed.

import type { ViewText } from './api.ts';
import { bounded, elementsOf, KIND, type Element } from './element-marks.ts';
import { marksOf, type Mark } from './marks.ts';

export interface Cell {
  start: number;
  end: number;
  /** Whether it is a header of its column or row. */
  head: boolean;
  /** From 0. */
  column: number;
  /** The alignment of its words; at the start if absent. */
  side?: 'center' | 'end';
}

export interface Row {
  start: number;
  end: number;
  cells: Cell[];
}

/** Rows separated by white space only. The line end after the last row belongs to the table. */
export interface Table {
  start: number;
  end: number;
  columns: number;
  rows: Row[];
}

/** A longer cell is part of a page laid out with a table. */
const LONG = 2000;
/** A table with more columns is unreadable. */
const WIDE = 100;

/** Returns the tables of a text with elements. A nested table stays text in its cell. */
export function elementTables({ text, elements, marks }: Pick<ViewText, 'text' | 'elements' | 'marks'>): Table[] {
  const sides = new Map<number, 'center' | 'end'>();
  for (const { look, start } of marksOf(marks)) if (look === 'center' || look === 'end') sides.set(start, look);
  const tables: Table[] = [];
  let table: Element | null = null;
  let rows: Row[] = [];
  let cellEnd = 0;
  const end = () => {
    if (table) addTable(tables, text, rows);
    rows = [];
  };
  for (const element of elementsOf(bounded(elements))) {
    const { kind, start, end: stop } = element;
    if (table && start >= table.end) {
      end();
      table = null;
    }
    if (kind === KIND.table) table ??= element;
    if (!table || start < cellEnd) continue;
    if (kind === KIND.row) rows.push({ start, end: stop, cells: [] });
    if (kind === KIND.cell || kind === KIND.headCell) {
      const row = rows.at(-1);
      if (row && start < row.end) row.cells.push(cellOf(text, row, element, sides.get(start)));
      cellEnd = stop;
    }
  }
  end();
  return tables;
}

function cellOf(text: string, row: Row, { kind, start, end }: Element, side: Cell['side']): Cell {
  return { start, end, head: kind === KIND.headCell, column: columnOf(text, row, start), ...(side && { side }) };
}

/**
 * Returns the column of a cell. Empty cells leave only their separators in the text: bars,
 * or tabs from a PDF.
 */
function columnOf(text: string, { start: rowStart, cells }: Row, start: number): number {
  const before = cells.at(-1);
  const parted = text.slice(before?.end ?? rowStart, start).replace(/[^|\t]/g, '').length;
  return before ? before.column + Math.max(1, parted) : parted;
}

/** Returns the start of the next line. */
function lineEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline + 1;
}

/** Returns the start of a row's line, if only the frame precedes the row. */
function framed(text: string, start: number): number {
  let at = start;
  while (/[ \t|]/.test(text[at - 1] ?? '')) at--;
  return at === 0 || text[at - 1] === '\n' ? at : start;
}

function addTable(tables: Table[], text: string, found: readonly Row[]): void {
  let rows: Row[] = [];
  const end = () => {
    const columns = rows.reduce((most, { cells }) => Math.max(most, (cells.at(-1)?.column ?? 0) + 1), 0);
    const short = rows.every(({ cells }) => cells.every(({ start, end: stop }) => stop - start <= LONG));
    const last = rows.at(-1);
    if (last && columns > 1 && columns <= WIDE && short) {
      const line = lineEnd(text, Math.max(last.start, last.end - 1));
      const stop = text.slice(last.end, line).trim() ? last.end : line;
      tables.push({ start: framed(text, rows[0]?.start ?? 0), end: stop, columns, rows });
    }
    rows = [];
  };
  for (const row of found) {
    if (row.cells.length === 0) continue;
    const before = rows.at(-1);
    // A title or other text between two rows belongs to no row.
    if (before && text.slice(before.cells.at(-1)?.end, row.cells[0]?.start).replace(BARE, '').trim()) end();
    rows.push(row);
  }
  end();
}

/** The characters between the last cell of a row and the first of the next. */
const BARE = /[|:-]/g;

/** Returns marks that hide the text between cells. */
export function betweenCells(tables: readonly Table[]): Mark[] {
  const marks: Mark[] = [];
  for (const { start, end, rows } of tables) {
    let at = start;
    for (const cell of rows.flatMap(({ cells }) => cells)) {
      if (cell.start > at) marks.push({ start: at, end: cell.start, look: 'mark' });
      at = cell.end;
    }
    if (end > at) marks.push({ start: at, end, look: 'mark' });
  }
  return marks;
}
