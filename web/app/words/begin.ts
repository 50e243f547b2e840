// Applies a language to the page. It must be the last step of the language's bundle.

import type { Words } from './words.ts';

export function begin(words: Words): void {
  Object.assign(globalThis, { seamWords: words });
  document.documentElement.lang = words.language;
  document.title = words.title;
  document.querySelector('meta[name=description]')?.setAttribute('content', words.description);
  keep();
}

/**
 * Has the service worker store this bundle once it controls the page. On a first visit,
 * that is after the bundle was fetched.
 */
function keep(): void {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) return; // this file was fetched through it, if there is one
  serviceWorker.addEventListener('controllerchange', () => void fetch(import.meta.url).catch(() => undefined), {
    once: true,
  });
}
