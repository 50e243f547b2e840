// A worker that copies files into the origin private file system in parts, and flushes each
// to the disk. A page cannot flush, and the engine would hold the whole file in memory.

/** A request to copy a file. */
export interface Copy {
  /** Unique to this copy. */
  id: number;
  folder: string;
  name: string;
  blob: Blob;
}

/** The result. `failed` is empty when the file is on the disk. */
export interface Copied {
  id: number;
  failed: string;
}

const PART = 4 << 20;

/** Types of APIs that exist only in workers. */
interface SyncAccessHandle {
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  getSize(): number;
  close(): void;
}

self.addEventListener('message', ({ data }: MessageEvent<Copy>) => {
  void copy(data)
    .then(
      () => '',
      (cause: unknown) => (cause instanceof Error && cause.message) || String(cause),
    )
    .then((failed) => self.postMessage({ id: data.id, failed } satisfies Copied));
});

async function copy({ folder, name, blob }: Copy): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const file = (await (
    await root.getDirectoryHandle(folder, { create: true })
  ).getFileHandle(name, { create: true })) as FileSystemFileHandle & {
    createSyncAccessHandle(): Promise<SyncAccessHandle>;
  };
  const handle = await file.createSyncAccessHandle();
  try {
    handle.truncate(0);
    for (let at = 0; at < blob.size; at += PART)
      handle.write(new Uint8Array(await blob.slice(at, at + PART).arrayBuffer()), { at });
    handle.flush();
    // When the disk is full, Chromium writes a part and reports that it has written
    // everything.
    if (handle.getSize() !== blob.size) throw new Error('there is no room left');
  } finally {
    handle.close();
  }
}
