// What Seam reads, and how a file of it is told from others: the table of
// ../../shared/read, which the build puts in, so that it is there before any
// worker is. What a file is can be said without having it in memory.

import type { Format } from './api.ts';

declare const __FORMATS__: string;

export const formats: readonly Format[] = JSON.parse(__FORMATS__);

/** How many bytes of a file tell what it is. */
export const HEAD = 1024;

const read = formats.filter(({ room }) => room);

/** For the browser's dialog to choose files. */
export const accept = read
  .flatMap(({ extensions = [], mediaTypes = [] }) => [...extensions.map((each) => `.${each}`), ...mediaTypes])
  .join();

/** “PDF, Markdown, plain text or Seam bundles” in the words of `list`: the first of the table, bundles, come last. */
export const readable = (list: (labels: string[]) => string): string =>
  list([...read.slice(1), read[0] as Format].map(({ label = '' }) => label));

/** The format of a file, as shared/read has it. */
export function recognise(name: string, bytes: Uint8Array): Format {
  const head = bytes.subarray(0, HEAD);
  const byName = read.find((format) => named(format, name));
  // A mark further on says less than the name: a text about PDF has one.
  const marked = formats.find(({ marks }) => marks?.some((mark) => holds(head, byName ? { bytes: mark.bytes } : mark)));
  if (marked) return formats.find((format) => format.in === marked.name && named(format, name)) ?? marked;
  return byName ?? (formats[formats.length - 1] as Format); // which takes all
}

/** Whether a file in a folder is worth opening: there, what Seam cannot read is left out without a word for each. */
export function inFolder(name: string): boolean {
  return !name.startsWith('.') && read.some((format) => named(format, name));
}

function named({ extensions }: Format, name: string): boolean {
  return extensions?.includes(/\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? false;
}

function holds(head: Uint8Array, { bytes, within = bytes.length }: { bytes: string; within?: number }): boolean {
  const last = Math.min(head.length, within) - bytes.length;
  for (let at = 0; at <= last; at++) {
    if ([...bytes].every((byte, i) => byte === '?' || head[at + i] === byte.charCodeAt(0))) return true;
  }
  return false;
}
