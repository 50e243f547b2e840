// Whether a document was read from a PDF.

import type { Doc } from './doc.ts';

const HEAD = 1024;

/** By what its file begins with; of one that is not here, by what is known of it. */
export async function isPdf({ name, source, packed, kept }: Doc): Promise<boolean> {
  try {
    if (source) return (await source.slice(0, HEAD).text()).includes('%PDF-');
  } catch {
    // it cannot be read any more: its name tells
  }
  const format = (packed?.source ?? kept?.record?.source)?.format;
  return format ? format === 'pdf' : /\.pdf$/i.test(name);
}
