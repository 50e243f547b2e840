// Where this page is, and who sees to its policy.

/** The folder of this entry: that of the page itself, or sealed/ below it. */
export const entry = new URL('.', document.baseURI).href;

/** The folder of all files; this script is in it. */
export const root = new URL('.', import.meta.url).href;

/** The only header of its own response that a page can see. */
function timing(wanted: string): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming?.find(({ name }) => name === wanted)?.description;
}

/** Who has set the policy of this page; null when nobody has. */
export function enforcedBy(): 'server' | 'worker' | null {
  const who = timing('seam');
  return who === 'server' || who === 'worker' ? who : null;
}

/** The page was kept, as its host has not answered. */
export const hostGone = timing('offline') !== undefined;

/** The origin of the proxy: the page's own, or one that it was built for; null where there is none, as for the sealed entry. */
export const proxy =
  root !== entry
    ? null
    : timing('proxy') !== undefined
      ? new URL(root).origin
      : (document.querySelector<HTMLMetaElement>('meta[name=seam-proxy]')?.content ?? null);

/** Whether that proxy has a collection to search; null: it is to be asked. */
export const collectionHere = (): boolean | null => {
  const told = timing('proxy');
  return told === undefined ? null : told === 'collection';
};

/** `pending`: the page has to be loaded once more. `never`: not in this browser at this address. */
export type PolicyState = 'server' | 'worker' | 'pending' | 'never';
