// Files added to the page.

export interface NamedBlob {
  /** For text without a name: returns the nth generated name, so that no document is replaced. */
  name: string | ((n: number) => string);
  blob: Blob;
}

/** Why a file or folder was left out of a folder that was added. */
export type Why = 'kind' | 'hidden' | 'broken' | 'beyond' | 'deep' | 'many';

export interface LeftFile {
  /** Its path from the folder that was added. */
  path: string;
  why: Why;
}

/** Counts of files left out of a folder, to report, and their names. */
export interface LeftOut {
  /** Files of kinds that Seam does not read. */
  unread: number;
  /** Files and folders that could not be read. */
  broken: number;
  /** Whether hidden folders were skipped. */
  hidden: boolean;
  /** Files beyond the limit. */
  beyond: number;
  most: number;
  /** Whether folders were skipped because they were too deep or too many. */
  unseen: boolean;
  /** The files and folders left out by name, up to a limit. */
  files: LeftFile[];
  /** How many more were left out. */
  more: number;
}
