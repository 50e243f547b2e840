// How a document can be shown otherwise than as a text: by its format, which the table of formats tells.

import { HEAD, recognise } from '../../lib/formats.ts';
import type { Doc } from './doc.ts';

export type Kind = 'pdf' | 'html';

/** By the names of the table. A book is pages of HTML. */
export const KINDS: Readonly<Partial<Record<string, Kind>>> = { pdf: 'pdf', html: 'html', epub: 'html' };

/** Null: there is nothing but its text. */
export async function kindOf(doc: Doc): Promise<Kind | null> {
  return KINDS[await formatOf(doc)] ?? null;
}

/** By what its file begins with; of one that is not here, by what is known of it, or by its name. */
async function formatOf({ name, source, packed, kept }: Doc): Promise<string> {
  try {
    if (source) return recognise(name, new Uint8Array(await source.slice(0, HEAD).arrayBuffer())).name;
  } catch {
    // it cannot be read any more
  }
  return (packed?.source ?? kept?.record?.source)?.format || recognise(name, new Uint8Array()).name;
}
