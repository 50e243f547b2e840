// The widget's encoder of questions must compute the same vectors as Go, to the last bit.
// The golden file is in shared/embed/encoder, a small random model; SEAM_PARTS names
// another one (see TestPartsGolden there).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { QueryEncoder } from '../../widget/meaning/encoder.ts';

interface Golden {
  head: string;
  blocks: string[];
  cases: { text: string; ids: number[] | null; known: boolean; vector?: number[] }[];
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Golden;
const small = read('shared/embed/encoder/testdata/parts.json');
const others = process.env['SEAM_PARTS'] ? [read(process.env['SEAM_PARTS'])] : [];

/** Opens the parts of a golden file; `asked` lists the requested parts. */
async function opened(g: Golden, change = (_: string, bytes: Uint8Array) => bytes) {
  const asked: string[] = [];
  const encoder = await QueryEncoder.open(async (name) => {
    asked.push(name);
    return change(name, bytesOf(name === 'head' ? g.head : g.blocks[Number(name)]!));
  });
  return { encoder, asked };
}

for (const g of [small, ...others]) {
  test('ids and vectors are those of Go', async () => {
    const { encoder, asked } = await opened(g);
    for (const { text, ids, known, vector } of g.cases) {
      assert.deepEqual(encoder.model.tokens.ids(text), ids ?? [], JSON.stringify(text));
      assert.equal(encoder.knows(text), known, JSON.stringify(text));
      if (vector) assert.deepEqual([...(await encoder.encode(text))], vector.map(Math.fround), JSON.stringify(text));
    }
    assert.equal(asked.length, new Set(asked).size, 'each block once');
  });
}

test('a block is asked for when a question needs it, and again where it could not be read', async () => {
  let broken = true;
  const { encoder, asked } = await opened(small, (name, bytes) => {
    if (name !== 'head' && broken) throw new Error('offline');
    return bytes;
  });
  await encoder.encode('a, b.'); // words of the head
  assert.deepEqual(asked, ['head']);
  await assert.rejects(encoder.encode('the road'), /offline/);
  broken = false;
  const { text, vector } = small.cases.find((c) => c.text === 'the road over the river')!;
  assert.deepEqual([...(await encoder.encode(text))], vector!.map(Math.fround));
  const many = asked.length;
  await Promise.all([encoder.encode(text), encoder.encode(text)]);
  assert.equal(asked.length, many, 'kept');
});

test('what does not fit into the window is left out', async () => {
  const { encoder } = await opened(small);
  const long = small.cases.find((c) => (c.ids?.length ?? 0) > 200)!;
  const most = encoder.model.shape.window - 2;
  assert.deepEqual(encoder.model.tokens.ids(long.text, most), long.ids!.slice(0, most));
  const words = (n: number) => 'the '.repeat(n);
  assert.deepEqual(await encoder.encode(words(most)), await encoder.encode(words(most + 50)));
  assert.notDeepEqual(await encoder.encode(words(most)), await encoder.encode(words(most - 1)));
});

test('an encoding that is no longer wanted ends', async () => {
  const { encoder } = await opened(small);
  const reason = new Error('another question');
  await assert.rejects(encoder.encode('the road', AbortSignal.abort(reason)), reason);
});

test('parts that are damaged are told', async () => {
  for (const n of [0, 15, 16, 300, 3000])
    await assert.rejects(
      opened(small, (_, bytes) => bytes.subarray(0, n)),
      `${n} bytes`,
    );
  const { encoder } = await opened(small, (name, bytes) => (name === 'head' ? bytes : bytes.subarray(1)));
  await assert.rejects(encoder.encode('the road'), /block \d+ of the table of words is damaged/);
});
