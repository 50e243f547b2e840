import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { explain, length, strings } from '../../app/words/en/page.ts';
import { explainHosted, hosted } from '../../app/words/en/hosted.ts';
import { reasonWords, shown } from '../../app/words/en/views.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('one is singular, pages join to ranges', () => {
  assert.equal(plain(strings.documents.ready(15, 257, 1)), '1 chunk · 15 pages · 257 sentences');
  assert.equal(plain(strings.documents.ready(1, 1, 2)), '2 chunks · 1 sentence');
  assert.equal(strings.pagesOf([7]), 'p. 7');
  assert.equal(strings.pagesOf([7, 8]), 'p. 7–8');
  assert.equal(strings.pagesOf([]), '');
  assert.equal(strings.pagesOf([2], ['103']), 'p. 103 (sheet 2)');
  assert.equal(strings.pagesOf([2, 3, 4], ['ii', 'iii', '1']), 'p. ii–1 (sheets 2–4)');
  assert.equal(strings.pagesOf([2], ['2']), 'p. 2');
  assert.equal(plain(shown.chunks.meta(3, '', length(98, ''), { kind: 'end' }, null)), '3 · 98 tokens · end');
  assert.equal(
    plain(shown.chunks.meta(3, 'p. 2', length(98, ''), { kind: 'max' }, { topic: 2, part: 1, parts: 3 })),
    '3 · p. 2 · 98 tokens · maximum · chunk 1 of 3 on one topic',
  );
});

test('the knob says what it makes, and on which side of the line is cut', () => {
  const { says, where } = strings.knob;
  assert.equal(plain(says(24, 217, '')), '24 chunks, typically 217 tokens');
  assert.equal(plain(says(1, 1, 'words')), '1 chunk, typically 1 word');
  assert.equal(plain(says(1200, 1500, 'chars')), '1,200 chunks, typically 1,500 characters');
  assert.equal(where('distance', 0.333, false), 'Cut where the distance is above 0.33.');
  assert.equal(where('similarity', 0.5, true), 'Line set by hand. Cut where the similarity is below 0.50.');
  assert.deepEqual(
    [where('distance', null, false), where('strength', 1, false), where('strength', 1, true)],
    ['', '', 'Line set by hand.'],
  );
});

test('a gap says what became of it', () => {
  assert.equal(shown.curve.gap(1, 'strength', 1.25, 'made'), 'sentence 2→3: 2.38 · cut made');
  assert.equal(shown.curve.gap(0, 'distance', 0.5), 'sentence 1→2: 0.50');
  assert.match(shown.curve.gap(0, 'distance', 0.5, 'joined'), /joined: a chunk would be shorter than the minimum$/);
  assert.deepEqual([shown.curve.made(1), shown.curve.made(23)].map(plain), ['1 cut made', '23 cuts made']);
});

test('errors become sentences', () => {
  assert.deepEqual(explain(new SeamError('damaged', 'the file ends too soon', 'download it again')), {
    message: 'The file ends too soon.',
    hint: 'Download it again.',
  });
  assert.match(explain(new SeamError('died', 'unreachable executed')).message, /stopped unexpectedly/);
  assert.match(explain(new SeamError('cancelled', 'stopped')).message, /^Stopped/);
});

test('progress names the page', () => {
  assert.equal(strings.documents.progress({ stage: 'pages', done: 3, total: 15 }), 'reading page 3 of 15');
  assert.equal(strings.documents.progress({ stage: 'curve', done: 0, total: 0 }), 'measuring distances…');
});

test('what is about to be sent is said in full, and no price is not free', () => {
  const preview = { embedder: 'openai:small', texts: 257, missing: 257, tokens: 5321, calls: 2, dollars: 0.000106 };
  assert.equal(
    plain(hosted.preview(preview, 'a.pdf', 'Small', 'proxy.example')),
    '257 sentences of a.pdf, about 5,300 tokens in 2 calls, will be sent to Small through proxy.example, for about $0.0001. So will be what you then search for by similarity.',
  );
  assert.match(
    plain(hosted.preview({ ...preview, missing: 1, dollars: 0.00000001 }, 'a', 'b', 'c')),
    /^1 of 257 sentences of a, .* for less than \$0\.0001\. So/,
  );
  assert.match(
    hosted.preview({ ...preview, dollars: null }, 'a', 'b', 'c'),
    /at a price that the proxy does not know\. So/,
  );
  assert.match(hosted.preview({ ...preview, dollars: 0 }, 'a', 'b', 'c'), /free of charge\. So/);
  assert.deepEqual(
    [0.02, 2.5, 0, null].map((price) => hosted.model('M', price)),
    ['M · $0.02 / 1M tokens', 'M · $2.50 / 1M tokens', 'M · free', 'M · price unknown'],
  );
});

