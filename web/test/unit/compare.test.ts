import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreementOf, kindOf, placesOf } from '../../lib/compare.ts';

/** Ten units per sentence. */
const sentence = (at: number) => Math.floor(at / 10);

test('cuts at the same place are one place, near ones have moved, others stand alone', () => {
  const places = placesOf(
    [
      [10, 50, 100],
      [10, 70, 200],
    ],
    sentence,
  );
  assert.deepEqual(places, [
    { at: 10, cuts: [10, 10] },
    { at: 50, cuts: [50, 70] },
    { at: 100, cuts: [100, null] },
    { at: 200, cuts: [null, 200] },
  ]);
  assert.deepEqual(agreementOf(places), { same: 1, near: 1, some: 2 });
});

test('the nearer of two is the one that has moved', () => {
  assert.deepEqual(placesOf([[50], [30, 60]], sentence), [
    { at: 30, cuts: [null, 30] },
    { at: 50, cuts: [50, 60] },
  ]);
  assert.deepEqual(placesOf([[30, 60], [50]], sentence), [
    { at: 30, cuts: [30, null] },
    { at: 60, cuts: [60, 50] },
  ]);
});

test('what is at the same place is never taken by what is near', () => {
  assert.deepEqual(placesOf([[40, 50], [50]], sentence), [
    { at: 40, cuts: [40, null] },
    { at: 50, cuts: [50, 50] },
  ]);
  assert.deepEqual(placesOf([[50], [40, 50]], sentence), [
    { at: 40, cuts: [null, 40] },
    { at: 50, cuts: [50, 50] },
  ]);
});

test('a third list joins the places of the first two', () => {
  const places = placesOf([[10], [90], [10, 100]], sentence);
  assert.deepEqual(places, [
    { at: 10, cuts: [10, null, 10] },
    { at: 90, cuts: [null, 90, 100] },
  ]);
  assert.deepEqual(places.map(kindOf), ['some', 'some']);
});

test('every cut of every list is in one place, whatever the lists', () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 500; round++) {
    const lists = Array.from({ length: 1 + random(3) }, () =>
      [...new Set(Array.from({ length: random(12) }, () => 1 + random(150)))].sort((a, b) => a - b),
    );
    const places = placesOf(lists, sentence);
    lists.forEach((list, k) =>
      assert.deepEqual(
        places.flatMap(({ cuts }) => cuts[k] ?? []).sort((a, b) => a - b),
        list,
      ),
    );
    assert.deepEqual(
      places.map(({ at }) => at),
      places.map(({ at }) => at).sort((a, b) => a - b),
    );
    for (const { at, cuts } of places) {
      assert.equal(cuts.length, lists.length);
      for (const cut of cuts)
        if (cut !== null) assert.ok(Math.abs(sentence(cut) - sentence(at)) <= 2, `${cut} is not near ${at}`);
    }
  }
});
