// Files as they are given to the page.

export interface NamedBlob {
  /** Of a text without one, what the nth of its kind is called: it takes the place of no other. */
  name: string | ((n: number) => string);
  blob: Blob;
}

/** What was left out of a folder, for people. */
export interface LeftOut {
  /** Of a kind that Seam does not read. */
  unread: number;
  /** Beyond the most that are opened. */
  beyond: number;
  most: number;
  /** Folders too deep, or too many, were not looked into. */
  unseen: boolean;
}
