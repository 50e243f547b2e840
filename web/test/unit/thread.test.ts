// The part of a thread sent with its next question.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyOf, isRefusal, tokensOf } from '../../lib/thread.ts';

const all = { turns: 16, bytes: 12_288 };
const turn = (n: number, length = 3, sent = 6) => ({
  question: `${n}`.padEnd(length, '?'),
  answer: `${n}`.padEnd(length, '!'),
  sent,
});

test('all of a short thread, in its order', () => {
  const { messages, kept, dropped, tokens } = historyOf([turn(1), turn(2)], all);
  assert.deepEqual(messages, [
    { role: 'user', content: '1??' },
    { role: 'assistant', content: '1!!' },
    { role: 'user', content: '2??' },
    { role: 'assistant', content: '2!!' },
  ]);
  assert.deepEqual([kept, dropped, tokens], [2, 0, 4]);
});

test('the oldest turns go first: by number, by bytes, by tokens', () => {
  const ten = Array.from({ length: 10 }, (_, i) => turn(i, 300));
  for (const [most, kept] of [
    [{ turns: 3, bytes: 9999 }, 3],
    [{ turns: 16, bytes: 1199 }, 1],
    [{ turns: 16, bytes: 1200 }, 2],
    [{ turns: 16, bytes: 99_999 }, 10],
  ] as const) {
    const history = historyOf(ten, most);
    assert.deepEqual([history.kept, history.dropped, history.messages.at(-1)?.content[0]], [kept, 10 - kept, '9']);
  }
  const long = Array.from({ length: 5 }, (_, i) => turn(i, 1500));
  assert.deepEqual(
    [historyOf(long, { turns: 16, bytes: 99_999 })].map(({ kept, tokens }) => [kept, tokens]),
    [[2, 2000]],
  );
});

test('a proxy that takes none gets none, and what was not sent is not sent later', () => {
  assert.deepEqual(historyOf([turn(1)], { turns: 0, bytes: 0 }), { messages: [], kept: 0, dropped: 1, tokens: 0 });
  assert.deepEqual(
    historyOf([turn(1, 3, 0), turn(2)], all).messages.map(({ content }) => content),
    ['2??', '2!!'],
  );
});

test('bytes count, not letters', () => {
  assert.equal(tokensOf('é'.repeat(3)), 2);
  assert.equal(historyOf([{ question: '?', answer: '語'.repeat(100), sent: 1 }], { turns: 1, bytes: 300 }).kept, 0);
});

test('a refusal in quotes counts as a refusal, but as an answer if a guess follows it', () => {
  const refusal = 'I do not have enough information to answer that.';
  assert.ok([refusal, `“${refusal}”\n`, refusal.slice(0, -1)].every(isRefusal));
  assert.ok(![`${refusal} But I guess.`, '', 'No.'].some(isRefusal));
});
