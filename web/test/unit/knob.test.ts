import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsOf, STATES } from '../../lib/gaps.ts';
import { candidates, placeOf } from '../../app/settings/knob.ts';
import { distinct } from '../../app/settings/step-finder.ts';

test('a slider stops at every step of its scale, both ends too', () => {
  assert.deepEqual(
    candidates({ label: '', default: 1, min: 0.5, max: 2, step: 0.5, logarithmic: true, finer: false }),
    [0.5, 2 ** -0.5, 1, 2 ** 0.5, 2],
  );
  assert.deepEqual(
    candidates({ label: '', default: 95, min: 99, max: 100, step: 0.5, logarithmic: false, finer: true }),
    [100, 99.5, 99],
  );
  assert.equal(
    candidates({ label: '', default: 3, min: 0, max: 6, step: 0.05, logarithmic: false, finer: false }).length,
    121,
  );
});

test('a setting has the place of the step that it makes the same as', () => {
  assert.deepEqual(
    [0, 1, 1.9, 2, 3.5, 9].map((v) => placeOf([1, 2, 4], v)),
    [0, 0, 0, 1, 1, 2],
  );
  assert.deepEqual(
    [0, 1, 1.9, 2, 3.5, 9].map((v) => placeOf([4, 2, 1], v)),
    [2, 2, 1, 1, 0, 0],
  );
  assert.equal(placeOf([5], 5), 0);
});

test('of settings that make the same there is one', () => {
  const step = (setting: number, chunks: number, cuts: string) => ({ setting, chunks, typical: 1, cuts });
  const settings = (...steps: ReturnType<typeof step>[]) => distinct(steps).map(({ setting }) => setting);
  assert.deepEqual(
    settings(step(1, 9, 'a'), step(2, 9, 'a'), step(3, 9, 'b'), step(4, 2, 'c'), step(5, 2, 'c')),
    [1, 3, 4],
  );
  assert.deepEqual(settings(), []);
});

test('every chunk but the last ends with a cut of one kind, and a boundary that is none is joined', () => {
  const sentences = Int32Array.from([0, 4, 5, 9, 10, 14, 15, 19, 20, 24, 25, 29]);
  const chunk = (end: number, kind: 'strength' | 'max' | 'manual' | 'end') => ({ end, reason: { kind } });
  const inner = (end: number) => ({ end, reason: { kind: 'strength' as const, value: -1, for: 'max' as const } });
  const { states, counts } = gapsOf({
    result: {
      chunks: [
        chunk(4, 'strength'),
        chunk(14, 'max'),
        chunk(20, 'manual'),
        chunk(22, 'max'),
        inner(24),
        chunk(29, 'end'),
      ],
    },
    sentences,
    boundaries: Int32Array.from([0, 1]),
  });
  assert.deepEqual(
    Array.from(states, (state) => STATES[state]),
    ['made', 'joined', 'forced', 'hand', 'inner'],
  );
  assert.deepEqual(counts, { made: 1, inner: 1, forced: 2, hand: 1, joined: 1 }, 'one is within a sentence');
  assert.deepEqual(
    gapsOf({ result: { chunks: [] }, sentences: new Int32Array(), boundaries: new Int32Array() }).states.length,
    0,
  );
});
