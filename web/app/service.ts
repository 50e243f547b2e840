// Questions to the service worker: what it answers is in ../sw/sw.ts.

/** The one of this page; undefined where there is none, or may be none. */
export async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

/** The answer of the one in charge; undefined where there is none, null where it cannot tell. */
export async function ask<Answer>(question: 'keep' | 'missing' | 'shared'): Promise<Answer | null | undefined> {
  const active = (await registered())?.active;
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
