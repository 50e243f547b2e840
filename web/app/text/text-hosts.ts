// Creates the rows and cells of tables and the items of lists for one block of the text.
// Text between two cells keeps its place, in no cell.

import type { Item } from '../../lib/items.ts';
import { lowest } from '../../lib/lowest.ts';
import type { Cell, Row, Table } from '../../lib/tables.ts';
import { h, setAttribute } from '../ground/dom.ts';

/**
 * In a table split over blocks, a column has room for its longest word, up to this many
 * letters, …
 */
const WORD = 24;
/** … and a share of the remaining width by its longest cell, up to this many letters. */
const SHARE = 60;

/** A cell with more letters than this may not shrink to one word per line. */
const PROSE = 40;

/** The deepest level of nested lists that is indented further. */
const DEEP = 6;

/** Makes tables wider than their container focusable, so the keyboard can scroll them. */
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries)
    setAttribute(target, 'tabindex', target.scrollWidth > target.clientWidth ? 0 : null);
});

/** Column widths of each table split over blocks, so that all its parts line up. */
const shares = new WeakMap<Table, string>();

interface Made<Of> {
  of: Of;
  element: HTMLElement;
}

export class TextHosts {
  readonly #root: ParentNode;
  readonly #text: string;
  readonly #tables: readonly Table[];
  readonly #items: readonly Item[];
  readonly #block: { start: number; end: number };
  #table: Made<Table> | null = null;
  #row: Made<Row> | null = null;
  #cell: Made<Cell> | null = null;
  #item: Made<Item> | null = null;

  constructor(
    root: ParentNode,
    text: string,
    tables: readonly Table[],
    items: readonly Item[],
    block: { start: number; end: number },
  ) {
    this.#root = root;
    this.#text = text;
    this.#tables = tables;
    this.#items = items;
    this.#block = block;
  }

  /** Reports whether an offset is in a table but in none of its cells. */
  between(offset: number): boolean {
    const table = at(this.#tables, offset);
    const row = table && at(table.rows, offset);
    return table !== null && !(row && at(row.cells, offset));
  }

  /** Returns the element for the text at an offset. Offsets must ascend. */
  hostOf(offset: number): ParentNode {
    const table = at(this.#tables, offset);
    if (!table) return this.#itemOf(offset);
    const row = at(table.rows, offset);
    const cell = row && at(row.cells, offset);
    if (row && cell) return this.#cellOf(table, row, cell);
    if (row && this.#row?.of === row) return this.#row.element;
    return this.#table?.of === table ? this.#table.element : this.#root;
  }

  #itemOf(offset: number): ParentNode {
    const item = at(this.#items, offset);
    if (!item) return this.#root;
    // After a nested element, such as a table, the item continues in a new element.
    if (this.#item?.of === item && this.#root.lastElementChild === this.#item.element) return this.#item.element;
    const element = h('div', { class: 'item' });
    element.style.setProperty('--depth', `${Math.min(DEEP, item.depth)}`);
    this.#root.append(element);
    this.#item = { of: item, element };
    return element;
  }

  #cellOf(table: Table, row: Row, cell: Cell): HTMLElement {
    if (this.#cell?.of === cell) return this.#cell.element;
    const line = this.#rowOf(table, row);
    for (let column = line.querySelectorAll(':scope > .cell').length; column < cell.column; column++)
      line.append(placed(h('div', { class: 'cell', role: 'cell' }), column, 1));
    const first = row === table.rows[0];
    const role = !cell.head ? 'cell' : first ? 'columnheader' : 'rowheader';
    const element = line.appendChild(
      h('div', {
        class: ['cell', cell.end - cell.start > PROSE ? 'long' : '', cell.side].filter(Boolean).join(' '),
        role,
      }),
    );
    placed(element, cell.column, room(table, row, cell), cell === row.cells.at(-1));
    this.#cell = { of: cell, element };
    return element;
  }

  #rowOf(table: Table, row: Row): HTMLElement {
    if (this.#row?.of === row) return this.#row.element;
    const element = this.#tableOf(table).appendChild(h('div', { class: 'row', role: 'row' }));
    this.#row = { of: row, element };
    return element;
  }

  #tableOf(table: Table): HTMLElement {
    if (this.#table?.of === table) return this.#table.element;
    const element = h('div', { class: 'table', role: 'table' });
    // Text in no cell follows the last cell, so that the lines between rows are as long as
    // the text's.
    const parted = table.start < this.#block.start || table.end > this.#block.end;
    element.style.setProperty('--columns', parted ? this.#shares(table) : `repeat(${table.columns}, auto) 1fr`);
    this.#root.append(element);
    widths.observe(element);
    this.#table = { of: table, element };
    return element;
  }

  #shares(table: Table): string {
    const known = shares.get(table);
    if (known) return known;
    const longest = Array.from({ length: table.columns }, () => ({ word: 1, cell: 1 }));
    for (const row of table.rows) {
      for (const cell of row.cells) {
        const of = longest[cell.column];
        if (!of || room(table, row, cell) > 1) continue;
        of.cell = Math.max(of.cell, cell.end - cell.start);
        for (const word of this.#text.slice(cell.start, cell.end).split(/\s+/))
          of.word = Math.max(of.word, word.length);
      }
    }
    const made = longest
      .map(({ word, cell }) => `minmax(${Math.min(WORD, word) + 1}ch, ${Math.min(SHARE, cell)}fr)`)
      .join(' ');
    shares.set(table, made);
    return made;
  }
}

/**
 * Returns how many columns a cell spans, including empty columns after it. A cell aligned
 * to a side spans one.
 */
function room(table: Table, { cells }: Row, cell: Cell): number {
  const next = cells[lowest(cells.length, (i) => (cells[i]?.start ?? 0) > cell.start)];
  return cell.side ? 1 : (next?.column ?? table.columns) - cell.column;
}

/**
 * Sets the grid columns of an element. A last cell of several columns extends to the end of
 * its row.
 */
function placed(element: HTMLElement, column: number, columns: number, last = false): HTMLElement {
  element.style.gridColumn = `${column + 1} / ${last && columns > 1 ? -1 : `span ${columns}`}`;
  return element;
}

/**
 * Returns the row if the part begins one, because a boundary crosses the whole row.
 * Otherwise returns the part.
 */
export function lineOf(part: HTMLElement): HTMLElement {
  const row = part.closest<HTMLElement>('.row');
  return row?.querySelector('.s') === part ? row : part;
}

/** Returns the part at an offset, or null. The parts must ascend and not overlap. */
function at<Part extends { start: number; end: number }>(parts: readonly Part[], offset: number): Part | null {
  const part = parts[lowest(parts.length, (i) => (parts[i]?.end ?? 0) > offset)];
  return part && part.start <= offset ? part : null;
}
