// Where the items of lists stand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIND } from '../../lib/element-marks.ts';
import { elementItems, markdownItems } from '../../lib/items.ts';
import { markdownMarks } from '../../lib/markdown-marks.ts';

/** Items as how deep they are and their words. Elements by their words. */
function items(text: string, ...elements: [kind: keyof typeof KIND, words: string][]): string[] {
  const found = elementItems(
    text,
    Int32Array.from(
      elements.flatMap(([kind, part]) => [KIND[kind], text.indexOf(part), text.indexOf(part) + part.length]),
    ),
  );
  let at = 0;
  for (const { start, end } of found) {
    assert.ok(start >= at && end > start, 'beside one another');
    at = end;
  }
  return found.map(({ start, end, depth }) => `${depth} ${text.slice(start, end)}`);
}

test('items are beside one another, with the line end behind them', () => {
  const text = 'Take:\n• milk\n• tea\n\nThen go.';
  assert.deepEqual(items(text, ['list', '• milk\n• tea'], ['item', '• milk'], ['item', '• tea']), [
    '1 • milk\n',
    '1 • tea\n',
  ]);
});

test('an item ends where a list in it begins, and may go on behind it', () => {
  const text = '• milk\n– hot\n– cold\nfrom the farm\n• tea';
  assert.deepEqual(
    items(
      text,
      ['list', text],
      ['item', '• milk\n– hot\n– cold\nfrom the farm'],
      ['list', '– hot\n– cold'],
      ['item', '– hot'],
      ['item', '– cold'],
      ['item', '• tea'],
    ),
    ['1 • milk\n', '2 – hot\n', '2 – cold\n', '1 from the farm\n', '1 • tea'],
  );
});

test('an item that is nothing but a list has no place of its own', () => {
  const text = '1. tea';
  assert.deepEqual(items(text, ['list', text], ['item', text], ['list', text], ['item', text]), ['2 1. tea']);
});

test('a text without elements has none', () => {
  assert.deepEqual(elementItems('• milk', new Int32Array()), []);
});

/** Items of Markdown, as above; the blanks that are not seen are dots. */
function ofMarkdown(text: string): string[] {
  const { items: found, blanks } = markdownItems(text, markdownMarks(text));
  const seen = [...text];
  for (const { start, end } of blanks) seen.fill('.', start, end);
  return found.map(({ start, end, depth }) => `${depth} ${seen.slice(start, end).join('')}`);
}

test('items of Markdown have their lines, and are as deep as they are indented', () => {
  assert.deepEqual(ofMarkdown('Take:\n- milk,\n  cold\n  - from the farm\n    1. or not\n- tea\n\nThen go.'), [
    '1 - milk,\n..cold\n',
    '2 ..- from the farm\n',
    '3 ....1. or not\n',
    '1 - tea\n',
  ]);
});

test('a paragraph, a line that is not indented, and a listing within an item', () => {
  assert.deepEqual(ofMarkdown('1. milk\nand more\n\n   It is cold.\n\n2. tea\n   ```\n   a  b\n   ```\n'), [
    '1 1. milk\nand more\n\n...It is cold.\n',
    '1 2. tea\n...```\n   a  b\n...```\n',
  ]);
});

test('what follows a list within an item is of the item; what follows a blank line and is not indented is of none', () => {
  assert.deepEqual(ofMarkdown('* milk\n  * cold\n\n  and white\n\nNo item.\n\n* tea'), [
    '1 * milk\n',
    '2 ..* cold\n',
    '1 ..and white\n',
    '1 * tea',
  ]);
});

test('numbers at the beginning of lines, rules and indented prose are no items', () => {
  for (const text of ['It was in\n1999. Then\n2000. came.', 'A line\n- - -\nmore', '    indented prose', '> - quoted'])
    assert.deepEqual(ofMarkdown(text), [], text);
});

test('a line of dashes below an item is a rule, and makes no heading of it', () => {
  assert.ok(markdownMarks('- milk\n---\nThen').every(({ look }) => look !== 'h2'));
});
