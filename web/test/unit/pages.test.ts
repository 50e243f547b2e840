// The words of a document as the engine keeps it, and what is marked of them on a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, linesOf, wordAt, wordsWithin } from '../../app/page/marks.ts';
import { wordsOf } from '../../app/page/words.ts';

type Word = [start: number, length: number, x0: number, y0: number, x1: number, y1: number];
type Run = [start: number, page: number, from: number, length: number];

/** A document as shared/kept writes it, with nothing behind the views. */
function kept(
  pages: { text: string; words: Word[] }[],
  views: { text: string; runs: Run[] }[],
  version = 3,
): ArrayBuffer {
  const bytes: number[] = [];
  const num = (n: number) => {
    for (; n >= 128; n = Math.floor(n / 128)) bytes.push((n % 128) + 128);
    bytes.push(n);
  };
  const str = (text: string) => {
    const utf8 = new TextEncoder().encode(text);
    num(utf8.length);
    bytes.push(...utf8);
  };
  const real = (x: number) => bytes.push(...new Uint8Array(new Float32Array([x]).buffer));
  bytes.push(
    ...new TextEncoder().encode('SEAMKEPT'),
    1,
    68,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    ...new TextEncoder().encode('SEAMDOC'),
    version,
  );
  for (const text of ['a.pdf', 'Title', 'Author', 'en']) str(text);
  num(1);
  str('a note');
  num(pages.length);
  pages.forEach(({ text, words }, i) => {
    num(i + 1);
    real(100);
    real(200);
    str(text);
    str('iv');
    num(words.length);
    let at = 0;
    for (const [start, length, ...box] of words) {
      num(start - at);
      num(length);
      at = start;
      box.forEach(real);
    }
    num(1);
    num(0);
    num(200); // furniture, with a number of two bytes
  });
  for (const { text, runs } of views) {
    str(text);
    num(runs.length);
    for (const run of runs) run.forEach(num);
  }
  bytes.push(0, 0, 0, 0); // the checksum
  return new Uint8Array(bytes).buffer;
}

const page = {
  text: 'é 😀 nearby\nwords',
  words: [
    [0, 2, 10, 10, 20, 20],
    [3, 4, 25, 10, 35, 20],
    [8, 6, 40, 10, 70, 20],
    [15, 5, 10, 25, 40, 35],
  ] as Word[],
};
const content = { text: 'é 😀 nearby\nwords', runs: [[0, 0, 0, 20]] as Run[] };
/** The reading view leaves the first word out, and cuts the third in two. */
const reading = {
  text: '– 😀 near\n\nby words',
  runs: [
    [4, 0, 3, 4],
    [9, 0, 8, 4],
    [15, 0, 12, 2],
    [18, 0, 15, 5],
  ] as Run[],
};

test('words have their places in the text of a view, in UTF-16 units', () => {
  const words = wordsOf(kept([page], [content, reading]), 'reading');
  const found = Array.from({ length: words.count }, (_, i) => reading.text.slice(words.starts[i], words.ends[i]));
  assert.deepEqual(found, ['😀', 'near', 'by', 'words']);
  assert.deepEqual(
    [...words.boxes.slice(4, 12)],
    [40, 10, 70, 20, 40, 10, 70, 20],
    'both parts of a word have its box',
  );
  assert.deepEqual(words.pages, [{ width: 100, height: 200 }]);
  const inContent = wordsOf(kept([page], [content, reading]), 'content');
  assert.equal(content.text.slice(inContent.starts[3], inContent.ends[3]), 'words');
});

test('a document of an unknown form is refused', () => {
  assert.throws(() => wordsOf(kept([page], [content, reading], 5), 'reading'), RangeError);
  assert.throws(() => wordsOf(kept([page], [content, reading]).slice(0, 60), 'reading'), RangeError);
});

test('words of one line are one mark; columns and lines are apart', () => {
  const words = wordsOf(
    kept(
      [
        {
          text: 'one two far next',
          words: [
            [0, 3, 10, 10, 30, 20],
            [4, 3, 34, 11, 50, 21],
            [8, 3, 90, 10, 99, 20],
            [12, 4, 10, 25, 30, 35],
          ],
        },
      ],
      [
        { text: '', runs: [] },
        { text: 'one two far next', runs: [[0, 0, 0, 16]] },
      ],
    ),
    'reading',
  );
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
  const words = wordsOf(
    kept(
      [
        {
          text: 'upward a line',
          words: [
            [0, 6, 10, 60, 20, 99],
            [7, 1, 10, 50, 20, 56],
            [9, 4, 10, 20, 20, 46],
          ],
        },
      ],
      [
        { text: '', runs: [] },
        { text: 'upward a line', runs: [[0, 0, 0, 13]] },
      ],
    ),
    'reading',
  );
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
  const words = wordsOf(kept([page], [content, reading]), 'content');
  assert.equal(wordAt(words, 0, 50, 15), 2);
  assert.equal(wordAt(words, 0, 20, 40), 3);
  assert.equal(wordAt(words, 0, 90, 150), -1);
});
