// Small things that the page knows on the next visit, where the browser keeps any.

/** What an address with settings has after itself. */
export const SIGN = '#settings=';
/** What is said of an address with settings, as long as nobody has dismissed it. */
export const FROM_ADDRESS = 'seam.from-address';

/** The thread of questions that a later visit goes on with. */
export const THREAD = 'seam.thread';

/** Compound questions are taken apart before they are answered. */
export const PARTS = 'seam.parts';

/** Who changes boundaries, as the list of changes names them. */
export const AUTHOR = 'seam.author';

/** What the browser would not keep: it holds for this visit, in all bundles. */
const held = ((globalThis as { seamHeld?: Map<string, string> }).seamHeld ??= new Map<string, string>());

export function remembered(key: string): string {
  try {
    return held.get(key) ?? localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** The empty value takes it away. */
export function remember(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
    held.delete(key);
  } catch {
    held.set(key, value);
  }
}
