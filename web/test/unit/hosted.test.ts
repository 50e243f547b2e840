// Text for a hosted model: nothing is sent before Send, never more than announced, and
// nothing more after a Stop. The test plays the engine.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { EngineMethods, Hit, PdfMethods } from '../../lib/api.ts';
import { WorkerClient } from '../../lib/client.ts';
import { Ask } from '../../app/hosted/ask.ts';
import { Hosted, type Sending, type Tokens } from '../../app/hosted/hosted.ts';
import type { Opening } from '../../app/session/opening.ts';
import { Search } from '../../app/search/search.ts';
import { Session } from '../../app/session/session.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { FakeWorker, settle, type Request } from './fake-worker.ts';

/** These tests split no questions and judge no answers. */
const pdf = new WorkerClient<PdfMethods>(
  () => {
    throw new Error('it is not needed');
  },
  { onDeath: () => undefined },
);

Object.assign(globalThis, { requestAnimationFrame: (then: () => void) => setImmediate(then) });

const SMALL = {
  name: 'openai:small',
  id: 'small',
  kind: 'embed',
  label: 'Small',
  dimensions: 16,
  input: 0,
  price: 0.02,
  priceOut: null,
};
const LARGE = { ...SMALL, name: 'openai:large', id: 'large', label: '', price: null };
const CHAT = { ...SMALL, name: 'openai:chat', id: 'chat', kind: 'chat', label: 'Chat', price: 0.15, priceOut: 0.6 };

/**
 * Answers like the engine. `hold` delays calls of a method until they are released, or
 * answers them differently.
 */
class Engine {
  worker!: FakeWorker;
  readonly calls: Request[] = [];
  readonly held: Request[] = [];
  hold: string | null = null;
  models: unknown[] = [SMALL, LARGE, CHAT];
  missing = 3;
  died: (error: SeamError) => void = () => undefined;
  readonly client = new WorkerClient<EngineMethods>(
    () => {
      this.worker = new FakeWorker();
      this.worker.onRequest = (request) => {
        this.calls.push(request);
        const embedder = String(request.params['embedder']);
        if (
          request.method === this.hold ||
          (this.hold === 'sending' && request.method === 'chunk' && embedder.startsWith('openai:'))
        )
          this.held.push(request);
        else this.answer(request);
      };
      this.worker.ready();
      return this.worker.port;
    },
    { onDeath: (error) => this.died(error) },
  );

  answer({ id, method, params }: Request): void {
    const results: Record<string, unknown> = {
      hello: {
        protocol: 1,
        version: '',
        defaults: { method: 'percentile', embedder: 'lexical' },
        embedders: [{ name: 'lexical', label: 'lexical', help: '' }],
        methods: [
          {
            name: 'percentile',
            label: '',
            help: '',
            view: 'reading',
            needsVectors: true,
            curve: 'distance',
            setting: { label: '', default: 95, min: 0, max: 100, step: 1 },
            maxTokens: 0,
            minTokens: 0,
            takesMin: true,
            takesOverlap: true,
          },
          {
            name: 'notebook',
            label: '',
            help: '',
            view: 'content',
            needsVectors: true,
            curve: 'similarity',
            setting: null,
            maxTokens: 0,
            minTokens: 0,
            takesMin: true,
            takesOverlap: true,
          },
          {
            name: 'fixed',
            label: '',
            help: '',
            view: 'content',
            needsVectors: false,
            curve: '',
            setting: null,
            maxTokens: 256,
            minTokens: 0,
            takesMin: false,
            takesOverlap: true,
          },
        ],
      },
      connect: {
        prompts: 'server',
        models: this.models,
        turns: 16,
        history: 12288,
        system: 'Answer from the passages.',
        collection: null,
      },
      preview: {
        embedder: params['embedder'],
        texts: 5,
        missing: this.missing,
        tokens: 70,
        calls: 1,
        dollars: 0.0000014,
      },
      text: { view: params['view'], pages: [], links: [], headings: [] },
      chunk: {
        doc: params['doc'],
        view: params['method'] === 'percentile' ? 'reading' : 'content',
        method: params['method'],
        setting: 95,
        threshold: 0.5,
        curve: 'distance',
        sentences: 5,
        chunks: [],
        milliseconds: {},
        cached: [],
        edits: { count: 0, held: 0, canUndo: false, canRedo: false },
        embedded: 0,
        reused: 0,
      },
      ask: {
        finish: 'stop',
        tokens: 100,
        tokensOut: 20,
        refused: false,
        passages: 2,
        query: params['question'],
        messages: [],
      },
      search: { hits: [] },
      close: {},
      cancel: {},
    };
    if (method === 'chunk' && String(params['embedder']).startsWith('openai:')) this.missing = 0;
    this.worker.post({ id, result: results[method] });
  }

