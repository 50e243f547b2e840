// The places of rows and cells in a text's tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIND } from '../../lib/element-marks.ts';
import { looksIn } from '../../lib/marks.ts';
import { betweenCells, elementTables, type Table } from '../../lib/tables.ts';

/** Returns the words of all cells by row, each in its column. */
const words = (text: string, tables: Table[]): string[][][] =>
  tables.map(({ rows }) =>
    rows.map(({ cells }) => {
      const row: string[] = [];
      for (const { start, end, column } of cells) row[column] = text.slice(start, end);
      return Array.from(row, (cell) => cell ?? '');
    }),
  );

/** Returns the tables of elements given by their words, which must be unique. */
function ofElements(text: string, ...elements: [kind: keyof typeof KIND, words: string][]): Table[] {
  return elementTables({ text, elements: places(text, elements), marks: new Int32Array() });
}

const places = (text: string, elements: [kind: keyof typeof KIND, words: string][]) =>
  Int32Array.from(
    elements.flatMap(([kind, part]) => [KIND[kind], text.indexOf(part), text.indexOf(part) + part.length]),
  );

test('a table of elements has cells without words where bars are', () => {
  const text = 'Loom | Width | Shafts\nInkle |  | 1\n | 9';
  const tables = ofElements(
    text,
    ['table', text],
    ['row', 'Loom | Width | Shafts'],
    ['headCell', 'Loom'],
    ['headCell', 'Width'],
    ['headCell', 'Shafts'],
    ['row', 'Inkle |  | 1'],
    ['cell', 'Inkle'],
    ['cell', '1'],
    ['row', ' | 9'],
    ['cell', '9'],
  );
  assert.deepEqual(words(text, tables), [
    [
      ['Loom', 'Width', 'Shafts'],
      ['Inkle', '', '1'],
      ['', '9'],
    ],
  ]);
  assert.deepEqual(
    tables.map(({ columns }) => columns),
    [3],
  );
});

test('a table of a PDF has tabs between its cells, and one more for each without words', () => {
  const text = 'Loom\tWidth\tShafts\nInkle\t\t1\n\t\t9';
  const tables = ofElements(
    text,
    ['table', text],
    ['row', 'Loom\tWidth\tShafts'],
    ['headCell', 'Loom'],
    ['headCell', 'Width'],
    ['headCell', 'Shafts'],
    ['row', 'Inkle\t\t1'],
    ['cell', 'Inkle'],
    ['cell', '1'],
    ['row', '\t\t9'],
    ['cell', '9'],
  );
  assert.deepEqual(words(text, tables), [
    [
      ['Loom', 'Width', 'Shafts'],
      ['Inkle', '', '1'],
      ['', '', '9'],
    ],
  ]);
});

test('a title between rows parts a table, and a table in a cell is its words', () => {
  const text = 'a | b\nA title\nc | d1 | d2';
  const tables = ofElements(
    text,
    ['table', text],
    ['row', 'a | b'],
    ['cell', 'a'],
    ['cell', 'b'],
    ['row', 'c | d1 | d2'],
    ['cell', 'c'],
    ['cell', 'd1 | d2'],
    ['table', 'd1 | d2'],
    ['row', 'd1 | d2'],
    ['cell', 'd1'],
    ['cell', 'd2'],
  );
  assert.deepEqual(words(text, tables), [[['a', 'b']], [['c', 'd1 | d2']]]);
});

test('what lays out a page is no table', () => {
  const text = `Menu | ${'word '.repeat(1000)}end`;
  assert.deepEqual(ofElements(text, ['table', text], ['row', text], ['cell', 'Menu'], ['cell', text.slice(7)]), []);
});

/** A Markdown table, with rows that begin after the bars in front of them. */
const framed = 'Before.\n\n| Loom | Width |\n|---|--:|\n| Floor | 120 |\n\nBehind | it.';
const ofFramed = () =>
  elementTables({
    text: framed,
    elements: places(framed, [
      ['table', framed.slice(framed.indexOf('| Loom'), framed.indexOf('\n\nBehind'))],
      ['row', 'Loom | Width |'],
      ['headCell', 'Loom'],
      ['headCell', 'Width'],
      ['row', 'Floor | 120 |'],
      ['cell', 'Floor'],
      ['cell', '120'],
    ]),
    marks: Int32Array.from(['Width', '120'].flatMap((cell) => [7, framed.indexOf(cell), framed.indexOf(cell) + 3])),
  });

test('a table has the frame before its rows, and its cells stand where their marks say', () => {
  const tables = ofFramed();
  assert.deepEqual(words(framed, tables), [
    [
      ['Loom', 'Width'],
      ['Floor', '120'],
    ],
  ]);
  assert.equal(
    framed.slice(tables[0]?.start, tables[0]?.end),
    framed.slice(framed.indexOf('| Loom'), framed.indexOf('\nBehind')),
  );
  assert.deepEqual(
    tables[0]?.rows.map(({ cells }) => cells.map(({ side }) => side ?? 'start')),
    [
      ['start', 'end'],
      ['start', 'end'],
    ],
  );
});

test('all that is not in a cell is a mark, and nothing else is', () => {
  assert.equal(
    looksIn(betweenCells(ofFramed()), 0, framed.length)
      .filter(({ looks }) => looks.length === 0)
      .map(({ start, end }) => framed.slice(start, end))
      .join('/'),
    'Before.\n\n/Loom/Width/Floor/120/\nBehind | it.',
  );
});
