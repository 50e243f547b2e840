import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joined, listOf, placesOf, type Index } from '../../app/kept/indexes-file.ts';

/** A generator of numbers below n, the same in each run. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
}

/** Makes indexes of random sizes and content, and the file with all of them. */
async function made(seed: number): Promise<{ indexes: (Index & { content: Uint8Array<ArrayBuffer> })[]; all: Blob }> {
  const next = random(seed);
  const indexes = Array.from({ length: next(12) }, (_, i) => {
    const content = Uint8Array.from({ length: next(300) }, () => next(256));
    return { file: `${i}.${next(9)}-tab.index`, bytes: content.length, content };
  });
  return { indexes, all: new Blob([await listOf(indexes), ...indexes.map(({ content }) => content)]) };
}

test('each choice of indexes is read as it was written, in its order', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { indexes, all } = await made(seed);
    const places = await placesOf(all);
    assert.deepEqual(
      [...(places?.keys() ?? [])],
      indexes.map(({ file }) => file),
    );
    const next = random(seed + 1000);
    const some = indexes.filter(() => next(3) > 0);
    if (next(4) === 0) some.reverse();
    const wanted = some.flatMap(({ file }) => places?.get(file) ?? []);
    assert.deepEqual(
      Buffer.from(await joined(all, wanted).arrayBuffer()),
      Buffer.concat(some.map(({ content }) => content)),
      `seed ${seed}`,
    );
  }
});

test('a file cut short at any place, or longer, is not used', async () => {
  const { all } = await made(7);
  assert.ok(await placesOf(all));
  for (let size = 0; size < all.size; size++) assert.equal(await placesOf(all.slice(0, size)), null, `${size} bytes`);
  assert.equal(await placesOf(new Blob([all, 'x'])), null);
});

test('a file with another byte before its indexes is not used', async () => {
  const { indexes, all } = await made(7);
  const bytes = new Uint8Array(await all.arrayBuffer());
  const start = all.size - indexes.reduce((sum, { bytes: size }) => sum + size, 0);
  for (let i = 0; i < start; i++) {
    const damaged = bytes.slice();
    damaged[i] = (damaged[i] ?? 0) ^ 1;
    assert.equal(await placesOf(new Blob([damaged])), null, `byte ${i}`);
  }
});
