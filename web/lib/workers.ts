// Creates the page's workers, two of them from one script, and registers its service
// worker.

import type { EngineMethods, PdfMethods } from './api.ts';
import { WorkerClient, type ClientOptions, type Port } from './client.ts';
import { enforcedBy, entry, root } from './place.ts';

declare const __WORKER__: string;
declare const __DRAWER__: string;
declare const __COPIER__: string;

const PDF_IDLE_MS = 10_000;

/** Below the entry's own address, because a worker has the policy of its own response. */
const workerUrl = new URL(__WORKER__, entry).href;
const drawerUrl = new URL(__DRAWER__, entry).href;
const copierUrl = new URL(__COPIER__, entry).href;
const serviceWorkerUrl = new URL('sw.js', root).href;

/** The folder of the page's files for a worker, and whether they are compressed. */
const whence = `${root === entry ? '.' : '..'}${enforcedBy() === 'server' ? '' : ' gz'}`;

/** The page's only Trusted Types policy. It allows four URLs. */
const policy = globalThis.trustedTypes?.createPolicy('seam', {
  createScriptURL(url: string): string {
    if (![workerUrl, drawerUrl, copierUrl, serviceWorkerUrl].includes(url))
      throw new TypeError(`not a script of this page: ${url}`);
    return url;
  },
});

function trusted(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}

function spawn(name: 'engine' | 'pdf'): Port {
  return new Worker(trusted(workerUrl), { name: `${name} ${whence}` }) as unknown as Port;
}

export type EngineClient = WorkerClient<EngineMethods>;
export type PdfClient = WorkerClient<PdfMethods>;

export function engineClient(options: ClientOptions): EngineClient {
  return new WorkerClient<EngineMethods>(() => spawn('engine'), options);
}

export function pdfClient(options: ClientOptions): PdfClient {
  return new WorkerClient<PdfMethods>(() => spawn('pdf'), { ...options, idle: PDF_IDLE_MS });
}

/** For app/kept/originals.ts. */
export function copier(): Worker {
  return new Worker(trusted(copierUrl), { type: 'module' });
}

/** A worker of pdf.js, for app/page. */
export function drawer(): Worker {
  return new Worker(trusted(drawerUrl), { name: 'drawer', type: 'module' });
}

/**
 * Registers one service worker for both entries. Fails if the address is not https, or the
 * browser does not support it.
 */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(trusted(serviceWorkerUrl), { scope: root, updateViaCache: 'none' });
}
