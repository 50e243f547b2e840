// The file with many indexes: a magic number, the size of the list as uint32, the SHA-256 of
// the list, the list as JSON, and the indexes in its order. An index never changes under one
// name, so its name is also its version.

/** An index: the name of its own file, and its size. */
export interface Index {
  file: string;
  bytes: number;
}

/** An index in the file with many. */
export interface Place extends Index {
  /** The offset of its first byte. */
  at: number;
}

const MAGIC = 'SEAMINDS';
const SUM = 32;
const START = MAGIC.length + 4 + SUM;

/** Returns the bytes before the indexes. */
export async function listOf(indexes: readonly Index[]): Promise<Blob> {
  const list = new TextEncoder().encode(JSON.stringify(indexes.map(({ file, bytes }) => [file, bytes])));
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, list.length, true);
  return new Blob([MAGIC, size.buffer, await crypto.subtle.digest('SHA-256', list), list]);
}

/** Returns the indexes in a file by their names, or null if it is damaged or incomplete. */
export async function placesOf(all: Blob): Promise<Map<string, Place> | null> {
  const start = await all.slice(0, START).arrayBuffer();
  if (start.byteLength < START || new TextDecoder().decode(start.slice(0, MAGIC.length)) !== MAGIC) return null;
  const size = new DataView(start).getUint32(MAGIC.length, true);
  const list = await all.slice(START, START + size).arrayBuffer();
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', list));
  const wanted = new Uint8Array(start, START - SUM);
  if (sum.some((byte, i) => byte !== wanted[i])) return null;
  const places = new Map<string, Place>();
  let at = START + size;
  for (const [file, bytes] of JSON.parse(new TextDecoder().decode(list)) as [string, number][]) {
    places.set(file, { file, bytes, at });
    at += bytes;
  }
  return at === all.size ? places : null;
}

/** Returns parts of the file, one after another. Adjacent ones are read together. */
export function joined(all: Blob, places: readonly Place[]): Blob {
  const parts: [number, number][] = [];
  for (const { at, bytes } of places) {
    const last = parts.at(-1);
    if (last?.[1] === at) last[1] += bytes;
    else parts.push([at, at + bytes]);
  }
  const blobs = parts.map(([from, to]) => all.slice(from, to));
  return blobs.length === 1 && blobs[0] ? blobs[0] : new Blob(blobs);
}
