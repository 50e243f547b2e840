// A worker that copies files into the origin private file system, a part at a time, and
// has each flushed to the disk. A page cannot flush, and the engine would have the whole
// file in its memory.

/** What a worker is asked to copy, and where to. */
export interface Copy {
  /** Of this copy alone. */
  id: number;
  folder: string;
  name: string;
  blob: Blob;
}

/** What came of it. `failed` is empty when the file is on the disk. */
export interface Copied {
  id: number;
  failed: string;
}

const PART = 4 << 20;

/** What only a worker has, and its types. */
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
    // Chromium writes what there is room for, and says that it has written all.
    if (handle.getSize() !== blob.size) throw new Error('there is no room left');
  } finally {
    handle.close();
  }
}
