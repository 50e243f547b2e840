// Each method of the engine must have a picture, and words about its use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methods as german } from '../../app/words/de/methods.ts';
import { PICTURES } from '../../app/methods/pictures.ts';
import {
  clustered,
  DISTANCES,
  filled,
  gradient,
  passing,
  percentile,
  quartiles,
  sentenceEnds,
  SIMILARITIES,
  SUBJECTS,
  windows,
} from '../../app/methods/rules.ts';
import { methods } from '../../app/words/en/methods.ts';
import { groups } from '../../lib/method-groups.ts';
import { strings } from '../../app/words/en/page.ts';

const names = Object.values(groups).flat().sort();

test('a method has a group, a picture, and what it is good for, in each language', () => {
  assert.ok(names.length > 10);
  assert.deepEqual(strings.settings.groups.flatMap((group) => group.methods).sort(), names);
  assert.deepEqual(Object.keys(PICTURES).sort(), names);
  for (const words of [methods, german]) {
    assert.deepEqual(Object.keys(words.goodFor).sort(), names);
    for (const [name, good] of Object.entries(words.goodFor)) assert.ok(good, name);
  }
});

test('the pictures cut where the methods do', () => {
  assert.equal(percentile([1, 2, 3, 4], 50), 2.5); // numpy.percentile
  assert.equal(quartiles([1, 2, 3, 4]), 1.5);
  assert.deepEqual(gradient([1, 2, 4, 7]), [1, 1.5, 2.5, 3]); // numpy.gradient
  assert.deepEqual(passing(DISTANCES, percentile(DISTANCES, 95)), [9, 19]);
  assert.equal(passing(SIMILARITIES, percentile(SIMILARITIES, 90), true).length, 27); // nine gaps in ten
  assert.deepEqual(clustered().length, new Set(SUBJECTS).size);
  const paragraphs = sentenceEnds()
    .filter(({ paragraph }) => paragraph)
    .map(({ end }) => end);
  assert.ok(filled(30).every((end, i, all) => end - (all[i - 1] ?? 0) <= 30));
  assert.ok(filled(30).filter((end) => paragraphs.includes(end)).length >= 3);
  assert.ok(
    windows(30)
      .slice(0, -1)
      .every((end, i) => end === 30 * (i + 1)),
  );
});
