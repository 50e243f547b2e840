// Who keeps this page to its policy, and the service worker that does so where
// no server does. It also makes the page work offline, on every host.

import { enforcedBy, type PolicyState, root } from '../../lib/place.ts';
import { inCharge } from '../../lib/service-worker.ts';
import { registerServiceWorker } from '../../lib/workers.ts';

export interface PolicyOptions {
  changed: (state: PolicyState) => void;
  /** The service worker has fetched something. */
  onRequest: (url: string) => void;
  /** Nothing would be lost if the page were loaded again. */
  idle: () => boolean;
}

export interface PolicyWatch {
  /** The service worker is registered, or cannot be. */
  registered: Promise<unknown>;
  /** The page will not load itself again: what an address holds can be taken from it. */
  stays: Promise<unknown>;
}

const RELOADED = 'seam.reloaded';

export function watchPolicy({ changed, onRequest, idle }: PolicyOptions): PolicyWatch {
  stay();
  const by = enforcedBy();
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined; // absent without https
  changed(by ?? (workers ? 'pending' : 'never'));
  const none = Promise.resolve();
  if (!workers) return { registered: none, stays: none };
  let begun = false;
  for (const event of ['pointerdown', 'keydown', 'dragenter']) {
    addEventListener(
      event,
      () => {
        begun = true;
      },
      { once: true, capture: true },
    );
  }
  workers.addEventListener('message', ({ data }) => {
    for (const url of (data as { requests?: string[] }).requests ?? []) onRequest(url);
  });
  workers.startMessages();
  const registered = registerServiceWorker().catch(() => {
    if (!by) changed('never');
  });
  const stays = async () => {
    if (by || !(await inCharge(await registered)) || begun || !idle() || !once()) return;
    location.reload();
    await new Promise(() => undefined); // the script runs on until the next page is there
  };
  return { registered, stays: stays() };
}

/** The programs and the model are large: they are kept for offline use once the engine runs. */
export async function keepPrograms(): Promise<void> {
  (await navigator.serviceWorker?.ready)?.active?.postMessage('keep');
}

/** Once for each tab, so that a page that stays unbound is not loaded for ever. */
function once(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, '1');
    return true;
  } catch {
    return false; // no storage, no memory of having done it
  }
}

/** No content security policy keeps a page from leaving; where the browser asks first, it stays. */
function stay(): void {
  const { navigation } = globalThis as { navigation?: Navigation };
  navigation?.addEventListener('navigate', (event) => {
    const { protocol, origin } = new URL(event.destination.url);
    if (event.cancelable && protocol.startsWith('http') && origin !== new URL(root).origin) event.preventDefault();
  });
}
