// How much of the browser's storage the page uses.

/**
 * Chromium reports this much above the usage instead of the real limit, so that a page
 * cannot learn the size of the disk.
 */
const MADE_UP = 10 * 2 ** 30;

export interface StorageUse {
  /** Bytes. */
  used: number;
  /** Bytes that the browser grants, or 0 if it does not say. */
  granted: number;
}

export async function storageUse(): Promise<StorageUse> {
  const { usage: used = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return { used, granted: quota - used === MADE_UP ? 0 : quota };
}
