// Files of the model are kept by the browser: they are the same for all pages and versions of
// a site, and their names have a hash.

import type { Source } from '../index/open.ts';
import { inflate } from '../index/unpack.ts';

const name = 'seam-meaning';

/**
 * Gives what is in the files of a source, and asks the browser's own store first. Where storage is blocked or full, files are only
 * fetched. Only what is whole, by its checksum, is kept and taken: a host may have sent a page in the place of a file.
 */
export function kept(source: Source, at: URL, first: string): (file: string) => Promise<Uint8Array> {
  const store = globalThis.caches?.open(name).catch(() => undefined);
  return async (file) => {
    const address = new URL(file, at).href;
    const cache = await store;
    const old = await cache
      ?.match(address)
      .then((there) => there?.arrayBuffer())
      .then((there) => there && inflate(there))
      .catch(() => undefined);
    if (old) return old;
    const bytes = await source(file);
    const plain = await inflate(bytes);
    if (file === first && cache) await forget(cache, new URL('.', address).href).catch(() => undefined);
    await cache?.put(address, new Response(bytes)).catch(() => undefined);
    return plain;
  };
}

/** A new model has come: the files of the one before are not asked for any more. */
async function forget(cache: Cache, folder: string): Promise<void> {
  for (const { url } of await cache.keys()) if (url.startsWith(folder)) await cache.delete(url);
}
