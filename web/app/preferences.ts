// What the page remembers: settings only, never anything of a document.

import type { SearchMode } from '../lib/api.ts';

export interface Preferences {
  method: string;
  embedder: string;
  /** By method, as each gives the number another meaning. */
  settings: Record<string, number>;
  minTokens: number;
  maxTokens: number;
  overlap: number;
  /** What lengths are counted in; empty: the embedder's tokens. */
  unit: string;
  searchMode: SearchMode;
}

const KEY = 'seam.settings.1';

export const initial: Readonly<Preferences> = {
  method: '', embedder: '', settings: {}, minTokens: 0, maxTokens: 0, overlap: 0, unit: '', searchMode: 'hybrid',
};

/** Storage may be switched off, full, or hold what another version wrote. */
export function loadPreferences(): Preferences {
  const preferences = { ...initial, settings: {} };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    stored['settings'] ??= stored['thresholds']; // their name until 2026
    for (const [name, fallback] of Object.entries(initial)) {
      if (typeof stored[name] === typeof fallback && stored[name] !== null) Object.assign(preferences, { [name]: stored[name] });
    }
  } catch {
    return { ...initial, settings: {} };
  }
  return preferences;
}

export function savePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // They last until the page is closed, then.
  }
}
