// Works around a loss of files in Chromium, which keeps file names in a LevelDB per origin.
// A browser killed between the two writes of a log entry leaves half an entry. The next
// visit appends to it, and the visit after that skips the rest of that block of the log.
// All files written in between would be lost.

import { folder, removeFile } from './keys.ts';

/** The longest name that file systems accept, with room for a number. */
const NAME = '-'.repeat(240);
/**
 * Enough names to fill a block of 32 kB
 * (https://github.com/google/leveldb/blob/main/doc/log_format.md). Each was observed to add
 * 1,070 bytes to the log.
 */
const NAMES = 40;

/** Fills the last block of the log with throwaway names before files are written. */
export async function fillBlock(): Promise<void> {
  if (!('userAgentData' in navigator)) return; // not Chromium
  const files = await folder();
  for (let n = 0; n < NAMES; n++) {
    await files.getFileHandle(NAME + n, { create: true });
    await removeFile(NAME + n);
  }
}
