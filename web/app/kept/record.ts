// A document's record as it begins, and whether it is of the file that the document is of.

import type { Doc } from '../session/doc.ts';
import { digestOf } from '../session/twins.ts';
import type { KeptDocument } from '../session/kept-document.ts';

/** One that names no file yet. `leader` is the tab that makes its changes. */
export function recordOf({ name, size, own }: Doc, leader: string): KeptDocument {
  return {
    id: crypto.randomUUID(),
    name,
    size,
    digest: '',
    added: Date.now(),
    pages: 0,
    chunks: 0,
    file: '',
    bytes: 0,
    vectors: null,
    last: 0,
    log: null,
    own,
    removed: 0,
    leader,
  };
}

/** SHA-256 of the file that a document was read from, in hex; empty where it is not known. */
export async function digest({ source, packed, kept }: Doc): Promise<string> {
  return source ? digestOf(source) : (packed?.source.sha256 ?? kept?.record?.digest ?? '');
}

/** Whether another version of the file has been read since the record was written. */
export async function another(doc: Doc, record: KeptDocument): Promise<boolean> {
  return (doc.opened?.lost ?? null) !== null && doc.source !== null && record.digest !== (await digest(doc));
}
