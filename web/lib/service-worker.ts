// Waits for a service worker that can be asked.

/**
 * Resolves to the active service worker once it is ready. Resolves to undefined if there is
 * none or it could not be installed.
 */
export async function inCharge(
  registration: ServiceWorkerRegistration | undefined | void,
): Promise<ServiceWorker | undefined> {
  const coming = registration?.installing ?? registration?.waiting;
  if (!registration?.active && coming) {
    await new Promise<void>((resolve) => {
      const look = () => {
        if (registration?.active || coming.state === 'redundant') resolve();
      };
      coming.addEventListener('statechange', look);
      look();
    });
  }
  return registration?.active ?? undefined;
}
