// Chromium has the names of the origin's files in a LevelDB. A browser that is killed
// between the two writes of an entry of its log leaves half an entry; the next visit goes
// on behind it, and the visit after that leaves out the rest of that block of the log:
// all files that the visit in between wrote would be gone.

import { folder, removeFile } from './keys.ts';

/** The longest name that file systems take, less room for a number. */
const NAME = '-'.repeat(240);
/** How many fill a block of 32 kB (https://github.com/google/leveldb/blob/main/doc/log_format.md): each was seen to add 1,070 bytes to the log. */
const NAMES = 40;

/** Fills the block that the log ends in with names that nobody misses, before files are written. */
export async function fillBlock(): Promise<void> {
  if (!('userAgentData' in navigator)) return; // no Chromium
  const files = await folder();
  for (let n = 0; n < NAMES; n++) {
    await files.getFileHandle(NAME + n, { create: true });
    await removeFile(NAME + n);
  }
}
