// Where this page is, and who sees to its policy.

/** The folder of this entry: that of the page itself, or sealed/ below it. */
export const entry = new URL('.', document.baseURI).href;

/** The folder of all files; this script is in it. */
export const root = new URL('.', import.meta.url).href;

/** Who has set the policy of this page; null when nobody has. */
export function enforcedBy(): 'server' | 'worker' | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const who = navigation?.serverTiming?.find(({ name }) => name === 'seam')?.description;
  return who === 'server' || who === 'worker' ? who : null;
}
