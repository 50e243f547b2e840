// The places of list items.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIND } from '../../lib/element-marks.ts';
import { elementItems } from '../../lib/items.ts';

/** Returns items as their depth and their words. Elements are given by their words. */
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
