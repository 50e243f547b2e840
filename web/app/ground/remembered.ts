// Small values kept between visits, if the browser allows storage. The sealed entry has its own.

import { sealed } from '../../lib/place.ts';

/** Marks settings in an address. */
export const SIGN = '#settings=';
/** The notice about an address with settings, until it is dismissed. */
export const FROM_ADDRESS = 'seam.from-address';

/** The thread of questions that a later visit continues. */
export const THREAD = 'seam.thread';

/** The models on this machine that may be loaded while a question is typed, as JSON. */
export const WARM = 'seam.warm';
/** Whether compound questions are split before they are answered. */
export const PARTS = 'seam.parts';

/** Whether passages are shown before each question is sent. */
export const SEES = 'seam.sees';

/** Set if passages are sent without a line that says where they come from. */
export const UNNAMED = 'seam.unnamed';

/** The name for the list of changes by hand. */
export const AUTHOR = 'seam.author';

/** Values that the browser would not store. All bundles share them during this visit. */
const held = ((globalThis as { seamHeld?: Map<string, string> }).seamHeld ??= new Map<string, string>());

/** Values about the kept documents: both entries have the same database. */
const OF_BOTH = /^seam\.(keep|kept$|last$)/;

/** Returns the name under which this entry stores a value. */
export const keyHere = (key: string): string => (sealed && !OF_BOTH.test(key) ? `${key}.sealed` : key);

export function remembered(name: string): string {
  const key = keyHere(name);
  try {
    return held.get(key) ?? localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a value; an empty one deletes it. */
export function remember(name: string, value: string): void {
  const key = keyHere(name);
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
    held.delete(key);
  } catch {
    held.set(key, value);
  }
}
