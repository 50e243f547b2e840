// Cleans up after an interrupted visit, and restores records that the browser has lost.

import { copyOf } from './copies.ts';
import { filesOf, type Database } from './database.ts';
import { INDEXES, sweepIndexes } from './indexes.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { fileNames, keyFile, QUESTIONS, removeFile } from './keys.ts';
import type { Locks } from './locks.ts';

/** Returns all documents, including restored ones. */
export async function documentsOf(database: Database, locks: Locks): Promise<KeptDocument[]> {
  const there = await database.documents();
  if ((await database.lost(there)).length === 0) return there;
  await locks.alone(() => database.recover());
  return database.documents();
}

/**
 * Restores lost records. Then deletes files that no record names, and documents removed on
 * an earlier visit. Spares the documents open in other tabs.
 */
export async function sweep(locks: Locks, open: () => Promise<Database>): Promise<void> {
  await locks.alone(async (held) => {
    const database = await open();
    await database.recover();
    const all = await database.documents();
    const removed = all.filter((record) => record.removed > 0 && !held.includes(record.id));
    for (const { id } of removed) await database.delete(id);
    const records = all.filter((record) => !removed.includes(record));
    await database.copy(held);
    const ids = await database.ids();
    const unread = ids.filter((id) => !records.some((record) => record.id === id)); // with unknown files
    const retain = new Set(records.flatMap((record) => [keyFile(record.id), ...filesOf(record)]));
    await sweepIndexes(records.map(({ id }) => id));
    const spared = (name: string) =>
      retain.has(name) ||
      name === INDEXES ||
      [QUESTIONS, ...unread].some((prefix) => name.startsWith(prefix)) ||
      copyOf(name).some(({ id }) => ids.includes(id));
    const stray = (await fileNames()).filter((name) => !spared(name));
    await Promise.allSettled(stray.map(removeFile)); // a file opened by a dead page may stay until the next visit
  });
}
