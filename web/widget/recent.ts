// The most recent searches in this browser.

const key = 'seam-search:recent';
const most = 5;

export function recentOf(): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter((q): q is string => typeof q === 'string').slice(0, most) : [];
  } catch {
    return []; // storage is blocked, or another script has written there
  }
}

export function keepRecent(list: string[]): void {
  try {
    if (list.length) localStorage.setItem(key, JSON.stringify(list));
    else localStorage.removeItem(key);
  } catch {
    /* storage is blocked or full: nothing is remembered */
  }
}

export function remember(query: string): void {
  if (query) keepRecent([query, ...recentOf().filter((q) => q !== query)].slice(0, most));
}
