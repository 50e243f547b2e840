// Puts the page into a language: the last thing that its bundle does.

import type { Words } from './words.ts';

export function begin(words: Words): void {
  Object.assign(globalThis, { seamWords: words });
  document.documentElement.lang = words.language;
  document.title = words.title;
  document.querySelector('meta[name=description]')?.setAttribute('content', words.description);
  keep();
}

/** The service worker keeps what it is asked for, once it sees to this page: on a first visit that is later than this. */
function keep(): void {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) return; // this was asked for through it, if there is one
  serviceWorker.addEventListener('controllerchange', () => void fetch(import.meta.url).catch(() => undefined), {
    once: true,
  });
}
