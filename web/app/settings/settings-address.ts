// Writes settings as the fragment of an address, and reads them. It holds those that differ
// from the defaults or were set, nothing of a document, and no embedder, because a hosted
// one would send text. An address is untrusted, so every value is checked.

import type { Hello, Method, SearchMode, View } from '../../lib/api.ts';
import { initial, type Preferences } from '../session/preferences.ts';
import { strings } from '../words/en/page.ts';

/** The parts of the engine's offer that settings name. */
export type Offer = Pick<Hello, 'methods' | 'defaults'>;

/** Fragments longer than this were not written by the page. */
export const MOST_CHARACTERS = 1000;
/** The greatest length. */
const MOST = 1_000_000;
const LENGTHS = ['minTokens', 'maxTokens', 'overlap'] as const;
const MODES: readonly string[] = ['hybrid', 'dense', 'keyword'] satisfies SearchMode[];
const VIEWS: readonly string[] = ['reading', 'content'] satisfies View[];

export interface Read {
  /** The preferences that it sets; null if nothing was understood. */
  change: Omit<Preferences, 'embedder'> | null;
  /** The parts not understood, shortened and without invisible characters. */
  unknown: string[];
}

/**
 * Writes the settings in use. Without `all`, writes only those that affect the chunks: no
 * search mode, and no number equal to the method's default. With `all`, a number that the
 * user has set is always written, because without one the page may choose another.
 */
export function settingsText(preferences: Preferences, offer: Offer, all = true): string {
  const method = methodOf(offer, preferences.method);
  const parts = new URLSearchParams();
  if (method && method.name !== offer.defaults.method) parts.set('method', method.name);
  const setting = method && preferences.settings[method.name];
  if (method?.setting && setting !== undefined && (all || setting !== method.setting.default))
    parts.set('setting', String(setting));
  for (const name of LENGTHS) {
    const takes = name === 'minTokens' ? method?.takesMin : name === 'overlap' ? method?.takesOverlap : true;
    if (takes && preferences[name] > 0) parts.set(name, String(preferences[name]));
  }
  if (preferences.unit) parts.set('unit', preferences.unit);
  if (preferences.view && preferences.view !== method?.view) parts.set('view', preferences.view);
  if (preferences.headers) parts.set('headers', '1');
  if (all && preferences.searchMode !== initial.searchMode) parts.set('search', preferences.searchMode);
  return parts.toString();
}

/**
 * Reads settings. Parts that are missing get their defaults. Parts not understood keep
 * their value in `mine`.
 */
export function readSettings(text: string, offer: Offer, mine: Preferences): Read {
  const pairs = [...new URLSearchParams(text)];
  const given = new Map(pairs.toReversed()); // the first value of a name counts
  const change = { ...initial, settings: { ...mine.settings } };
  const good = new Set<string>();
  for (const [name, read] of Object.entries(
    readersOf(offer, change, () => given.has('method') && !good.has('method')),
  )) {
    const value = given.get(name);
    if (value === undefined) continue;
    if (read(value)) good.add(name);
    else keep(change, mine, name);
  }
  const method = methodOf(offer, change.method);
  if (method && !given.has('setting') && (good.has('method') || !given.has('method')))
    delete change.settings[method.name];
  const { embedder, ...rest } = change;
  const unknown = pairs.filter(([name], i) => !good.has(name) || pairs.findIndex(([other]) => other === name) < i);
  return {
    change: good.size > 0 || pairs.length === 0 ? rest : null,
    unknown: unknown.map(([name, value]) => shortened(name, value)),
  };
}

/**
 * Returns a reader for each name in an address. A reader sets its value, or returns false.
 * The method comes first because the number depends on it.
 */
function readersOf(
  offer: Offer,
  change: Preferences,
  anotherMethod: () => boolean,
): Record<string, (value: string) => boolean> {
  const set = <K extends keyof Preferences>(key: K, value: Preferences[K], good: boolean) => {
    if (good) change[key] = value;
    return good;
  };
  const length = (key: (typeof LENGTHS)[number]) => (value: string) =>
    set(key, Number(value), /^\d{1,7}$/.test(value) && Number(value) <= MOST);
  return {
    method: (value) =>
      set(
        'method',
        value,
        offer.methods.some(({ name }) => name === value),
      ),
    setting: (value) => {
      const method = methodOf(offer, change.method);
      const number = /^\d{1,6}(\.\d{1,20})?$/.test(value) ? Number(value) : NaN;
      if (anotherMethod() || !method?.setting || !(number >= method.setting.min && number <= method.setting.max))
        return false;
      change.settings[method.name] = number;
      return true;
    },
    minTokens: length('minTokens'),
    maxTokens: length('maxTokens'),
    overlap: length('overlap'),
    unit: (value) => set('unit', value, Object.hasOwn(strings.settings.units, value)),
    view: (value) => set('view', value as View, VIEWS.includes(value)),
    headers: (value) => set('headers', value === '1', /^[01]$/.test(value)),
    search: (value) => set('searchMode', value as SearchMode, MODES.includes(value)),
  };
}

/** Keeps the value of a part that was not understood. */
function keep(change: Preferences, mine: Preferences, name: string): void {
  const key = name === 'search' ? 'searchMode' : name;
  if (Object.hasOwn(initial, key)) Object.assign(change, { [key]: mine[key as keyof Preferences] });
}

function methodOf({ methods, defaults }: Offer, name: string): Method | undefined {
  return methods.find((method) => method.name === name) ?? methods.find((method) => method.name === defaults.method);
}

/** Returns a part for display, without characters that are invisible or reorder text. */
function shortened(name: string, value: string): string {
  const plain = `${name}${value ? `=${value}` : ''}`.replace(/[\p{C}\p{Z}\ufffd]+/gu, ' ').trim();
  const all = [...plain];
  return all.length > 32 ? `${all.slice(0, 30).join('')}…` : plain || '?';
}
