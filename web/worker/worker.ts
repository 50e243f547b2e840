// The shim of both workers: loads the Go program that the worker's name asks
// for and runs it. From then on the program itself listens and posts; only
// what it cannot say is said here: that it could not be loaded, that it has
// ended, and which requests this worker makes (the page cannot see those).

import 'go-wasm-exec';

declare const __WASM__: Record<string, string>;
declare const Go: new () => {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
};

const post = (event: string, data: unknown) => self.postMessage({ json: JSON.stringify({ event, data }) });

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) post('request', { url: entry.name });
}).observe({ type: 'resource', buffered: true });

/** A host without content negotiation has only the .gz file, which the browser can inflate itself. */
async function request(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (response.ok) return response;
  const packed = await fetch(`${url.href}.gz`);
  if (!packed.ok || !packed.body) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  return new Response(packed.body.pipeThrough(new DecompressionStream('gzip')), {
    headers: { 'content-type': 'application/wasm' },
  });
}

async function instantiate(url: URL, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  const response = await request(url);
  // Streaming is refused for another content type, which some hosts send.
  if (response.headers.get('content-type') === 'application/wasm') {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  }
  return (await WebAssembly.instantiate(await response.arrayBuffer(), imports)).instance;
}

async function run(): Promise<void> {
  const file = __WASM__[self.name];
  if (!file) throw new Error(`no program is called "${self.name}"`);
  const go = new Go();
  const instance = await instantiate(new URL(file, self.location.href), go.importObject);
  await go.run(instance);
  throw new Error('the program has ended');
}

run().catch((cause: unknown) => {
  post('died', { message: cause instanceof Error ? cause.message : String(cause) });
});
