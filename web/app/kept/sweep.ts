// What a visit that was ended in the middle has left behind.

import { filesOf, type Database } from './database.ts';
import { fileNames, keyFile, QUESTIONS, removeFile } from './keys.ts';
import type { Locks } from './locks.ts';

/** Deletes files that no record names, and what was removed on an earlier visit; spares what other tabs are at. */
export async function sweep(locks: Locks, open: () => Promise<Database>): Promise<void> {
  await locks.alone(async (held) => {
    const database = await open();
    for (const { id, removed } of await database.documents()) if (removed > 0 && !held.includes(id)) await database.delete(id);
    const [ids, records] = [await database.ids(), await database.documents()];
    const unread = ids.filter((id) => !records.some((record) => record.id === id)); // whose files nobody knows
    const retain = new Set(records.flatMap((record) => [keyFile(record.id), ...filesOf(record)]));
    const stray = (await fileNames()).filter((name) => !retain.has(name) && ![QUESTIONS, ...unread].some((prefix) => name.startsWith(prefix)));
    await Promise.allSettled(stray.map(removeFile)); // one that a dead page had open may not go before the next visit
  });
}
