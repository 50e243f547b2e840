// Remembers a proxy's embedders from its last answer, for visits without one.

import type { Embedder } from '../../lib/api.ts';
import { remember, remembered } from '../ground/remembered.ts';

const keyOf = (proxy: string): string => `seam.hosted ${proxy}`;

export function knownOf(proxy: string): Embedder[] {
  try {
    const found = JSON.parse(remembered(keyOf(proxy)) || '[]') as Embedder[];
    return Array.isArray(found)
      ? found.filter(({ name, label, help }) => [name, label, help].every((text) => typeof text === 'string'))
      : [];
  } catch {
    return []; // not written by this page
  }
}

/** If the browser keeps nothing, the proxy is asked on the next visit. */
export function setKnown(proxy: string, embedders: readonly Embedder[]): void {
  remember(keyOf(proxy), JSON.stringify(embedders));
}
