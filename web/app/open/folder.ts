// Collects the files in dropped folders, within limits: a home directory dropped by mistake
// must not block the page. Loaded with the first folder. It imports no code of the page, so
// the caller passes a function that selects readable files.

import type { LeftOut, NamedBlob, Why } from '../../lib/named-blob.ts';

const MOST_FILES = 200;
const MOST_DEPTH = 8;
/** The most files left out that are listed by name. */
const MOST_NAMED = 500;
/** The most files and folders visited. */
const MOST_SEEN = 20_000;

/** Collects files up to a limit. */
class Basket {
  readonly #readable: (name: string) => boolean;
  readonly files: NamedBlob[] = [];
  readonly left: LeftOut = {
    unread: 0,
    broken: 0,
    hidden: false,
    beyond: 0,
    most: MOST_FILES,
    unseen: false,
    files: [],
    more: 0,
  };
  seen = 0;

  constructor(readable: (name: string) => boolean) {
    this.#readable = readable;
  }

  async offer(path: string, name: string, file: () => Promise<Blob>): Promise<void> {
    this.seen++;
    if (!this.#readable(name)) {
      this.left.unread++;
      this.leave(path, name.startsWith('.') ? 'hidden' : 'kind');
    } else if (this.files.length >= MOST_FILES) {
      this.left.beyond++;
      this.leave(path, 'beyond');
    } else await this.take(path, file());
  }

  take(path: string, file: Promise<Blob>): Promise<void> {
    return file.then(
      (blob) => void this.files.push({ name: path, blob }),
      () => this.broken(path),
    );
  }

  broken(path: string): void {
    this.left.broken++;
    this.leave(path, 'broken');
  }

  leave(path: string, why: Why): void {
    if (this.left.files.length < MOST_NAMED) this.left.files.push({ path, why });
    else this.left.more++;
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
    await basket.take(entry.name, fileOf(entry));
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
        basket.broken(path);
        resolve([]);
      });
    });
    if (entries.length === 0) return;
    for (const entry of entries) {
      const at = `${path}/${entry.name}`;
      if (basket.seen >= MOST_SEEN) {
        basket.left.unseen = true;
        basket.leave(at, 'many');
      } else if (isFile(entry)) await basket.offer(at, entry.name, () => fileOf(entry));
      else if (!isFolder(entry)) continue;
      else if (entry.name.startsWith('.')) {
        basket.left.hidden = true;
        basket.leave(at, 'hidden');
      } else if (depth < MOST_DEPTH) await walk(entry, at, depth + 1, basket);
      else {
        basket.left.unseen = true;
        basket.leave(at, 'deep');
      }
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
