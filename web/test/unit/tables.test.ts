// Where the rows and cells of a text's tables are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIND } from '../../lib/element-marks.ts';
import { looksIn, markdownMarks } from '../../lib/markdown-marks.ts';
import { betweenCells, elementTables, markdownTables, type Table } from '../../lib/tables.ts';

/** The words of all cells, by row, each in its column. */
const words = (text: string, tables: Table[]): string[][][] =>
  tables.map(({ rows }) =>
    rows.map(({ cells }) => {
      const row: string[] = [];
      for (const { start, end, column } of cells) row[column] = text.slice(start, end);
      return Array.from(row, (cell) => cell ?? '');
    }),
  );

const ofMarkdown = (text: string): string[][][] => words(text, markdownTables(text, markdownMarks(text)));

test('a table in Markdown is its head, and the lines with bars below the dashes', () => {
  const text =
    'Before | it.\n\n| Loom | Width |\n|:-----|------:|\n| Floor loom | 120 |\n|  | *4* \\| `5` |\n\n| none |\n';
  assert.deepEqual(ofMarkdown(text), [
    [
      ['Loom', 'Width'],
      ['Floor loom', '120'],
      ['', '*4* \\| `5`'],
    ],
  ]);
  const [table] = markdownTables(text, markdownMarks(text));
  assert.equal(text.slice(table?.start, table?.end), text.slice(text.indexOf('| Loom'), text.indexOf('\n| none')));
  assert.deepEqual(
    table?.rows.map(({ cells }) => cells.map(({ head }) => head)),
    [[true, true], [false, false], [false]],
  );
});

test('the words of a column stand where the colons of its dashes say', () => {
  const sides = (text: string) =>
    markdownTables(text, markdownMarks(text))[0]?.rows.map(({ cells }) => cells.map(({ side }) => side ?? 'start'));
  assert.deepEqual(sides('| A | B | C |\n|:--|--:|:-:|\n| d | e | f |\n|  | g |\n'), [
    ['start', 'end', 'center'],
    ['start', 'end', 'center'],
    ['end'],
  ]);
  assert.deepEqual(sides('A | B\n--|--:\nc | d\n'), [
    ['start', 'end'],
    ['start', 'end'],
  ]);
});

test('bars at the ends of its lines are not needed', () => {
  assert.deepEqual(ofMarkdown('A | B\n--|--\nc | d\ne |\n\nf | g'), [[['A', 'B'], ['c', 'd'], ['e']]]);
});

test('what only looks like one is none', () => {
  assert.deepEqual(ofMarkdown('| a | b |\n| c | d |'), [], 'without dashes');
  assert.deepEqual(ofMarkdown('| a | b |\n|---|\n| c | d |'), [], 'with too few');
  assert.deepEqual(ofMarkdown('|---|---|\n| c | d |'), [], 'without a head');
  assert.deepEqual(ofMarkdown('| a |\n|---|\n| c |'), [], 'with one column');
  assert.deepEqual(ofMarkdown('```\n| a | b |\n|---|---|\n```'), [], 'in a listing');
});

/** Elements by their words, which are there once. */
function ofElements(text: string, ...elements: [kind: keyof typeof KIND, words: string][]): Table[] {
  return elementTables(
    text,
    Int32Array.from(
      elements.flatMap(([kind, part]) => [KIND[kind], text.indexOf(part), text.indexOf(part) + part.length]),
    ),
  );
}

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

test('all that is not in a cell is a mark, and nothing else is', () => {
  const text = 'Before.\n\n| Loom | Width |\n|---|---|\n| Floor | 120 |\n\nBehind | it.';
  const marks = markdownMarks(text);
  const between = betweenCells(markdownTables(text, marks));
  assert.equal(
    looksIn(between, 0, text.length)
      .filter(({ looks }) => looks.length === 0)
      .map(({ start, end }) => text.slice(start, end))
      .join('/'),
    'Before.\n\n/Loom/Width/Floor/120/\nBehind | it.',
  );
});

test('many bars take no long time', () => {
  const line = `${'| a '.repeat(50_000)}|`;
  assert.deepEqual(ofMarkdown(`${line}\n${'|-'.repeat(5000)}|\n${line}`), []);
});
