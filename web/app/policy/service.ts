// Asks the service worker. Its answers are in ../sw/sw.ts.

import { root } from '../../lib/place.ts';
import { inCharge } from '../../lib/service-worker.ts';

/** Returns this page's registration; undefined if there is none or none is allowed. */
export async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

/**
 * Asks the active service worker, waiting for it if it is starting. Returns undefined if
 * there is none, and null if it cannot answer.
 */
export async function ask<Answer>(question: 'keep' | 'missing' | 'shared'): Promise<Answer | null | undefined> {
  const active = await inCharge(await registered());
  if (!active) return undefined;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data as Answer);
    };
    active.postMessage(question, [port2]);
  });
}

/** Reports whether the page's host answers, by updating the service worker, as each visit does. */
export async function hostAnswers(): Promise<boolean> {
  const registration = await registered();
  return registration
    ? registration.update().then(
        () => true,
        () => false,
      )
    : navigator.onLine;
}

/** Returns the names of the page's stored files. */
export async function keptNames(): Promise<string[]> {
  const caches = globalThis.caches as CacheStorage | undefined; // absent without https
  const names = (await caches?.keys().catch(() => [])) ?? []; // storage may be blocked
  const requests = await Promise.all(names.map(async (name) => (await caches?.open(name))?.keys() ?? []));
  return requests.flat().map(({ url }) => url.slice(root.length));
}