  fail(request: Request | undefined, code: string): void {
    assert.ok(request);
    this.worker.post({ id: request.id, error: { code, message: `it is ${code}` } });
  }

  /** Returns the called methods, except irrelevant ones, with the embedder of chunk. */
  get said(): string[] {
    return this.calls
      .filter(({ method }) => !['hello', 'text', 'close', 'cancel'].includes(method))
      .map(({ method, params }) => (method === 'chunk' ? `chunk ${String(params['embedder'])}` : method));
  }
}

const engines: Engine[] = [];
afterEach(() => {
  for (const { worker } of engines.splice(0)) worker.close();
  (globalThis as { seamHeld?: Map<string, string> }).seamHeld?.clear(); // each test is a separate visit
});

/** Creates a session with cut documents and hosted models. */
async function start({
  docs = ['a'],
  proxy = 'https://proxy.example' as string | null,
  tokens = undefined as Tokens | undefined,
} = {}) {
  const engine = new Engine();
  engines.push(engine);
  let id = 0;
  const opening = {
    open: () => Promise.resolve({ doc: ++id, name: '', title: '', pages: 1, notes: [], lost: null }),
  } as unknown as Opening;
  const session: Session = new Session(engine.client, opening, proxy);
  engine.died = (error) => session.engineDied(error);
  await session.start();
  const hosted = new Hosted(engine.client, session, proxy ?? 'https://none.example', tokens);
  const add = async (...names: string[]) => {
    await session.add(
      names.map((name) => ({ name, blob: new Blob([name.repeat(id + names.length + session.docs.length)]) })),
    );
    await settle();
  };
  await add(...docs);
  return { engine, session, hosted, add };
}

async function choose(session: Session, name: string): Promise<void> {
  session.chooseEmbedder(name);
  await settle();
}

test('with a proxy that nobody uses, it is not spoken to', async () => {
  const { engine, hosted } = await start({ docs: ['a', 'bb'] });
  assert.deepEqual(engine.said, ['chunk lexical', 'chunk lexical']);
  assert.equal(hosted.state.kind, 'none');
});

for (const [what, refused, tried, outcome] of [
  ['one after another, until the proxy takes one', { old: 'refused' }, ['old', 'new'], 'took new'],
  ['without any at last', { old: 'refused', new: 'refused' }, ['old', 'new', ''], 'took '],
  ['until all are refused', { old: 'refused', new: 'refused', '': 'refused' }, ['old', 'new', ''], 'refused'],
  ['once where the proxy is gone', { old: 'offline' }, ['old'], 'offline'],
] as [string, Record<string, string>, string[], string][]) {
  test(`tokens are tried: ${what}`, async () => {
    let took = '';
    const { engine, hosted } = await start({
      tokens: {
        tokens: () => ['old', 'new', ''],
        tookToken: (token) => {
          took = `took ${token}`;
        },
      },
    });
    engine.hold = 'connect';
    const connected = hosted.connect().then(
      () => took,
      (cause: unknown) => SeamError.from(cause).code,
    );
    await settle();
    const there: unknown[] = [];
    for (let request = engine.held.shift(); request; request = engine.held.shift()) {
      const { token } = request.params;
      there.push(token);
      const code = refused[String(token)];
      if (code) engine.fail(request, code);
      else engine.answer(request);
      await settle();
    }
    assert.deepEqual([there, await connected], [tried, outcome]);
  });
}

