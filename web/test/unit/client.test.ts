import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Progress } from '../../lib/api.ts';
import { WorkerClient, type ClientOptions } from '../../lib/client.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { FakeWorker, settle } from './fake-worker.ts';

type Methods = {
  echo: { params: { n: number }; result: { n: number }; events: { half: { n: number }; rest: string } };
};

const workers: FakeWorker[] = [];

function start(options: ClientOptions = {}): WorkerClient<Methods> {
  return new WorkerClient<Methods>(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker.port;
  }, options);
}

function worker(i = 0): FakeWorker {
  const found = workers[i];
  assert.ok(found, `worker ${i} was started`);
  return found;
}

afterEach(() => {
  for (const each of workers.splice(0)) each.close();
});

async function code(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    assert.ok(error instanceof SeamError);
    return error.code;
  }
}

test('calls wait for ready and are answered by id, in any order', async () => {
  const client = start();
  const first = client.call('echo', { n: 1 });
  const second = client.call('echo', { n: 2 });
  await settle();
  assert.equal(worker().requests.length, 0);
  worker().ready();
  await settle();
  const [a, b] = worker().requests;
  assert.ok(a && b);
  worker().post({ id: b.id, result: { n: 20 } });
  worker().post({ id: a.id, result: { n: 10 } });
  assert.equal((await first).result.n, 10);
  assert.equal((await second).result.n, 20);
});

test('blobs are given away and come back', async () => {
  const client = start();
  const blob = new Uint8Array([1, 2, 3]).buffer;
  const call = client.call('echo', { n: 1 }, { blobs: [blob] });
  worker().ready();
  await settle();
  assert.equal(blob.byteLength, 0, 'the sender no longer has it');
  const sent = worker().received[0]?.blobs?.[0];
  assert.ok(sent);
  worker().post({ id: 1, result: { n: 1 } }, [sent]);
  assert.deepEqual([...new Uint8Array((await call).blobs[0] ?? new ArrayBuffer(0))], [1, 2, 3]);
});

test('progress goes to its own call', async () => {
  const client = start();
  const seen: Progress[] = [];
  const call = client.call('echo', { n: 1 }, { onProgress: (progress) => seen.push(progress) });
  worker().ready();
  worker().post({ id: 1, event: 'progress', data: { stage: 'pages', done: 3, total: 15 } });
  worker().post({ id: 7, event: 'progress', data: { stage: 'pages', done: 9, total: 9 } });
  worker().post({ id: 1, result: { n: 1 } });
  await call;
  assert.deepEqual(seen, [{ stage: 'pages', done: 3, total: 15 }]);
});

test('events of a method’s own go to its own call, each to its listener', async () => {
  const client = start();
  const seen: unknown[] = [];
  const call = client.call(
    'echo',
    { n: 4 },
    { onProgress: (data) => seen.push(data), on: { half: (data) => seen.push(data) } },
  );
  worker().ready();
  worker().post({ id: 1, event: 'half', data: { n: 2 } });
  worker().post({ id: 1, event: 'rest', data: 'nobody listens' });
  worker().post({ id: 7, event: 'half', data: { n: 7 } });
  worker().post({ id: 1, result: { n: 4 } });
  assert.equal((await call).result.n, 4);
  assert.deepEqual(seen, [{ n: 2 }]);
});

test('an error keeps code, message and hint', async () => {
  const client = start();
  const call = client.call('echo', { n: 1 });
  worker().ready();
  worker().post({ id: 1, error: { code: 'damaged', message: 'the file ends too soon', hint: 'download it again' } });
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof SeamError);
    assert.deepEqual(
      [error.code, error.message, error.hint],
      ['damaged', 'the file ends too soon', 'download it again'],
    );
    return true;
  });
});

test('cancel: told to the worker, and not waited for', async () => {
  const client = start();
  const stop = new AbortController();
  const call = client.call('echo', { n: 1 }, { signal: stop.signal });
  worker().ready();
  await settle();
  stop.abort();
  assert.equal(await code(call), 'cancelled');
  await settle();
  assert.deepEqual(
    worker().requests.map(({ method, params }) => ({ method, params })),
    [
      { method: 'echo', params: { n: 1 } },
      { method: 'cancel', params: { id: 1 } },
    ],
  );
  worker().post({ id: 1, result: { n: 1 } }); // too late, and harmless
  await settle();
});

test('cancel before ready: never sent', async () => {
  const client = start();
  const stop = new AbortController();
  const call = client.call('echo', { n: 1 }, { signal: stop.signal });
  stop.abort();
  assert.equal(await code(call), 'cancelled');
  worker().ready();
  await settle();
  assert.equal(worker().requests.length, 0);
});

test('an aborted signal starts nothing', async () => {
  assert.equal(await code(start().call('echo', { n: 1 }, { signal: AbortSignal.abort() })), 'cancelled');
  assert.equal(workers.length, 0);
});

test('a worker that dies rejects its calls, and the next call starts another', async () => {
  const deaths: SeamError[] = [];
  const client = start({ onDeath: (error) => deaths.push(error) });
  const lost = client.call('echo', { n: 1 });
  worker().ready();
  worker().post({ event: 'died', data: { message: 'out of memory' } });
  assert.equal(await code(lost), 'died');
  assert.equal(deaths[0]?.message, 'out of memory');
  assert.ok(worker(0).terminated);

  const next = client.call('echo', { n: 2 });
  worker(1).ready();
  worker(1).post({ id: 2, result: { n: 2 } });
  assert.equal((await next).result.n, 2);
  assert.equal(client.starts, 2);
});

test('an error event of the worker is its death', async () => {
  const client = start();
  const lost = client.call('echo', { n: 1 });
  worker().port.onerror?.({ message: 'script not found' });
  assert.equal(await code(lost), 'died');
});

test('a worker that cannot be made rejects the call', async () => {
  const client = new WorkerClient<Methods>(() => {
    throw new Error('blocked by policy');
  });
  assert.equal(await code(client.call('echo', { n: 1 })), 'died');
});

test('another protocol is refused in words', async () => {
  const client = start();
  const call = client.call('echo', { n: 1 });
  worker().ready(2);
  assert.equal(await code(call), 'version');
});

test('terminate ends the worker and its calls', async () => {
  const client = start();
  const call = client.call('echo', { n: 1 });
  client.terminate();
  assert.equal(await code(call), 'cancelled');
  assert.ok(worker().terminated);
});

test('an idle worker is ended, a busy one is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = start({ idle: 30 });
  const call = client.call('echo', { n: 1 });
  worker().ready();
  await settle();
  t.mock.timers.tick(1000);
  assert.equal(worker().terminated, false);
  worker().post({ id: 1, result: { n: 1 } });
  await call;
  t.mock.timers.tick(29);
  assert.equal(worker().terminated, false);
  t.mock.timers.tick(1);
  assert.ok(worker().terminated);
});

test('events that answer no call go to their listener', async () => {
  const events: unknown[] = [];
  const client = start({ onEvent: (event, data) => events.push([event, data]) });
  client.start();
  worker().post({ event: 'request', data: { url: 'a' } });
  await settle();
  assert.deepEqual(events, [['request', { url: 'a' }]]);
});
