import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WantedReply } from '../../lib/api.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { isDone, Replies, Steps, type Stepped } from '../../app/hosted/replies.ts';
import type { ModelReply } from '../../lib/api.ts';

const refused = () => new SeamError('refused', 'The provider rejected this request.');
const answer = { text: 'yes', finish: 'stop', tokens: 3, tokensOut: 1 };
const awake = { start: () => undefined } as unknown as PdfClient;
const signal = new AbortController().signal;

interface Item {
  name: string;
  replies: ModelReply[];
}
interface State {
  next: WantedReply | null;
}

/** Needs one request per item; `says` returns the model's error for a request, or null. */
function steps(says: (name: string) => SeamError | null) {
  const asked: string[] = [];
  const engine = {
    call: async (_method: string, { messages: [message] }: { messages: { content: string }[] }) => {
      const name = message?.content ?? '';
      asked.push(name);
      const error = says(name);
      if (error) throw error;
      return { result: answer };
    },
  } as unknown as EngineClient;
  const all = new Steps<Item, State>(new Replies(engine), async (items) =>
    items.map(({ name, replies }) => ({
      next: replies.length > 0 ? null : { key: name, model: 'm', messages: [{ role: 'user', content: name }] },
    })),
  );
  return { all, asked };
}

const items = (n: number): Stepped<Item, State>[] =>
  Array.from({ length: n }, (_, i) => ({ item: { name: `i${i}`, replies: [] }, state: null }));

test('one that is refused, be it the first, costs itself alone', async () => {
  const { all, asked } = steps((name) => (name === 'i0' || name === 'i5' ? refused() : null));
  const list = items(12);
  await all.ask(list, signal, awake, () => undefined);
  assert.equal(asked.length, 12);
  assert.ok(list.every(isDone));
  assert.deepEqual(
    list.filter(({ item }) => item.replies[0]?.unusable).map(({ item: { name } }) => name),
    ['i0', 'i5'],
  );
});

test('where all are refused it is the key or the model: that is thrown, and all are asked again', async () => {
  let key = false;
  const { all, asked } = steps(() => (key ? null : refused()));
  const list = items(12);
  await assert.rejects(
    all.ask(list, signal, awake, () => undefined),
    /rejected/,
  );
  assert.ok(asked.length <= 7, `${asked.length} requests`); // three, and the concurrent ones
  assert.ok(list.every((each) => !isDone(each) && each.item.replies.length === 0));
  // The key is still wrong, so one refusal is enough.
  asked.length = 0;
  await assert.rejects(
    all.ask(list, signal, awake, () => undefined),
    /rejected/,
  );
  assert.ok(asked.length <= 4, `${asked.length} requests`);
  key = true;
  await all.ask(list, signal, awake, () => undefined);
  assert.ok(list.every((each) => isDone(each) && !each.item.replies[0]?.unusable));
});

test('a key that is withdrawn on the way ends it after eight, and those are asked again', async () => {
  let good = 20;
  const { all, asked } = steps(() => (good-- > 0 ? null : refused()));
  const list = items(60);
  await assert.rejects(
    all.ask(list, signal, awake, () => undefined),
    /rejected/,
  );
  assert.ok(asked.length <= 20 + 12, `${asked.length} requests`);
  assert.equal(list.filter(isDone).length, 20);
  good = 100;
  asked.length = 0;
  await all.ask(list, signal, awake, () => undefined);
  assert.equal(asked.length, 40);
});

test('any other failure ends it at once', async () => {
  const { all, asked } = steps(() => new SeamError('upstream', 'It is down.'));
  await assert.rejects(
    all.ask(items(12), signal, awake, () => undefined),
    /It is down/,
  );
  assert.ok(asked.length <= 4);
});
