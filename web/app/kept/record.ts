// Creates a document's record, and compares it with the document's current file.

import type { Doc } from '../session/doc.ts';
import { digest } from '../session/twins.ts';
import type { KeptDocument } from '../session/kept-document.ts';

/** Returns a record without files. `leader` is the ID of the tab that makes its changes. */
export function recordOf({ name, size, own, tags, asked }: Doc, leader: string): KeptDocument {
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
    ...(tags.length > 0 && { tags }),
    ...(asked.length > 0 && { asked }),
    removed: 0,
    leader,
  };
}

/** Reports whether another version of the file has been read since the record was written. */
export async function another(doc: Doc, record: KeptDocument): Promise<boolean> {
  return (doc.opened?.lost ?? null) !== null && doc.source !== null && record.digest !== (await digest(doc));
}
