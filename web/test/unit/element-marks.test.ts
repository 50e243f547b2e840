// The look of a text with elements.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementMarks, KIND } from '../../lib/element-marks.ts';
import { looksIn } from '../../lib/marks.ts';

type Kind = keyof typeof KIND;

const none = new Int32Array();

/** Returns the parts of a text with a look. Elements are given by their words. */
function looking(text: string, look: string, ...elements: [kind: Kind, words: string][]): string[] {
  const places = elements.flatMap(([kind, words]) => {
    const start = text.indexOf(words);
    assert.ok(start >= 0, words);
    return [KIND[kind], start, start + words.length];
  });
  const marks = elementMarks({ text, links: [], headings: [], elements: Int32Array.from(places), marks: none });
  return looksIn(marks, 0, text.length)
    .filter(({ looks }) => looks.some((each) => each === look))
    .map(({ start, end }) => text.slice(start, end));
}

test('items have their marks', () => {
  const text = '• milk\n• hot\n2. tea';
  const elements: [Kind, string][] = [
    ['list', text],
    ['item', '• milk\n• hot'],
    ['list', '• hot'],
    ['item', '• hot'],
    ['item', '2. tea'],
  ];
  assert.deepEqual(looking(text, 'bullet', ...elements), ['• ', '• ']);
  assert.deepEqual(looking(text, 'number', ...elements), ['2. ']);
});

test('items of a PDF have marks of many kinds', () => {
  const marks = ['• ', '– ', '\uf0b7 ', '✓ ', '1. ', '2) ', '(iv) ', 'a) ', '3.1. '];
  for (const mark of marks) {
    const text = `${mark}tea, hot`;
    const looks = (look: string) => looking(text, look, ['list', text], ['item', text]);
    const drawn = mark === '• ' || mark === '\uf0b7 ';
    assert.deepEqual([looks('bullet'), looks('number')], drawn ? [[mark], []] : [[], [mark]], mark);
  }
  assert.deepEqual(looking('tea (hot) or not', 'number', ['list', 'tea (hot)'], ['item', 'tea (hot)']), []);
});

test('an item whose mark is its text is none without one', () => {
  assert.deepEqual(looking('tea', 'bullet', ['list', 'tea'], ['item', 'tea']), []);
});

test('rows have bars between their cells, and only there', () => {
  const text = 'Year | Sum\n | a | b';
  const elements: [Kind, string][] = [
    ['table', text],
    ['row', 'Year | Sum'],
    ['headCell', 'Year'],
    ['headCell', 'Sum'],
    ['row', ' | a | b'],
    ['cell', 'a | b'],
  ];
  assert.deepEqual(looking(text, 'bar', ...elements), [' | ', ' | ']);
  assert.deepEqual(looking(text, 'strong', ...elements), ['Year', 'Sum']);
  assert.equal(looking(text, 'row', ...elements).join(''), text.replace('\n', ''));
});

test('a listing and a quote are lines, each once', () => {
  const text = 'a\n\nb\nc';
  const marks = elementMarks({
    text,
    marks: none,
    links: [],
    headings: [],
    elements: Int32Array.from([KIND.quote, 0, 6, KIND.quote, 0, 6, KIND.listing, 3, 6]),
  });
  assert.deepEqual(
    marks.map(({ start, end, look }) => `${look} ${text.slice(start, end)}`),
    ['quote a', 'quote b', 'code b', 'quote c', 'code c'],
  );
});

test('headings come first where others begin with them', () => {
  const marks = elementMarks({
    text: 'Tea',
    marks: none,
    links: [],
    headings: [{ level: 9, start: 0, end: 3 }],
    elements: Int32Array.from([KIND.emphasis, 0, 3]),
  });
  assert.deepEqual(
    marks.map(({ look }) => look),
    ['h6', 'em'],
  );
});

test('a text without elements has its headings alone; what is cut off is left out', () => {
  assert.deepEqual(elementMarks({ text: 'a b', links: [], headings: [], elements: none, marks: none }), []);
  assert.deepEqual(
    elementMarks({ text: 'a b', links: [], headings: [], elements: Int32Array.from([KIND.strong, 0]), marks: none }),
    [],
  );
});

test('however deep elements lie, marks are as many as their lines', () => {
  const lines = 'a\n'.repeat(10_000);
  const elements = Array.from({ length: 64 }, () => [KIND.quote, 0, lines.length]).flat();
  assert.equal(
    elementMarks({ text: lines, links: [], headings: [], elements: Int32Array.from(elements), marks: none }).length,
    10_000,
  );
});

test('of too many elements or marks none is looked at', () => {
  const elements = new Int32Array(3 * 500_001).map((_, i) => [KIND.strong, 0, 3][i % 3] ?? 0);
  const marks = new Int32Array(3 * 500_001).map((_, i) => [1, 0, 1][i % 3] ?? 0);
  assert.deepEqual(
    elementMarks({ text: 'Tea', links: [], headings: [{ level: 1, start: 0, end: 3 }], elements, marks }).map(
      ({ look }) => look,
    ),
    ['h1'],
  );
});

test('the marks of a Markdown text are in order with the marks of elements; its items get no second mark', () => {
  const text = '- **tea**';
  const marks = Int32Array.from([4, 0, 2, 1, 2, 4, 7, 2, 9, 1, 7, 9]);
  const elements = Int32Array.from([KIND.item, 0, 9, KIND.strong, 2, 9]);
  assert.deepEqual(
    elementMarks({ text, links: [], headings: [], elements, marks }).map(
      ({ look, start, end }) => `${look} ${start} ${end}`,
    ),
    ['bullet 0 2', 'strong 2 9', 'mark 2 4', 'mark 7 9'],
  );
});

test('links and pictures are marked, a link over two lines in each', () => {
  const text = 'see the\nmill';
  assert.deepEqual(
    elementMarks({
      text,
      links: [
        { url: 'https://example.org', start: 4, end: 12 },
        { page: 2, start: 12, end: 12 },
      ],
      headings: [],
      elements: Int32Array.from([KIND.image, 8, 12]),
      marks: none,
    }).map(({ look, start, end }) => `${look} ${text.slice(start, end)}`),
    ['link the', 'image mill', 'link mill'],
  );
});
