// Small values kept between visits, if the browser allows storage.

/** Marks settings in an address. */
export const SIGN = '#settings=';
/** The notice about an address with settings, until it is dismissed. */
export const FROM_ADDRESS = 'seam.from-address';

/** The thread of questions that a later visit continues. */
export const THREAD = 'seam.thread';

/** Whether compound questions are split before they are answered. */
export const PARTS = 'seam.parts';

/** Whether passages are shown before each question is sent. */
export const SEES = 'seam.sees';

/** The name for the list of changes by hand. */
export const AUTHOR = 'seam.author';

/** Values that the browser would not store. All bundles share them during this visit. */
const held = ((globalThis as { seamHeld?: Map<string, string> }).seamHeld ??= new Map<string, string>());

export function remembered(key: string): string {
  try {
    return held.get(key) ?? localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a value; an empty one deletes it. */
export function remember(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
    held.delete(key);
  } catch {
    held.set(key, value);
  }
}
