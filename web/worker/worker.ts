// The shim of both workers: loads the Go program that the worker's name asks
// for and runs it. From then on the program itself listens and posts; only
// what it cannot say is said here: that it could not be loaded, that it has
// ended, and which requests this worker makes (the page cannot see those).

import 'go-wasm-exec';

import { kernelFor } from '../../wasm/kernel/imports.js';

interface Program {
  file: string;
  /** Of the program and of its .gz file. */
  integrity: string;
  /** There is a .gz file. */
  packed: boolean;
}

declare const __WASM__: Record<string, Program>;
declare const Go: new () => {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
};

const GZIP_MAGIC = 0x1f;

const post = (event: string, data: unknown) => self.postMessage({ json: JSON.stringify({ event, data }) });

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) post('request', { url: entry.name });
}).observe({ type: 'resource', buffered: true });

// No list of resources has what goes through a socket: it is told as it is sent,
// but for what only keeps the socket going.
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (data) {
  send.call(this, data);
  const [, type] = /^{"type":"(init|embed|chat|search)"/.exec(String(data)) ?? [];
  if (type) post('request', { url: `${this.url}#${type}` });
};

self.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  post('blocked', { directive: effectiveDirective, url: blockedURI });
});

/**
 * The browser hands out no byte of a response that has another hash. What it
 * throws does not say why, so the file is asked for without its body: if it is
 * there, it was not the right one; if not, the host has another version.
 */
async function verified(url: URL, integrity: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { integrity });
  } catch (cause) {
    const { ok, status } = await fetch(url, { method: 'HEAD' }).catch(() => Response.error());
    throw ok || status === 404 ? new Error(`${ok ? 'damaged' : 'gone'}: ${url.pathname}`) : cause;
  }
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  return response;
}

/**
 * The page says in the worker's name where its files are and in which form to
 * fetch the program: as such from a host that compresses what it sends, as .gz
 * file from any other. Trying one after the other would leave an error in the
 * console. (A fragment of the address is lost when a service worker answers.)
 */
const [called = '', root = '.', form] = self.name.split(' ');

async function instantiate(
  { file, integrity, packed }: Program,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  const asGz = packed && form === 'gz';
  const response = await verified(new URL(asGz ? `${file}.gz` : file, new URL(root, self.location.href)), integrity);
  // Streaming is refused for another content type, which some hosts send.
  if (!asGz && response.headers.get('content-type') === 'application/wasm') {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Some hosts declare a .gz file to be an encoding, and the browser has inflated it already.
  if (bytes[0] !== GZIP_MAGIC) return (await WebAssembly.instantiate(bytes, imports)).instance;
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const program = new Response(inflated, { headers: { 'content-type': 'application/wasm' } });
  return (await WebAssembly.instantiateStreaming(program, imports)).instance;
}

async function run(): Promise<void> {
  const program = __WASM__[called];
  if (!program) throw new Error(`no program is called "${called}"`);
  const go = new Go();
  let instance: WebAssembly.Instance;
  const kernel = kernelFor(() => instance.exports.mem as WebAssembly.Memory);
  instance = await instantiate(program, { ...go.importObject, kernel: kernel.imports });
  await go.run(instance);
  throw new Error('the program has ended');
}

run().catch((cause: unknown) => {
  post('died', { message: cause instanceof Error ? cause.message : String(cause) });
});
