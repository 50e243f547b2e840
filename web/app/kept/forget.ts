// Deletes files of kept documents that no record names any more.

import type { Doc } from '../session/doc.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { filesOf, type Database } from './database.ts';
import { removeFile } from './keys.ts';

/** Deletes files of an old record that the new one does not name. */
export async function forget(old: KeptDocument, next: KeptDocument | null): Promise<void> {
  const named = next ? filesOf(next) : [];
  const files = filesOf(old).filter((file) => !named.includes(file));
  await Promise.allSettled(files.map(removeFile)); // if that fails, the next visit deletes it
}

/** Deletes the original files of all documents. `changed` announces a record to other tabs. */
export async function dropOriginals(
  database: Database,
  docs: readonly Doc[],
  changed: (id: string) => void,
): Promise<void> {
  for (const before of await database.documents()) {
    if (!before.original) continue;
    await forget(before, { ...before, original: null }); // first, because a full disk has no room for a record
    const next = await database.change(before.id, (found) => {
      found.original = null;
    });
    if (!next) continue;
    const kept = docs.find((doc) => doc.kept?.record?.id === next.id)?.kept;
    if (kept) kept.record = next;
    changed(next.id);
  }
}