test('without a proxy a hosted embedder is none', async () => {
  const { engine, session } = await start({ proxy: null });
  await choose(session, SMALL.name);
  assert.equal(session.choices.embedder, 'lexical');
  assert.ok(!engine.said.some((said) => /openai|connect|preview/.test(said)), engine.said.join());
});

test('choosing asks what would be sent; only Send sends it, and the line moves without', async () => {
  const { engine, session, hosted } = await start();
  await choose(session, SMALL.name);
  assert.deepEqual(engine.said, ['chunk lexical', 'connect', 'preview']);
  assert.equal(hosted.state.kind, 'asking');
  session.setSetting(80);
  await settle();
  assert.equal(engine.said.at(-1), 'chunk lexical', 'until then it is cut as before');
  hosted.send();
  await settle();
  assert.equal(engine.said.at(-1), `chunk ${SMALL.name}`);
  assert.equal(hosted.state.kind, 'none');
  const before = engine.said.length;
  session.setSetting(70);
  await settle();
  assert.deepEqual(engine.said.slice(before), [`chunk ${SMALL.name}`], 'neither asked nor previewed again');
});

test('Not now: all is as it was', async () => {
  const { engine, session, hosted } = await start();
  await choose(session, SMALL.name);
  hosted.decline();
  await settle();
  assert.equal(hosted.state.kind, 'none');
  assert.equal(session.choices.preferences.embedder, 'lexical');
  assert.ok(!engine.said.includes(`chunk ${SMALL.name}`));
});

test('what is there already is cut at once', async () => {
  const { engine, session, hosted } = await start();
  engine.missing = 0;
  await choose(session, SMALL.name);
  assert.deepEqual(engine.said, ['chunk lexical', 'connect', 'preview', `chunk ${SMALL.name}`]);
  assert.equal(hosted.state.kind, 'none');
});

test('each document asks for itself; one that is declined keeps its embedder, and the first one, too', async () => {
  const { engine, session, hosted, add } = await start();
  await choose(session, SMALL.name);
  hosted.send();
  await settle();
  engine.missing = 3;
  await add('bb');
  assert.equal(hosted.state.kind, 'asking');
  assert.equal(session.choices.embedderOf(session.selected ?? assert.fail()), 'lexical');
  hosted.decline();
  await settle();
  assert.equal(session.choices.embedder, SMALL.name, 'it is in use');
  assert.equal(session.choices.shownFor(session.selected), 'lexical');
  const before = engine.said.length;
  session.select(session.docs[0] ?? null);
  session.select(session.docs[1] ?? null);
  await settle();
  assert.deepEqual(engine.said.slice(before), [], 'nothing is asked or cut again');
  await choose(session, SMALL.name);
  assert.equal(hosted.state.kind, 'asking', 'chosen again, it asks again');
});

test('ask no more: the next document is sent without a question, others not before they are selected', async () => {
  const { engine, session, hosted, add } = await start();
  await choose(session, SMALL.name);
  hosted.always = true;
  hosted.send();
  await settle();
  engine.missing = 3;
  await add('bb', 'ccc');
  const [, second, third] = session.docs;
  assert.equal(second?.chunking?.embedder, SMALL.name);
  assert.equal(third?.chunking?.embedder, 'lexical');
});

