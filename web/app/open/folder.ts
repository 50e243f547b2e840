// Collects the files in dropped folders, within limits: a home directory dropped by mistake
// must not block the page. Loaded with the first folder. It imports no code of the page, so
// the caller passes a function that selects readable files.

import type { LeftOut, NamedBlob } from '../../lib/named-blob.ts';

const MOST_FILES = 200;
const MOST_DEPTH = 8;
/** The most files and folders visited. */
const MOST_SEEN = 20_000;

/** Collects files up to a limit. */
class Basket {
  readonly #readable: (name: string) => boolean;
  readonly files: NamedBlob[] = [];
  readonly left: LeftOut = { unread: 0, broken: 0, hidden: false, beyond: 0, most: MOST_FILES, unseen: false };
  seen = 0;

  constructor(readable: (name: string) => boolean) {
    this.#readable = readable;
  }

  async offer(path: string, name: string, file: () => Promise<Blob>): Promise<void> {
    this.seen++;
    if (!this.#readable(name)) this.left.unread++;
    else if (this.files.length >= MOST_FILES) this.left.beyond++;
    else
      await file().then(
        (blob) => this.files.push({ name: path, blob }),
        () => this.left.broken++,
      );
  }
}

/**
 * Returns the dropped files. Files dropped directly are all taken, so that each gets its
 * own answer.
 */
export async function filesOf(
  entries: readonly FileSystemEntry[],
  readable: (name: string) => boolean,
): Promise<{ files: NamedBlob[]; left: LeftOut }> {
  const basket = new Basket(readable);
  for (const entry of entries) {
    if (!isFile(entry)) continue;
    await fileOf(entry).then(
      (blob) => basket.files.push({ name: entry.name, blob }),
      () => basket.left.broken++,
    );
  }
  for (const entry of entries) {
    if (isFolder(entry)) await walk(entry, entry.name, 1, basket);
  }
  return basket;
}

/** Does the same for a folder from the file dialog, which the browser has searched already. */
export async function pickedFiles(
  list: readonly File[],
  readable: (name: string) => boolean,
): Promise<{ files: NamedBlob[]; left: LeftOut }> {
  const basket = new Basket(readable);
  for (const file of list)
    await basket.offer(file.webkitRelativePath || file.name, file.name, () => Promise.resolve(file));
  return basket;
}

async function walk(folder: FileSystemDirectoryEntry, path: string, depth: number, basket: Basket): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => {
        basket.left.broken++;
        resolve([]);
      });
    });
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (basket.seen >= MOST_SEEN) basket.left.unseen = true;
      else if (isFile(entry)) await basket.offer(`${path}/${entry.name}`, entry.name, () => fileOf(entry));
      else if (!isFolder(entry)) continue;
      else if (entry.name.startsWith('.')) basket.left.hidden = true;
      else if (depth < MOST_DEPTH) await walk(entry, `${path}/${entry.name}`, depth + 1, basket);
      else basket.left.unseen = true;
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}
