// Compares a file with those in the list, byte by byte. Browsers compute a digest on secure
// addresses only, and only there can documents of earlier visits exist. Loaded when two
// sizes are equal, or a digest is saved.

import type { Doc } from './doc.ts';

const PART = 4 << 20;

/** Returns the document with the same bytes among `docs` of the same size. */
export async function twinOf(blob: Blob, name: string, docs: readonly Doc[]): Promise<Doc | null> {
  for (const doc of docs) {
    // Empty files have equal bytes, so they are compared by name.
    if (
      blob.size === 0
        ? doc.name === name
        : doc.source
          ? await same(doc.source, blob)
          : (await digestOf(blob)) === doc.kept?.record?.digest
    )
      return doc;
  }
  return null;
}

const digests = new WeakMap<Blob, Promise<string>>();

/** Returns SHA-256 in hex, computed once; empty if it is not available. */
export function digestOf(blob: Blob): Promise<string> {
  const known = digests.get(blob) ?? sha256(blob);
  digests.set(blob, known);
  return known;
}

/**
 * Returns the SHA-256 of a document's original file in hex, or an empty string if it is not
 * known.
 */
export async function digest({ source, packed, kept }: Doc): Promise<string> {
  return source ? digestOf(source) : (packed?.source.sha256 ?? kept?.record?.digest ?? '');
}

async function sha256(blob: Blob): Promise<string> {
  try {
    const sum = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}

async function same(a: Blob, b: Blob): Promise<boolean> {
  try {
    for (let at = 0; at < a.size; at += PART) {
      const [left, right] = await Promise.all(
        [a, b].map(async (blob) => new Uint8Array(await blob.slice(at, at + PART).arrayBuffer())),
      );
      if (!left || !right || left.some((byte, i) => byte !== right[i])) return false;
    }
    return true;
  } catch {
    return false; // one is unreadable, which its reader will report
  }
}