test('sentences of another view have not been sent: they are asked for', async () => {
  const { engine, session, hosted } = await start();
  await choose(session, SMALL.name);
  hosted.send();
  await settle();
  engine.missing = 2;
  session.change({ method: 'fixed' });
  await settle();
  assert.equal(hosted.state.kind, 'none', 'a method without embeddings has nothing to send');
  session.change({ method: 'notebook' });
  await settle();
  assert.equal(hosted.state.kind, 'asking');
  assert.equal(engine.calls.at(-1)?.params['method'], 'notebook');
  hosted.send();
  await settle();
  assert.equal(session.selected?.chunking?.embedder, SMALL.name);
  assert.equal(session.selected?.chunking?.result.view, 'content');
});

for (const [name, code] of Object.entries({ Stop: 'cancelled', 'a failure': 'budget' })) {
  test(`${name} keeps the chunks and asks for the rest, even where nothing is to be asked`, async () => {
    const { engine, session, hosted } = await start();
    hosted.always = true;
    engine.hold = 'sending';
    await choose(session, SMALL.name);
    assert.equal(hosted.state.kind, 'sending');
    const doc = session.selected ?? assert.fail();
    engine.missing = 1;
    if (code === 'cancelled') hosted.stop();
    else engine.fail(engine.held[0], code);
    await settle();
    const after = hosted.state as Sending;
    assert.ok(after.kind === 'asking', after.kind);
    assert.deepEqual([after.error?.code, after.preview.missing, after.came], [code, 1, 2]);
    assert.deepEqual([doc.state, doc.chunking?.embedder], ['ready', 'lexical']);
    assert.equal(engine.held.length, 1, 'not sent again by itself');
    engine.hold = null;
    hosted.send();
    await settle();
    assert.equal(doc.chunking?.embedder, SMALL.name);
  });
}

test('another embedder, and a document that is closed, end the sending', async () => {
  for (const change of [
    (session: Session) => session.chooseEmbedder('lexical'),
    (session: Session) => session.remove(session.docs[0] ?? assert.fail()),
  ]) {
    const { engine, session, hosted } = await start();
    await choose(session, SMALL.name);
    engine.hold = 'sending';
    hosted.send();
    await settle();
    change(session);
    await settle();
    const [sending] = engine.held;
    assert.ok(engine.calls.some(({ method, params }) => method === 'cancel' && params['id'] === sending?.id));
    assert.equal(hosted.state.kind, 'none');
  }
});

test('an engine that has died had the connection and all that came: both are asked for again', async () => {
  const { engine, session, hosted } = await start();
  await choose(session, SMALL.name);
  hosted.send();
  await settle();
  engine.missing = 3;
  const before = engine.said.length;
  engine.worker.post({ event: 'died', data: { message: 'a test' } });
  await settle();
  assert.deepEqual(engine.said.slice(before), ['preview', 'chunk lexical', 'connect', 'preview']); // the first checks the stored vectors
  assert.equal(hosted.state.kind, 'asking');
});

test('a search while a document is sent does not send it, too', async () => {
  const { engine, session, hosted } = await start();
  await choose(session, SMALL.name);
  engine.hold = 'sending';
  hosted.send();
  await settle();
  await new Search(engine.client, session).ask('why');
  assert.equal(engine.said.at(-1), 'search');
  assert.equal(engine.held.length, 1);
});

test('a proxy that does not answer: the document stays, and it is tried again', async () => {
  const { engine, session, hosted } = await start();
  engine.hold = 'connect';
  await choose(session, SMALL.name);
  engine.fail(engine.held[0], 'offline');
  await settle();
  assert.ok(hosted.state.kind === 'failed');
  assert.equal(session.selected?.state, 'ready');
  engine.hold = null;
  hosted.retry();
  await settle();
  assert.equal(hosted.state.kind, 'asking');
});

test('a model that is offered no more is not wanted any more', async () => {
  const { session, hosted } = await start();
  await choose(session, 'openai:gone');
  assert.equal(session.choices.embedder, 'lexical');
  assert.equal(hosted.state.kind, 'none');
});

