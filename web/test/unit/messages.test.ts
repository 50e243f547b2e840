import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PROTOCOL, type Incoming } from '../../lib/api.ts';
import { WorkerClient } from '../../lib/client.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { FakeWorker, settle } from './fake-worker.ts';

interface Exchange {
  request: { id: number; method: string; params: object } | null;
  event?: Incoming;
  answer: Incoming | null;
  got: number[] | null;
}

type AnyMethods = Record<string, { params: object; result: unknown; events: Record<string, unknown> }>;

/** The tests run at the root of the repository or in web/. */
const root = [process.cwd(), join(process.cwd(), '..')].find((dir) => {
  try {
    return readdirSync(join(dir, 'shared')).length > 0;
  } catch {
    return false;
  }
});
assert.ok(root);
const folder = join(root, 'shared/engine/rpc/testdata');

const exchanges = readdirSync(folder).map(
  (file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Exchange] as const,
);

test('there are fixtures', () => assert.ok(exchanges.length > 10));

for (const [file, { request, event, answer, got }] of exchanges) {
  test(`${file}: the client asks so, and understands the answer`, async () => {
    if (!request) {
      // the first message of a worker
      assert.deepEqual(event, { event: 'ready', data: { protocol: PROTOCOL } });
      return;
    }
    const worker = new FakeWorker();
    after(() => worker.close());
    const client = new WorkerClient<AnyMethods>(() => worker.port);
    const events: unknown[] = [];
    const hear = (data: unknown) => events.push(data);
    const call = client.call(request.method, request.params, { onProgress: hear, on: { [event?.event ?? '']: hear } });
    worker.ready();
    await settle();
    const [sent] = worker.requests;
    assert.deepEqual(sent, { ...request, id: sent?.id });
    const id = sent?.id ?? 0;
    if (event) worker.post({ ...event, id });
    if (!answer) {
      // other fixtures of the method have the answer
      await settle();
      assert.deepEqual(events, [event?.data]);
      client.terminate();
      await assert.rejects(call);
      return;
    }
    worker.post(
      { ...answer, id },
      (got ?? []).map((bytes) => new ArrayBuffer(bytes)),
    );
    if (answer.error) {
      const { code, message, hint } = answer.error;
      await assert.rejects(call, (error: SeamError) => {
        assert.deepEqual([error.code, error.message, error.hint ?? ''], [code, message, hint ?? '']);
        return true;
      });
    } else {
      const { result, blobs } = await call;
      assert.deepEqual(result, answer.result);
      assert.deepEqual(
        blobs.map((blob) => blob.byteLength),
        got,
      );
    }
    assert.deepEqual(events, event ? [event.data] : []);
  });
}
