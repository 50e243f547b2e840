// Questions to the service worker: what it answers is in ../sw/sw.ts.

import { root } from '../../lib/place.ts';
import { inCharge } from '../../lib/service-worker.ts';

/** The one of this page; undefined where there is none, or may be none. */
export async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

/** The answer of the one in charge, which may be on its way; undefined where there is none, null where it cannot tell. */
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

/** Whether the page's host answers: by asking for its service worker, which is done at each visit. */
export async function hostAnswers(): Promise<boolean> {
  const registration = await registered();
  return registration
    ? registration.update().then(
        () => true,
        () => false,
      )
    : navigator.onLine;
}

/** The names of the files of the page that are kept. */
export async function keptNames(): Promise<string[]> {
  const caches = globalThis.caches as CacheStorage | undefined; // absent without https
  const names = (await caches?.keys().catch(() => [])) ?? []; // where nothing may be stored
  const requests = await Promise.all(names.map(async (name) => (await caches?.open(name))?.keys() ?? []));
  return requests.flat().map(({ url }) => url.slice(root.length));
}
