import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine, questionLines, readQuestions, retrieved, spansOf, summed, trimmed } from '../../lib/questions.ts';

const at = (text: string, span: { start: number; end: number } | null | undefined) =>
  span && text.slice(span.start, span.end);

test('a selection loses the white space at its ends', () => {
  const text = 'One two. \n Three.';
  assert.deepEqual(trimmed(text, 3, 11), { start: 4, end: 8 });
  assert.equal(trimmed(text, 8, 11), null);
  assert.equal(trimmed(text, 4, 4), null);
  assert.equal(oneLine('  What\n is "it"?\t<b> '), 'What is "it"? <b>');
});

test('an answer is found at its place, else nearest to it, else as another text has it', () => {
  const text = 'The cat. A dog. The cat. Inter-\nnational   things. The cat.';
  const q = (excerpt: string, start?: number) => ({
    question: '?',
    excerpts: [excerpt],
    ...(start !== undefined && { places: [{ view: 'reading' as const, start }] }),
  });
  assert.deepEqual(spansOf(q('The cat.', 16), text, 'reading'), [{ start: 16, end: 24 }]);
  assert.deepEqual(spansOf(q('The cat.'), text, 'reading'), [{ start: 0, end: 8 }]);
  assert.deepEqual(spansOf(q('The cat.', 20), text, 'reading'), [{ start: 16, end: 24 }], 'nearest');
  assert.deepEqual(
    spansOf(q('The cat.', 900), text, 'content'),
    [{ start: text.length - 8, end: text.length }],
    'behind the end',
  );
  assert.equal(at(text, spansOf(q('International things.', 3), text, 'content')[0]), 'Inter-\nnational   things.');
  assert.equal(
    at('International things.', spansOf(q('Inter-\nnational   things.', 25), 'International things.', 'content')[0]),
    'International things.',
  );
  assert.deepEqual(spansOf(q('a bird'), text, 'reading'), []);
  assert.deepEqual(spansOf(q(' - '), 'no hyphens', 'reading'), []);
  assert.deepEqual(
    spansOf({ question: '?', excerpts: ['A dog.', 'gone', 'The cat.'] }, text, 'reading').map((span) => at(text, span)),
    ['A dog.', 'The cat.'],
  );
});

test('rank and share of what is found', () => {
  const text = 'aaaa bbbb cccc dddd';
  const chunks = [
    { start: 0, end: 4 },
    { start: 5, end: 9 },
    { start: 10, end: 19 },
  ] as const;
  const answer = [{ start: 5, end: 14 }];
  assert.deepEqual(
    retrieved(answer, [chunks[0], chunks[1], chunks[2]], text, 5),
    { rank: 2, share: 1 },
    'the blank between two chunks is no part of it',
  );
  assert.deepEqual(retrieved(answer, [chunks[2], chunks[0]], text, 5), { rank: 1, share: 0.5 });
  assert.deepEqual(retrieved(answer, [chunks[0], chunks[2]], text, 1), { rank: 2, share: 0 }, 'only the first counts');
  assert.deepEqual(retrieved(answer, [chunks[0]], text, 5), { rank: 0, share: 0 });
  assert.deepEqual(
    retrieved(answer, [chunks[1], chunks[1], { start: 4, end: 9 }], text, 5),
    { rank: 1, share: 0.5 },
    'what is found twice counts once',
  );
  assert.deepEqual(
    retrieved([...answer, { start: 0, end: 4 }], [chunks[0]], text, 5),
    { rank: 1, share: 1 / 3 },
    'several excerpts',
  );
  assert.deepEqual(retrieved([], [chunks[0]], text, 5), { rank: 0, share: 0 });
  assert.deepEqual(
    summed(
      [
        { rank: 1, share: 1 },
        { rank: 6, share: 0 },
        { rank: 0, share: 0 },
        { rank: 5, share: 0.5 },
      ],
      5,
    ),
    { found: 2, of: 4, share: 0.375 },
  );
  assert.deepEqual(summed([], 5), { found: 0, of: 0, share: 0 });
});

test('a file of questions is read as it was written', () => {
  const asked = [
    { question: 'Who said "no"?', excerpts: ['“No.”\nHe <b>did</b>', '\u2028\ud800'] },
    { question: 'Why?', excerpts: ['So.'], made: 'model:m' },
  ];
  const lines = questionLines('a.txt', asked);
  assert.equal(lines.split('\n').length, 3);
  assert.deepEqual(readQuestions(lines, 'a.txt'), { mine: asked, unanswerable: [], others: 0 });
  assert.deepEqual(
    readQuestions(
      `\ufeff${JSON.stringify(
        lines
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )}`,
      'a.txt',
    ),
    { mine: asked, unanswerable: [], others: 0 },
  );
  assert.deepEqual(readQuestions(lines, 'b.txt'), { mine: [], unanswerable: [], others: 2 });
  assert.deepEqual(
    readQuestions('{"question":"Why?","file":"texts/a.txt","excerpts":["So."]}', 'a.txt')?.mine.length,
    1,
  );
  assert.deepEqual(
    readQuestions(
      '{"question":" ","excerpts":["So."]}\r\n{"question":"Why?","excerpts":[]}\n{"question":"Who?","has_answer":false}',
      'a.txt',
    ),
    { mine: [], unanswerable: ['Who?'], others: 2 },
  );
  assert.deepEqual(
    readQuestions(
      '{"question":"Who?","file":"b.txt","has_answer":false}\n{"question":"  Who\\n pays?","excerpts":["So."],"has_answer":false}',
      'a.txt',
    ),
    { mine: [], unanswerable: ['Who pays?'], others: 1 },
  );
  for (const bad of [
    '',
    'nothing',
    '{"question":1,"excerpts":[]}',
    '[1]',
    '{"question":"Why?"',
    '[{"question":"Why?","excerpts":[1]}]',
  ])
    assert.equal(readQuestions(bad, 'a.txt'), null, bad);
});
