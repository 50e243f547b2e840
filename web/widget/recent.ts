// The most recent searches in this browser.

import { node } from './parts.ts';
import type { Strings } from './strings.ts';

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

/** Returns a group of the list with the recent queries, and their lines. */
export function recentGroup(strings: Strings, recent: string[]): { group: HTMLElement; lines: HTMLElement[] } {
  const group = node('div', 'page');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', strings.recent);
  const head = node('span', 'heading');
  head.setAttribute('role', 'presentation');
  head.textContent = strings.recent;
  const lines = recent.map((query, i) => {
    const line = node('div', 'option again');
    line.id = `r${i}`;
    line.setAttribute('role', 'option');
    line.setAttribute('aria-selected', 'false');
    line.textContent = query;
    return line;
  });
  group.append(head, ...lines);
  return { group, lines };
}
