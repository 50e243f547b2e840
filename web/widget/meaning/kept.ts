// Caches files of the model in the browser. They are the same for all pages and versions of
// a site, and their names have a hash.

import type { Source } from '../index/open.ts';
import { inflate, type Piece } from '../index/unpack.ts';

const store = 'seam-meaning';

/**
 * Returns the contents of a source's files, from the browser's cache if possible. If
 * storage is blocked or full, files are only fetched. A file is cached and used only if its
 * checksum matches, because a host may send a page in place of a file.
 */
export function kept(source: Source, at: URL, first: string): (file: string | Piece) => Promise<Uint8Array> {
  const opened = globalThis.caches?.open(store).catch(() => undefined);
  return async (file) => {
    const piece = typeof file === 'string' ? undefined : file;
    const name = piece?.name ?? (file as string);
    const address = new URL(piece ? `${name}?${piece.at}` : name, at).href;
    const cache = await opened;
    const old = await cache
      ?.match(address)
      .then((there) => there?.arrayBuffer())
      .then((there) => there && inflate(there))
      .catch(() => undefined);
    if (old) return old;
    const bytes = await source(name, piece);
    const plain = await inflate(bytes);
    if (file === first && cache) await forget(cache, new URL('.', address).href).catch(() => undefined);
    await cache?.put(address, new Response(bytes)).catch(() => undefined);
    return plain;
  };
}

/** Deletes the files of the previous model when a new one is used. */
async function forget(cache: Cache, folder: string): Promise<void> {
  for (const { url } of await cache.keys()) if (url.startsWith(folder)) await cache.delete(url);
}
