// Marks on the words of a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, linesOf, wordAt, wordsWithin } from '../../app/page/marks.ts';
import { boxOf, wordsOf, type Words } from '../../app/page/words.ts';

type Word = [start: number, length: number, x0: number, y0: number, x1: number, y1: number];

/** Returns the words of pages. Their texts joined are the text of the view. */
function seen(...pages: { text: string; words: Word[] }[]): Words {
  const all = pages.flatMap(({ words }, of) => words.map((word) => ({ of, word })));
  return wordsOf(
    pages.map(() => ({ width: 100, height: 200 })),
    Int32Array.from(all.flatMap(({ of, word: [start, length] }) => [start, start + length, of])),
    Float32Array.from(all.flatMap(({ word: [, , ...box] }) => box)),
  );
}

const page = {
  text: 'é 😀 nearby\nwords',
  words: [
    [0, 1, 10, 10, 20, 20],
    [2, 2, 25, 10, 35, 20],
    [5, 6, 40, 10, 70, 20],
    [12, 5, 10, 25, 40, 35],
  ] as Word[],
};

test('words have their places, their pages and their boxes', () => {
  const words = seen(page, { text: '', words: [[20, 3, 1, 2, 3, 4]] });
  assert.deepEqual([words.count, ...words.starts, ...words.ends], [5, 0, 2, 5, 12, 20, 1, 4, 11, 17, 23]);
  assert.deepEqual(words.onPage, [[0, 1, 2, 3], [4]]);
  assert.deepEqual(boxOf(words, 4), { x0: 1, y0: 2, x1: 3, y1: 4 });
});

test('words of one line are one mark; columns and lines are apart', () => {
  const words = seen({
    text: 'one two far next',
    words: [
      [0, 3, 10, 10, 30, 20],
      [4, 3, 34, 11, 50, 21],
      [8, 3, 90, 10, 99, 20],
      [12, 4, 10, 25, 30, 35],
    ],
  });
  const lines = linesOf(words, [0, 1, 2, 3]);
  assert.deepEqual(
    lines.map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]),
    [
      [10, 10, 50, 21],
      [90, 10, 99, 20],
      [10, 25, 30, 35],
    ],
  );
  assert.deepEqual(wordsWithin(words, 0, { start: 2, end: 5 }), [0, 1]);
  assert.deepEqual(wordsWithin(words, 0, { start: 3, end: 4 }), []);
});

test('a line that runs up the page is one mark, too', () => {
  const words = seen({
    text: 'upward a line',
    words: [
      [0, 6, 10, 60, 20, 99],
      [7, 1, 10, 50, 20, 56],
      [9, 4, 10, 20, 20, 46],
    ],
  });
  assert.deepEqual(
    linesOf(words, [0, 1, 2]).map(({ y0, y1 }) => [y0, y1]),
    [[20, 99]],
  );
});

test('a chunk that goes on at the head of the next column has two bars', () => {
  const line = (x0: number, y0: number) => ({ x0, y0, x1: x0 + 40, y1: y0 + 10, upright: null });
  assert.deepEqual(blocksOf([line(10, 380), line(10, 395), line(60, 10), line(60, 25)]), [
    { x0: 10, y0: 380, x1: 50, y1: 405 },
    { x0: 60, y0: 10, x1: 100, y1: 35 },
  ]);
});

test('a press finds the word below it or near it, and none far away', () => {
  const words = seen(page);
  assert.equal(wordAt(words, 0, 50, 15), 2);
  assert.equal(wordAt(words, 0, 20, 40), 3);
  assert.equal(wordAt(words, 0, 90, 150), -1);
});
