// Files of the model are kept by the browser: they are the same for all pages and versions of
// a site, and their names have a hash.

import type { Source } from '../index/open.ts';

const name = 'seam-meaning';

/** A source that asks the browser's own store first. Where storage is blocked or full, files are only fetched. */
export function kept(source: Source, at: URL, first: string): Source {
  const store = globalThis.caches?.open(name).catch(() => undefined);
  return async (file) => {
    const address = new URL(file, at).href;
    const cache = await store;
    const old = await cache?.match(address).catch(() => undefined);
    if (old) return old.arrayBuffer();
    const bytes = await source(file);
    if (file === first && cache) await forget(cache, new URL('.', address).href).catch(() => undefined);
    await cache?.put(address, new Response(bytes)).catch(() => undefined);
    return bytes;
  };
}

/** A new model has come: the files of the one before are not asked for any more. */
async function forget(cache: Cache, folder: string): Promise<void> {
  for (const { url } of await cache.keys()) if (url.startsWith(folder)) await cache.delete(url);
}
