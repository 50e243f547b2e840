// The two workers of the page, both from one script.

import type { EngineMethods, PdfMethods } from './api.ts';
import { WorkerClient, type ClientOptions, type Port } from './client.ts';

declare const __WORKER__: string;

const PDF_IDLE_MS = 10_000;

const workerUrl = new URL(__WORKER__, import.meta.url).href;

/** The page's only Trusted Types policy: it knows one URL. */
const policy = globalThis.trustedTypes?.createPolicy('seam', {
  createScriptURL(url: string): string {
    if (url !== workerUrl) throw new TypeError(`not a script of this page: ${url}`);
    return url;
  },
});

function spawn(name: 'engine' | 'pdf'): Port {
  const url = policy?.createScriptURL(workerUrl) ?? workerUrl;
  return new Worker(url as string, { name }) as unknown as Port;
}

export type EngineClient = WorkerClient<EngineMethods>;
export type PdfClient = WorkerClient<PdfMethods>;

export function engineClient(options: ClientOptions): EngineClient {
  return new WorkerClient<EngineMethods>(() => spawn('engine'), options);
}

export function pdfClient(options: ClientOptions): PdfClient {
  return new WorkerClient<PdfMethods>(() => spawn('pdf'), { ...options, idle: PDF_IDLE_MS });
}
