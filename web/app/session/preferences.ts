// The settings that the page remembers. They never contain anything from a document.

import type { SearchMode, View } from '../../lib/api.ts';
import { keyHere } from '../ground/remembered.ts';

export interface Preferences {
  method: string;
  embedder: string;
  /** By method, because the number means something else for each. */
  settings: Record<string, number>;
  minTokens: number;
  maxTokens: number;
  overlap: number;
  /** The unit of lengths; empty means the embedder's tokens. */
  unit: string;
  /** The order of the text; empty means the method's own. */
  view: View | '';
  /** Whether the titles of document and section precede each chunk for embedding. */
  headers: boolean;
  searchMode: SearchMode;
}

const KEY = 'seam.settings.1';

export const initial: Readonly<Preferences> = {
  method: '',
  embedder: '',
  settings: {},
  minTokens: 0,
  maxTokens: 0,
  overlap: 0,
  unit: '',
  view: '',
  headers: false,
  searchMode: 'hybrid',
};

/** The values this tab last read or wrote. Differences from them were made here. */
let known: Preferences = { ...initial, settings: {} };

/** Storage may be switched off, full, or written by another version. */
export function loadPreferences(): Preferences {
  const preferences = stored();
  known = structuredClone(preferences);
  return preferences;
}

function stored(): Preferences {
  const preferences = { ...initial, settings: {} };
  try {
    const found = JSON.parse(localStorage.getItem(keyHere(KEY)) ?? '{}') as Record<string, unknown>;
    found['settings'] ??= found['thresholds']; // their names until 2026
    for (const [name, fallback] of Object.entries(initial)) {
      if (typeof found[name] === typeof fallback && found[name] !== null)
        Object.assign(preferences, { [name]: found[name] });
    }
  } catch {
    return { ...initial, settings: {} };
  }
  return preferences;
}

/**
 * Writes only the values changed in this tab, because another tab may have changed others
 * since.
 */
export function savePreferences(preferences: Preferences): void {
  const { settings, ...rest } = preferences;
  const all = stored();
  Object.assign(
    all,
    Object.fromEntries(Object.entries(rest).filter(([name, value]) => value !== known[name as keyof Preferences])),
  );
  for (const method of new Set([...Object.keys(settings), ...Object.keys(known.settings)])) {
    const value = settings[method];
    if (value === known.settings[method]) continue;
    if (value === undefined) delete all.settings[method];
    else all.settings[method] = value;
  }
  known = structuredClone(preferences);
  try {
    localStorage.setItem(keyHere(KEY), JSON.stringify(all));
  } catch {
    // then they last until the page is closed
  }
}