const HIT: Hit = {
  doc: 1,
  name: 'a.txt',
  chunk: 0,
  start: 0,
  end: 4,
  page: 1,
  pages: [1],
  section: '',
  score: 1,
  parts: [],
  words: [],
  why: '',
  text: 'One.',
  marks: [],
  passage: null,
  written: '',
};

test('a question is sent after the first yes, without the passages taken out; its events come in order; Stop ends it', async () => {
  const { engine, session, hosted } = await start();
  const ask = new Ask(engine.client, pdf, session, new Search(engine.client, session), hosted);
  const seen: unknown[] = [];
  ask.on('delta', ({ text }) => seen.push(text));
  ask.on('changed', ({ kind }) => seen.push(kind));
  await ask.connect();
  engine.hold = 'ask';
  const looked = ask.ask(' Why? ');
  await settle();
  const shown = engine.held.shift();
  assert.ok(shown);
  assert.deepEqual(
    [shown.params['question'], shown.params['model'], shown.params['docs'], shown.params['show']],
    ['Why?', CHAT.name, [1], true],
  );
  engine.worker.post({
    id: shown.id,
    event: 'hits',
    data: { hits: [HIT, { ...HIT, text: 'Two.', source: 'a.txt · 2024' }], lost: [] },
  });
  engine.answer(shown);
  await looked;
  assert.equal(engine.held.length, 0, 'not before the yes');
  const { state } = ask;
  assert.ok(state.kind === 'consent' && state.chosen);
  assert.deepEqual(ask.estimate(state.chosen), { passages: 2, tokens: 159, dollars: ask.cost(159, 250) });
  ask.named = false;
  assert.equal(ask.estimate(state.chosen).tokens, 154, 'without the lines above them');
  ask.named = true;
  ask.toggle(state.chosen.hits[0] as Hit);
  assert.ok(ask.seesFirst, 'the next question may find it, too');
  ask.seesFirst = false;
  void ask.send();
  await settle();
  const fits = engine.held.shift();
  assert.ok(fits);
  assert.deepEqual(
    [fits.params['passages'], fits.params['sources'], fits.params['show']],
    [['Two.'], ['a.txt · 2024'], true],
    'whether they still fit',
  );
  engine.answer(fits);
  await settle();
  const [request] = engine.held;
  assert.ok(request);
  assert.deepEqual(
    [request.params['question'], request.params['passages'], request.params['sources'], request.params['show']],
    ['Why?', ['Two.'], ['a.txt · 2024'], undefined],
  );
  engine.worker.post({ id: request.id, event: 'delta', data: { text: 'Be', reasoning: false, moved: false } });
  engine.worker.post({ id: request.id, event: 'delta', data: { text: 'cause', reasoning: false, moved: false } });
  engine.answer(request);
  await settle();
  assert.deepEqual(seen, [
    'connecting',
    'idle',
    'looking',
    'consent',
    'consent',
    'consent',
    'consent',
    'consent',
    'busy',
    'Be',
    'cause',
    'done',
  ]);
  void ask.ask('And then?'); // one consent covers all
  await settle();
  assert.equal(engine.held.length, 2);
  assert.ok(!('unnamed' in (engine.held[1]?.params ?? {})));
  ask.stop();
  await settle();
  assert.ok(engine.calls.some(({ method, params }) => method === 'cancel' && params['id'] === engine.held[1]?.id));
  assert.ok(ask.state.kind === 'failed' && ask.state.error.cancelled);
  engine.worker.post({
    id: engine.held[1]?.id ?? 0,
    event: 'delta',
    data: { text: 'too late', reasoning: false, moved: false },
  });
  await settle();
  assert.ok(!seen.includes('too late'));
});

test('a cost needs both prices', async () => {
  const { engine, session, hosted } = await start();
  const ask = new Ask(engine.client, pdf, session, new Search(engine.client, session), hosted);
  await ask.connect();
  assert.equal(ask.cost(1_000_000, 1_000_000), 0.75);
  ask.model = SMALL.name;
  assert.equal(ask.cost(1, 1), null);
});
