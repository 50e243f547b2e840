// The small pure functions of the curve, the histogram, the colours and the snippets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignColours, COLOURS } from '../../lib/colours.ts';
import { downsample } from '../../lib/downsample.ts';
import { extent, histogram, median } from '../../lib/histogram.ts';
import { snippet } from '../../lib/snippet.ts';

test('downsample: one bar a value when there is room', () => {
  const bars = downsample(new Float32Array([0.5, 0.25, 1]), 100);
  assert.deepEqual(
    bars.map(({ gap, value }) => [gap, value]),
    [
      [0, 0.5],
      [1, 0.25],
      [2, 1],
    ],
  );
});

test('downsample: every gap is behind exactly one bar, and each bar shows its extreme', () => {
  const values = Float32Array.from({ length: 1000 }, (_, i) => Math.fround(Math.sin(i * i)));
  for (const columns of [1, 7, 333, 999, 1000]) {
    for (const lowest of [false, true]) {
      const bars = downsample(values, columns, lowest);
      assert.equal(bars.length, columns);
      let next = 0;
      for (const { first, last, gap, value, min, max } of bars) {
        assert.equal(first, next);
        const behind = [...values.subarray(first, last)];
        assert.equal(value, lowest ? Math.min(...behind) : Math.max(...behind));
        assert.equal(values[gap], value);
        assert.deepEqual([min, max], [Math.min(...behind), Math.max(...behind)]);
        next = last;
      }
      assert.equal(next, values.length);
    }
  }
});

test('downsample: a part of the curve keeps the numbers of its gaps', () => {
  const values = Float32Array.from([9, 9, 1, 3, 2, 4, 9]);
  const bars = downsample(values.subarray(2, 6), 2, false, 2);
  assert.deepEqual(
    bars.map(({ first, last, gap, min, max }) => [first, last, gap, min, max]),
    [
      [2, 4, 3, 1, 3],
      [4, 6, 5, 2, 4],
    ],
  );
});

test('downsample: nothing from nothing, and no room is room for one', () => {
  assert.deepEqual(downsample(new Float32Array(0), 50), []);
  assert.equal(downsample(new Float32Array([1, 2]), 0).length, 1);
});

test('histogram: every value in one bin, also when all are the same', () => {
  for (const values of [[5, 5, 5], [1, 2, 3, 400], [7], [0, 1000]]) {
    const bins = histogram(values, 12);
    assert.equal(
      bins.reduce((sum, bin) => sum + bin.count, 0),
      values.length,
    );
    assert.ok(bins.length <= 12);
    for (const value of values) assert.equal(bins.filter(({ from, to }) => from <= value && value < to).length, 1);
  }
  assert.deepEqual(histogram([], 12), []);
});

test('median: between two middles, of one, of none', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 3); // 2.5, rounded: tokens are whole
  assert.equal(median([]), 0);
});

test('colours: neighbours differ, and most are kept when one cut is added', () => {
  const starts = [0, 10, 20, 30, 40, 50, 60];
  const before = assignColours(starts, new Map());
  const known = new Map(starts.map((start, i) => [start, before[i] ?? 0]));
  const more = [0, 10, 15, 20, 30, 40, 50, 60];
  const after = assignColours(more, known);
  after.forEach((colour, i) => {
    assert.ok(colour >= 0 && colour < COLOURS);
    if (i > 0) assert.notEqual(colour, after[i - 1]);
  });
  const kept = more.filter((start, i) => known.get(start) === after[i]).length;
  assert.ok(kept >= 5, `${kept} of 7 kept`);
});

test('snippet: goes to where the telling words stand together', () => {
  const text = `It is what it is, and to be is to do. ${'Filler goes here. '.repeat(40)}Bread dough rises with yeast.`;
  const marks = [...text.matchAll(/\b(is|to|bread|rises)\b/gi)].map(
    (m) => [m.index, m.index + m[0].length] as [number, number],
  );
  const result = snippet({ text, marks, passage: null }, 120);
  assert.match(result.text, /^… .*Bread dough rises/);
  assert.deepEqual(
    result.marks.map(([start, end]) => result.text.slice(start, end)),
    ['Bread', 'rises'],
  );
});

test('snippet: begins with the sentence that answers best, unless its words would not be seen', () => {
  const text = `${'Filler goes here. '.repeat(10)}The dough of a bread rises. ${'More filler. '.repeat(30)}`;
  const at = text.indexOf('The dough');
  const marks = [[at + 15, at + 20]] as [number, number][];
  assert.match(snippet({ text, marks, passage: [at, at + 27] }, 100).text, /^… The dough of a bread rises\./);
  assert.match(snippet({ text, marks, passage: [at - 90, at + 27] }, 100).text, /bread/);
});

test('snippet: a short text stays whole', () => {
  assert.deepEqual(snippet({ text: 'All of it.', marks: [[0, 3]], passage: null }, 200), {
    text: 'All of it.',
    marks: [[0, 3]],
  });
});

test('lowest and highest of more values than fit on the stack', () => {
  const many = Array.from({ length: 500_000 }, (_, i) => i % 1000);
  assert.deepEqual(extent(many), [0, 999]);
  assert.equal(
    histogram(many, 12).reduce((sum, { count }) => sum + count, 0),
    many.length,
  );
});
