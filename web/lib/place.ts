// The address of this page, and the enforcer of its policy.

/** Undefined in unit tests. */
const { document: page } = globalThis as { document?: Document };

/** The folder of this entry: the page's own, or sealed/ below it. */
export const entry = new URL('.', page?.baseURI ?? import.meta.url).href;

/** The folder of all files, which contains this script. */
export const root = new URL('.', import.meta.url).href;

/** Whether this is the sealed entry. */
export const sealed = entry !== root;

/** Returns an entry of Server-Timing, the only header of its own response that a page can read. */
function timing(wanted: string): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming?.find(({ name }) => name === wanted)?.description;
}

/** Returns who set the policy of this page, or null. */
export function enforcedBy(): 'server' | 'worker' | null {
  const who = timing('seam');
  return who === 'server' || who === 'worker' ? who : null;
}

/**
 * Whether the browser refuses to leave this page for another host: the sealed entry asks all
 * for that, and Chromium follows the header Connection-Allowlist of every policy.
 */
export const confined = sealed || (enforcedBy() !== null && /Chrom/.test(navigator.userAgent));

/** Whether the page came from the cache because its host did not answer. */
export const hostGone = timing('offline') !== undefined;

/**
 * The origin of the proxy: the page's own, or one set in the build. Null if there is none,
 * as for the sealed entry.
 */
export const proxy =
  root !== entry
    ? null
    : timing('proxy') !== undefined
      ? new URL(root).origin
      : (page?.querySelector<HTMLMetaElement>('meta[name=seam-proxy]')?.content ?? null);

/** Whether the server of this page looks for models on its machine when it is asked to. */
export const local = !sealed && timing('local') !== undefined;

/** The path for that, below the page's folder. */
export const LOCAL = 'v1/local';

/**
 * Reports whether the proxy has a collection to search. Null means that the proxy must be
 * asked.
 */
export const collectionHere = (): boolean | null => {
  const told = timing('proxy');
  return told === undefined ? null : told === 'collection';
};

/**
 * `pending`: the page must be reloaded once. `never`: impossible in this browser at this
 * address.
 */
export type PolicyState = 'server' | 'worker' | 'pending' | 'never';