test('what a question has cost', () => {
  const asked = { passages: 2, of: 2, turns: 0, tokens: 100, dollars: null, model: 'Chat', host: 'host' };
  assert.match(hosted.ask.consent(asked), /at a price that the proxy does not know\.$/);
  assert.match(
    plain(hosted.ask.consent({ ...asked, of: 3, dollars: 0.01 })),
    /^Your question and 2 of the 3 passages that fit .* for about \$0\.01 a question\.$/,
  );
  assert.equal(
    plain(hosted.ask.sent(6, 0, 'Chat', 'host', { tokens: 1812, tokensOut: 64, estimated: false, dollars: 0.0123 })),
    'Sent to Chat through host: the question and 6 passages · 1,812 tokens read, 64 written · about $0.01',
  );
  assert.equal(
    plain(hosted.ask.sent(1, 2, 'Chat', 'host', { tokens: 1, tokensOut: 0, estimated: false, dollars: null })),
    'Sent to Chat through host: the question, the 2 questions before with their answers and 1 passage · 1 token read, 0 written',
  );
});

test('what goes wrong with hosted models says what to do', () => {
  for (const code of ['offline', 'refused', 'budget', 'busy', 'upstream'] as const) {
    const { message, hint } = explainHosted(new SeamError(code, ''));
    assert.ok(message.endsWith('.') && hint.endsWith('.'), code);
    assert.deepEqual(
      explainHosted(new SeamError(code, 'it is so', 'do this')),
      { message: 'It is so.', hint: 'Do this.' },
      'the engine knows better',
    );
  }
  assert.deepEqual(explainHosted(new SeamError('cancelled', 'stopped')), { message: 'Stopped.', hint: '' });
});

test('reasons are said with as many digits as show that two numbers differ', () => {
  const words = (reason: Reason) => plain(reasonWords(reason));
  assert.equal(words({ kind: 'distance', value: 0.41, threshold: 0.33 }), 'distance 0.41, line at 0.33');
  assert.equal(words({ kind: 'distance', value: 0.3312, threshold: 0.3311 }), 'distance 0.3312, line at 0.3311');
  assert.equal(words({ kind: 'similarity', value: 0.25, threshold: 0.3 }), 'similarity 0.25, line at 0.30');
  assert.equal(words({ kind: 'gradient', value: 0.25 }), 'rise 0.25, line at 0.00');
  assert.equal(words({ kind: 'strength', value: 1.25 }), 'topic 2.4');
  assert.equal(words({ kind: 'largest', value: 0.5, of: 1 }), 'distance 0.50, the largest');
  assert.equal(words({ kind: 'largest', value: 0.5, of: 3 }), 'distance 0.50, one of the 3 largest');
  const needed = (reason: Reason) => words({ ...reason, for: 'max' });
  assert.equal(needed({ kind: 'strength', value: -1.25 }), 'topic 0.42, needed for the maximum');
  assert.equal(needed({ kind: 'distance', value: 0.21 }), 'distance 0.21, needed for the maximum');
  assert.equal(needed({ kind: 'similarity', value: 0.8 }), 'similarity 0.80, needed for the maximum');
  assert.equal(needed({ kind: 'gradient', value: -0.1 }), 'rise -0.10, needed for the maximum');
  assert.equal(needed({ kind: 'heading', name: 'Looms' }), 'heading');
  assert.deepEqual(
    (['max', 'manual', 'heading', 'end'] as const).map((kind) => words({ kind })),
    ['max tokens', 'by hand', 'heading', 'end'],
  );
});
