// The tables of a text: where their rows and cells stand in it. For showing them in
// columns; what is between two cells is in the text, and is not shown.

import { elementsOf, KIND, MOST, type Element } from './element-marks.ts';
import { DELIMITER, type Mark } from './markdown-marks.ts';

export interface Cell {
  start: number;
  end: number;
  /** Says what its column or its row is. */
  head: boolean;
  /** From 0. */
  column: number;
  /** Where its words stand; at the beginning where that is not told. */
  side?: 'center' | 'end';
}

export interface Row {
  start: number;
  end: number;
  cells: Cell[];
}

/** Rows with nothing but white space between them; the line end behind the last one is the table's. */
export interface Table {
  start: number;
  end: number;
  columns: number;
  rows: Row[];
}

/** A longer cell is part of a page that is laid out by a table. */
const LONG = 2000;
/** The words of a cell, in which a bar has a backslash before it, or a bar. */
const PART = /(?:\\.|[^|\\])+|\||\\$/gs;
/** Where the words of a column stand, by the dashes under its head; else at the beginning. */
const SIDES = [
  [/^:-+:$/, 'center'],
  [/^-+:$/, 'end'],
] as const;
/** More columns are no table that anybody reads. */
const WIDE = 100;

/** Of a text whose elements the engine tells of. A table in a table stays the words of its cell. */
export function elementTables(text: string, elements: Int32Array): Table[] {
  const tables: Table[] = [];
  let table: Element | null = null;
  let rows: Row[] = [];
  let cellEnd = 0;
  const end = () => {
    if (table) addTable(tables, text, rows);
    rows = [];
  };
  for (const element of elementsOf(elements.length > 3 * MOST ? elements.subarray(0, 0) : elements)) {
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
      if (row && start < row.end)
        row.cells.push({ start, end: stop, head: kind === KIND.headCell, column: columnOf(text, row, start) });
      cellEnd = stop;
    }
  }
  end();
  return tables;
}

/** Of a cell without words only what parts it from others is there: bars, or the tabs of a PDF. */
function columnOf(text: string, { start: rowStart, cells }: Row, start: number): number {
  const before = cells.at(-1);
  const parted = text.slice(before?.end ?? rowStart, start).replace(/[^|\t]/g, '').length;
  return before ? before.column + Math.max(1, parted) : parted;
}

/** Of a text in Markdown: a line with bars, one of dashes under it, and all lines with bars that follow. */
export function markdownTables(text: string, marks: readonly Mark[]): Table[] {
  const tables: Table[] = [];
  for (const { start, end, look } of marks) {
    if (look !== 'mark' || start < (tables.at(-1)?.end ?? 0)) continue;
    const dashes = text.slice(start, end).trimEnd();
    if (!dashes.includes('|') || !DELIMITER.test(dashes)) continue;
    const headStart = text.lastIndexOf('\n', start - 2) + 1;
    const head = rowOf(text, headStart, start, true);
    if (head.columns !== rowOf(text, start, end, false).columns) continue;
    const rows: Row[] = [head];
    const sides = dashes
      .replace(/^\s*\|/, '')
      .split('|')
      .map((of) => SIDES.find(([mark]) => mark.test(of.trim()))?.[1]);
    for (let at = end; at < text.length; ) {
      const stop = lineEnd(text, at);
      if (!text.slice(at, stop).includes('|')) break;
      rows.push(rowOf(text, at, stop, false));
      at = stop;
    }
    for (const cell of rows.flatMap(({ cells }) => cells)) {
      const side = sides[cell.column];
      if (side) cell.side = side;
    }
    addTable(tables, text, rows);
  }
  return tables;
}

/** Where the next line begins. */
function lineEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline + 1;
}

/** A line with bars; those at its ends are no more than its frame. */
function rowOf(text: string, start: number, end: number, head: boolean): Row & { columns: number } {
  const cells: Cell[] = [];
  let column = 0;
  let begun = false;
  let open = false; // no bar behind it yet
  for (const { 0: part, index } of text.slice(start, end).matchAll(PART)) {
    const words = part.trim();
    if (part === '|') column += Number(begun);
    else if (words) {
      const from = start + index + part.length - part.trimStart().length;
      cells.push({ start: from, end: from + words.length, head, column });
    }
    begun ||= words !== '';
    open = (words !== '' && part !== '|') || (open && words === '');
  }
  return { start, end, cells, columns: column + Number(open) };
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
      tables.push({ start: rows[0]?.start ?? 0, end: stop, columns, rows });
    }
    rows = [];
  };
  for (const row of found) {
    if (row.cells.length === 0) continue;
    const before = rows.at(-1);
    // A title, or what else stands between two rows, is of no row.
    if (before && text.slice(before.cells.at(-1)?.end, row.cells[0]?.start).replace(BARE, '').trim()) end();
    rows.push(row);
  }
  end();
}

/** What is between the last cell of a row and the first of the next one. */
const BARE = /[|:-]/g;

/** What of the tables is between their cells, as marks, which are not seen. */
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
