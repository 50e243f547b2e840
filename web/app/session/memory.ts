// State available before the database opens: whether documents are kept at all, whether
// there are any, and which one was shown last.

import { sealed } from '../../lib/place.ts';
import { remember, remembered } from '../ground/remembered.ts';

/** The sealed entry has its own choice, and keeps nothing by default. */
const CHOICE = sealed ? 'seam.keep.sealed' : 'seam.keep';
const FILES = `${CHOICE}.files`;
const SOME = 'seam.kept';
const LAST = 'seam.last';
/** The name of the database and of the folder with the files. */
export const DATABASE = 'seam-documents';

export const keeping = (): boolean => (remembered(CHOICE) || (sealed ? 'nothing' : 'all')) === 'all';
/** Whether the files that documents were read from are kept too. */
export const keepingFiles = (): boolean => keeping() && remembered(FILES) === '1';
export const setKeepingFiles = (on: boolean): void => remember(FILES, on ? '1' : '0');
/** Whether the user has said if files are kept. */
export const filesAnswered = (): boolean => remembered(FILES) !== '';
export const setKeeping = (on: boolean): void => remember(CHOICE, on ? 'all' : 'nothing');

/** Whether kept documents are listed; in the sealed entry, only if it keeps some. */
export const listing = (): boolean => !sealed || keeping();

/**
 * Reports whether there may be documents of an earlier visit. The note in storage is
 * checked first because it is available at once. It reaches the disk only after some
 * seconds, so after a browser was killed there may be a database without the note, or files
 * that were to be deleted after the database.
 */
export async function someKept(): Promise<boolean> {
  if (!listing()) return false;
  if (remembered(SOME)) return true;
  const all = (await globalThis.indexedDB?.databases?.().catch(() => [])) ?? [];
  return (
    all.some(({ name }) => name === DATABASE) ||
    (await navigator.storage
      ?.getDirectory?.()
      .then((folder) => folder.getDirectoryHandle(DATABASE))
      .then(
        () => true,
        () => false,
      ))
  );
}

/** Notes whether documents are kept. Without a database, notes that there are some. */
export async function tellKept(database?: { documents(): Promise<{ removed: number }[]> }): Promise<void> {
  const some = database ? (await database.documents()).some(({ removed }) => removed === 0) : true;
  remember(SOME, some ? '1' : '');
}

export const last = (): string => remembered(LAST);
export const setLast = (id: string): void => remember(LAST, id);
