// Loads the bundle of parts that a visit seldom needs: see visits.ts.

import { hostGone } from '../lib/place.ts';
import { loadVisits } from './lazy.ts';
import type { VisitPlaces } from './visits/visit-places.ts';
import type { Launch } from './visits/launches.ts';
import type { Visits } from './visits/visits.ts';

/**
 * `stays` resolves when the page will not reload itself any more. In the result, `look`
 * checks whether the host is still there, `keys` lists the keys, and `menu` opens the menu of
 * a button the first time.
 */
export function watchVisits(
  places: VisitPlaces,
  stays: Promise<unknown>,
): { look: () => void; keys: () => void; menu: (opener: HTMLButtonElement) => void } {
  let made: Visits | null = null;
  const use = (what: (visits: Visits) => unknown, lost = places.failed) => {
    void loadVisits()
      .then(async ({ Visits }) => {
        await what((made ??= new Visits(places)));
      }, lost)
      .catch(places.failed);
  };
  // Without a network the bundle itself may be unavailable. Then nothing is greyed out.
  const look = () =>
    use(
      (visits) => visits.away.look(),
      () => undefined,
    );
  // The service worker recognizes versions with open pages by these locks.
  navigator.locks
    ?.request(import.meta.url, { mode: 'shared' }, () => new Promise(() => undefined))
    .catch(() => undefined); // without locks, the browser stores no versions either
  void navigator.serviceWorker?.ready.then((registration) => {
    const offer = () => {
      if (registration.waiting ?? registration.installing) use((visits) => visits.update.offer(registration));
    };
    registration.addEventListener('updatefound', offer);
    offer();
  });
  (window as { launchQueue?: { setConsumer(use: (launch: Launch) => void): void } }).launchQueue?.setConsumer(
    (launch) => use((visits) => visits.launches.take(launch)),
  );
  if (location.search) void stays.then(() => use((visits) => visits.launches.begin()));
  places.ledger.element.addEventListener('toggle', () => use((visits) => visits.away.tellKept()), { capture: true });
  addEventListener('offline', look);
  if (hostGone || !navigator.onLine) look();
  return {
    look,
    keys: () => use((visits) => visits.keys()),
    menu: (opener) => use((visits) => visits.menu(opener)),
  };
}
