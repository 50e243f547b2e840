// Reports who enforces the page's policy, and registers the service worker, which enforces
// it if no server does. It also makes the page work offline on every host.

import { enforcedBy, type PolicyState, root } from '../../lib/place.ts';
import { inCharge } from '../../lib/service-worker.ts';
import { registerServiceWorker } from '../../lib/workers.ts';

export interface PolicyOptions {
  changed: (state: PolicyState) => void;
  /** Called when the service worker has fetched a file. */
  onRequest: (url: string) => void;
  /** Reports whether a reload would lose nothing. */
  idle: () => boolean;
}

export interface PolicyWatch {
  /** Resolves when the service worker is registered or cannot be. */
  registered: Promise<unknown>;
  /**
   * Resolves when the page will not reload itself any more, so settings can be taken from
   * the address.
   */
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
    await new Promise(() => undefined); // the script runs until the reload
  };
  return { registered, stays: stays() };
}

/**
 * Stores the programs and the model for offline use. They are large, so this waits until
 * the engine runs.
 */
export async function keepPrograms(): Promise<void> {
  (await navigator.serviceWorker?.ready)?.active?.postMessage('keep');
}

/** Reloads once for each tab, so that a page without enforcement does not reload forever. */
function once(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, '1');
    return true;
  } catch {
    return false; // without storage, it could reload forever
  }
}

/**
 * Keeps the page from leaving its origin, in browsers with the Navigation API. No content
 * security policy can do that.
 */
function stay(): void {
  const { navigation } = globalThis as { navigation?: Navigation };
  navigation?.addEventListener('navigate', (event) => {
    const { protocol, origin } = new URL(event.destination.url);
    if (event.cancelable && protocol.startsWith('http') && origin !== new URL(root).origin) event.preventDefault();
  });
}
