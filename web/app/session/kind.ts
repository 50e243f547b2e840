// The other views of a document in addition to its text, by its format in the table of formats.

import { HEAD, recognise } from '../../lib/formats.ts';
import type { Doc } from './doc.ts';

export type Kind = 'pdf' | 'html';

/** By the names of that table. An EPUB book consists of HTML pages. */
export const KINDS: Readonly<Partial<Record<string, Kind>>> = { pdf: 'pdf', html: 'html', epub: 'html' };

/** Returns null if there is only the text. */
export async function kindOf(doc: Doc): Promise<Kind | null> {
  return KINDS[await formatOf(doc)] ?? null;
}

/** The first bytes of each file. The views ask for them at each progress of any document. */
const heads = new WeakMap<Blob, Promise<ArrayBuffer>>();

function headOf(source: Blob): Promise<ArrayBuffer> {
  const head = heads.get(source) ?? source.slice(0, HEAD).arrayBuffer();
  heads.set(source, head);
  return head;
}

/**
 * Detects the format from the first bytes of the file. Without the file, uses its record,
 * or its name.
 */
async function formatOf({ name, source, packed, kept }: Doc): Promise<string> {
  try {
    if (source) return recognise(name, new Uint8Array(await headOf(source))).name;
  } catch {
    // the file can no longer be read
  }
  return (packed?.source ?? kept?.record?.source)?.format || recognise(name, new Uint8Array()).name;
}
