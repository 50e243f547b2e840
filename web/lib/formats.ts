// Recognizes the files that Seam reads, by the table of ../../shared/read. The build
// inserts the table, so it is available before any worker. A file's format can be detected
// without loading the whole file.

import type { Format } from './api.ts';

declare const __FORMATS__: string;

export const formats: readonly Format[] = JSON.parse(__FORMATS__);

/** The bytes at the start of a file that identify its format. */
export const HEAD = 1024;

const read = formats.filter(({ room }) => room);

/** For the browser's file dialog. */
export const accept = read
  .flatMap(({ extensions = [], mediaTypes = [] }) => [...extensions.map((each) => `.${each}`), ...mediaTypes])
  .join();

/**
 * “PDF, Markdown, plain text or Seam bundles” in the words of `list`. Bundles, the first in
 * the table, come last.
 */
export const readable = (list: (labels: string[]) => string): string =>
  list([...read.slice(1), read[0] as Format].map(({ label = '' }) => label));

/** Returns the format of a file, as shared/read does. */
export function recognise(name: string, bytes: Uint8Array): Format {
  const head = bytes.subarray(0, HEAD);
  const byName = formats.find((format) => isByName(format) && named(format, name));
  // If the name is known, only marks at the start count: a text about PDF may contain one
  // later.
  const marked = formats.find(({ marks }) => marks?.some((mark) => holds(head, byName ? { bytes: mark.bytes } : mark)));
  if (marked) return formats.find((format) => format.in === marked.name && named(format, name)) ?? marked;
  return byName ?? (formats[formats.length - 1] as Format); // the last format matches all
}

/**
 * Reports whether a file in a folder should be opened. Unsupported files in folders are
 * skipped without a message for each.
 */
export function inFolder(name: string): boolean {
  return !name.startsWith('.') && read.some((format) => named(format, name));
}

/** Returns the format of a file by its name alone, if the name has one. */
export const formatNamed = (name: string): Format | undefined => formats.find((format) => named(format, name));

/** Reports whether files are of the format by their name, unless a mark says otherwise. */
function isByName({ room, marks, in: inside }: Format): boolean {
  return Boolean(room) || (!marks && !inside);
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
