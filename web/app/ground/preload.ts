// Loads a module and checks its hash: it is preloaded with its integrity, and the import
// then uses the preloaded copy.

import { h } from './dom.ts';

export function preload(file: string, integrity: string | undefined): Promise<unknown> {
  const { href } = new URL(file, import.meta.url);
  return new Promise<void>((resolve, reject) => {
    const link = h('link', { rel: 'modulepreload', href, integrity });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(href));
    });
    document.head.append(link);
  }).then(() => import(href) as Promise<unknown>);
}
