// The shim of both workers: loads and runs the Go program that the worker's name asks for.
// The program handles the messages. This script reports only events that the program
// cannot: that it could not be loaded, that it has ended, and the requests of this worker,
// which the page cannot see.

import 'go-wasm-exec';

import { kernelFor } from '../../wasm/kernel/imports.js';

interface Program {
  file: string;
  /** The integrity of the program, and of its .gz file. */
  integrity: string;
  /** Whether there is a .gz file. */
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

// Resource timing omits data sent through a socket, so it is reported here as it is sent,
// except for keep-alive messages.
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
 * Fetches a file whose hash the browser checks. On failure, the browser does not report the
 * reason, so the file is requested again without its body. If it exists, its content was
 * wrong; if not, the host has another version.
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
 * The worker's name has the folder of the page's files and the form in which to fetch the
 * program: as it is from a host that compresses responses, otherwise as a .gz file. Trying
 * one after the other would leave an error in the console. (A fragment of the address is
 * lost when a service worker answers.)
 */
const [called = '', root = '.', form] = self.name.split(' ');

async function instantiate(
  { file, integrity, packed }: Program,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  const asGz = packed && form === 'gz';
  const response = await verified(new URL(asGz ? `${file}.gz` : file, new URL(root, self.location.href)), integrity);
  // Streaming requires this content type, but some hosts send another.
  if (!asGz && response.headers.get('content-type') === 'application/wasm') {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Some hosts declare a .gz file as a content encoding. The browser has then inflated it
  // already.
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
