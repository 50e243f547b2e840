import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { explain, strings } from '../../app/strings.ts';
import { explainHosted, hosted } from '../../app/strings-hosted.ts';
import { reasonWords, shown } from '../../app/strings-views.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('one is singular, pages join to ranges', () => {
  assert.equal(plain(strings.documents.ready(15, 257, 1)), '15 pages · 257 sentences · 1 chunk');
  assert.equal(plain(strings.documents.ready(1, 1, 2)), '1 sentence · 2 chunks');
  assert.equal(strings.pagesOf([7]), 'p. 7');
  assert.equal(strings.pagesOf([7, 8]), 'p. 7–8');
  assert.equal(plain(shown.chunks.meta(3, '', 98, { kind: 'end' })), '3 · 98 tokens · end');
});

test('the setting says on which side of the line it cuts', () => {
  const setting = { label: 'Percentile', default: 95, min: 50, max: 100, step: 0.5, logarithmic: false };
  assert.equal(strings.settings.setting(setting, 95, 'distance', 0.333), 'Percentile 95 — cut where the distance is above 0.33');
  assert.equal(strings.settings.setting(setting, 5, 'similarity', 0.5), 'Percentile 5 — cut where the similarity is below 0.50');
  assert.equal(strings.settings.setting(setting, 95, 'distance', null), 'Percentile 95');
});

test('a granularity has two decimals, a strength is one', () => {
  const setting = { label: 'Granularity', default: 1, min: 0.125, max: 8, step: 0.25, logarithmic: true };
  assert.deepEqual([1, 2 ** 0.25, 8].map((v) => strings.settings.setting(setting, v, 'strength', 0)), ['Granularity 1', 'Granularity 1.19', 'Granularity 8']);
  assert.equal(strings.settings.byHand('strength', 1), 'Line set by hand — granularity 2.00');
  assert.equal(shown.curve.gap(1, 'strength', 1.25, 'boundary'), 'sentence 2→3: 2.38 · boundary');
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

test('what is about to be sent is said in full, and no price is not free', () => {
  const preview = { embedder: 'openai:small', texts: 257, missing: 257, tokens: 5321, calls: 2, dollars: 0.000106 };
  assert.equal(plain(hosted.preview(preview, 'a.pdf', 'Small', 'proxy.example')),
    '257 sentences of a.pdf, about 5,300 tokens in 2 calls, will be sent to Small through proxy.example, for about $0.0001. So will be what you then search for by similarity.');
  assert.match(plain(hosted.preview({ ...preview, missing: 1, dollars: 0.00000001 }, 'a', 'b', 'c')), /^1 of 257 sentences of a, .* for less than \$0\.0001\. So/);
  assert.match(hosted.preview({ ...preview, dollars: null }, 'a', 'b', 'c'), /at a price that the proxy does not know\. So/);
  assert.match(hosted.preview({ ...preview, dollars: 0 }, 'a', 'b', 'c'), /free of charge\. So/);
  assert.deepEqual([0.02, 2.5, 0, null].map((price) => hosted.model('M', price)),
    ['M · $0.02 / 1M tokens', 'M · $2.50 / 1M tokens', 'M · free', 'M · price unknown']);
});

test('what a question has cost', () => {
  assert.equal(plain(hosted.ask.sent(6, 'Chat', 'host', { tokens: 1812, tokensOut: 64, dollars: 0.0123 })),
    'Sent to Chat through host: the question and 6 passages · 1,812 tokens read, 64 written · about $0.01');
  assert.equal(plain(hosted.ask.sent(1, 'Chat', 'host', { tokens: 1, tokensOut: 0, dollars: null })),
    'Sent to Chat through host: the question and 1 passage · 1 token read, 0 written');
});

test('what goes wrong with hosted models says what to do', () => {
  for (const code of ['offline', 'refused', 'budget', 'busy', 'upstream'] as const) {
    const { message, hint } = explainHosted(new SeamError(code, ''));
    assert.ok(message.endsWith('.') && hint.endsWith('.'), code);
    assert.deepEqual(explainHosted(new SeamError(code, 'it is so', 'do this')), { message: 'It is so.', hint: 'Do this.' }, 'the engine knows better');
  }
  assert.deepEqual(explainHosted(new SeamError('cancelled', 'stopped')), { message: 'Stopped.', hint: '' });
});

test('reasons are said with as many digits as show that two numbers differ', () => {
  const words = (reason: Reason) => plain(reasonWords(reason));
  assert.equal(words({ kind: 'distance', value: 0.41, threshold: 0.33 }), 'drop 0.41 > 0.33');
  assert.equal(words({ kind: 'distance', value: 0.3312, threshold: 0.3311 }), 'drop 0.3312 > 0.3311');
  assert.equal(words({ kind: 'similarity', value: 0.25, threshold: 0.3 }), 'similarity 0.25 < 0.30');
  assert.equal(words({ kind: 'gradient', value: 0.25 }), 'rise 0.25 > 0.00');
  assert.equal(words({ kind: 'strength', value: 1.25 }), 'topic 2.4');
  assert.equal(words({ kind: 'largest', value: 0.5, of: 1 }), 'drop 0.50, the largest');
  assert.equal(words({ kind: 'largest', value: 0.5, of: 3 }), 'drop 0.50, one of the 3 largest');
  assert.deepEqual((['max', 'manual', 'heading', 'end'] as const).map((kind) => words({ kind })), ['max tokens', 'by hand', 'heading', 'end']);
});
