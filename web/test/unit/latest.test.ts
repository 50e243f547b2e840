import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Latest } from '../../lib/latest.ts';

test('of the tasks that come while one runs, only the newest runs', async () => {
  const latest = new Latest();
  const ran: number[] = [];
  const releases: (() => void)[] = [];
  const task = (n: number) => () =>
    new Promise<void>((resolve) => {
      ran.push(n);
      releases.push(resolve);
    });
  for (const n of [1, 2, 3, 4]) latest.run(task(n));
  assert.deepEqual(ran, [1]);
  releases[0]?.();
  await new Promise(setImmediate);
  assert.deepEqual(ran, [1, 4]);
  releases[1]?.();
  await new Promise(setImmediate);
  latest.run(task(5));
  assert.deepEqual(ran, [1, 4, 5]);
});
