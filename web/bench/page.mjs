// Runs in the browser: all contestants, in turns within one run.

import { kernelFor } from '/kernel/imports.js';
import { NEAREST, orama, plainNeighbours, plainSearch, voySearch } from './peers.mjs';

const DIM = 384;
const ROUNDS = 31;
/** Shorter work is repeated within a round. */
const LEAST_MS = 3;

async function program(withKernel) {
  const go = new Go();
  let instance;
  const memory = () => instance.exports.mem;
  instance = (await WebAssembly.instantiateStreaming(fetch('/bench.wasm'), { ...go.importObject, kernel: kernelFor(memory).imports })).instance;
  go.run(instance);
  if (withKernel && !instance.exports.startKernel()) throw new Error('this browser cannot run the kernel');
  return instance.exports;
}

const floats = (engine, at, n) => new Float32Array(engine.mem.buffer, at >>> 0, n);
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

/**
 * Returns the median milliseconds of each contestant, which is called with the number of
 * the round.
 */
async function measure(contestants) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const repeats = {};
  for (const name of names) {
    await contestants[name](0);
    const start = performance.now();
    await contestants[name](0);
    repeats[name] = Math.max(1, Math.ceil(LEAST_MS / Math.max(performance.now() - start, 0.001)));
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const start = performance.now();
      for (let i = 0; i < repeats[name]; i++) await contestants[name](round);
      times[name].push((performance.now() - start) / repeats[name]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

/** Returns the queries of the rounds, each near another row. */
function queriesOf(engine, n) {
  return Array.from({ length: ROUNDS }, (_, i) => floats(engine, engine.ask(Math.floor((i + 0.5) * n / ROUNDS)), DIM).slice());
}

/** Returns the share of the plain search's rows that `found` returns too. */
async function recall(queries, found, exact) {
  let right = 0;
  for (const [i, q] of queries.entries()) {
    const want = new Set(exact(q));
    right += (await found(q, i)).filter((id) => want.has(id)).length;
  }
  return right / (queries.length * NEAREST);
}

export async function search(n, withVoy) {
  const engine = await program(true);
  const at = engine.fill(n, DIM);
  engine.quantize();
  const { instance: reader } = await WebAssembly.instantiateStreaming(fetch('read.wasm'), { go: { mem: engine.mem } });
  const rows = floats(engine, at, n * DIM).slice();
  const queries = queriesOf(engine, n);
  const place = engine.ask(0);
  const ours = (run) => (q) => {
    floats(engine, place, DIM).set(q);
    run();
    return Array.from({ length: NEAREST }, (_, i) => engine.hit(i));
  };
  const exact = ours(engine.searchUnit), anyLength = ours(engine.search), bytes = ours(engine.searchBytes), plain = plainSearch(rows, n, DIM);
  const others = { orama: await orama(rows, n, DIM) };
  if (withVoy) others.voy = await voySearch(rows, n, DIM);
  const contestants = {
    read: () => reader.exports.read(at, n * DIM),
    exact: (i) => exact(queries[i]),
    anyLength: (i) => anyLength(queries[i]),
    bytes: (i) => bytes(queries[i]),
    plain: (i) => plain(queries[i]),
  };
  for (const [name, find] of Object.entries(others)) contestants[name] = (i) => find(queries[i]);
  const ms = await measure(contestants);
  const recalls = { exact: await recall(queries, exact, plain), 'any length': await recall(queries, anyLength, plain), bytes: await recall(queries, bytes, plain) };
  for (const [name, find] of Object.entries(others)) recalls[name] = await recall(queries, find, plain);
  return { ms, recalls };
}

export async function neighbours(n) {
  const [engine, without] = [await program(true), await program(false)];
  const rows = floats(engine, engine.fill(n, DIM), n * DIM).slice();
  without.fill(n, DIM);
  const plain = plainNeighbours(rows, n, DIM);
  const both = (program) => () => {
    program.neighbours();
    return program.cuts();
  };
  const cuts = { kernel: both(engine)(), go: both(without)(), plain: plain() };
  const ms = await measure({ neighbours: () => engine.neighbours(), kernel: both(engine), go: both(without), plain });
  return { ms, cuts };
}

/** Returns sentences per second, with the kernel and without. */
export async function embedding(model) {
  const bytes = new Uint8Array(await (await fetch(`/dist/${model}`)).arrayBuffer());
  const [engine, without] = [await program(true), await program(false)];
  for (const each of [engine, without]) {
    const at = each.room(bytes.length) >>> 0; // before the view, because the memory may grow
    new Uint8Array(each.mem.buffer, at, bytes.length).set(bytes);
    each.open();
  }
  const ms = await measure({ kernel: () => engine.embed(), go: () => without.embed() });
  return { kernel: 1e7 / ms.kernel, go: 1e7 / ms.go };
}

/**
 * Returns the milliseconds of a round trip to the engine's worker, and to a worker that
 * answers immediately.
 */
export async function roundTrip(script) {
  const mirror = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => postMessage(data);'])));
  const echo = () => new Promise((done) => {
    mirror.onmessage = done;
    mirror.postMessage({ json: '{"id":1,"method":"cancel","params":{"id":0}}', blobs: [] });
  });
  const worker = new Worker(`/dist/${script}`, { name: 'engine . gz' });
  const next = () => new Promise((done) => { worker.onmessage = ({ data }) => done(JSON.parse(data.json)); });
  while ((await next()).event !== 'ready');
  let id = 0;
  const call = (method, params) => async () => {
    worker.postMessage({ json: JSON.stringify({ id: ++id, method, params }), blobs: [] });
    while ((await next()).id !== id);
  };
  const cancel = call('cancel', { id: 0 });
  for (let i = 0; i < 2000; i++) await cancel(); // until the browser has optimized the hot functions
  const ms = await measure({ echo, cancel, hello: call('hello', {}) });
  worker.terminate();
  mirror.terminate();
  return ms;
}
