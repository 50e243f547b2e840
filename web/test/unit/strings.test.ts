import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeamError } from '../../lib/seam-error.ts';
import { explain, strings } from '../../app/strings.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('one is singular, pages join to ranges', () => {
  assert.equal(plain(strings.documents.ready(15, 257, 1)), '15 pages · 257 sentences · 1 chunk');
  assert.equal(plain(strings.documents.ready(1, 1, 2)), '1 sentence · 2 chunks');
  assert.equal(strings.chunks.pages([7]), 'p. 7');
  assert.equal(strings.chunks.pages([7, 8]), 'p. 7–8');
  assert.equal(plain(strings.chunks.meta(3, '', 98, 'end')), '3 · 98 tokens · end');
});

test('the threshold says on which side of the line it cuts', () => {
  const threshold = { label: 'Percentile', default: 95, min: 50, max: 100, step: 0.5 };
  assert.equal(strings.settings.threshold(threshold, 95, 'distance', 0.333), 'Percentile 95 — cut where the distance is above 0.33');
  assert.equal(strings.settings.threshold(threshold, 5, 'similarity', 0.5), 'Percentile 5 — cut where the similarity is below 0.50');
  assert.equal(strings.settings.threshold(threshold, 95, 'distance', null), 'Percentile 95');
});

test('errors become sentences', () => {
  assert.deepEqual(explain(new SeamError('damaged', 'the file ends too soon', 'download it again')),
    { message: 'The file ends too soon.', hint: 'Download it again.' });
  assert.match(explain(new SeamError('died', 'unreachable executed')).message, /stopped unexpectedly/);
  assert.match(explain(new SeamError('cancelled', 'stopped')).message, /^Stopped/);
});

test('progress names the page', () => {
  assert.equal(strings.documents.progress({ stage: 'pages', done: 3, total: 15 }), 'reading page 3 of 15');
  assert.equal(strings.documents.progress({ stage: 'curve', done: 0, total: 0 }), 'measuring distances…');
});
