// The token of a proxy that serves this machine alone. `seam serve` prints an address with
// it, …/#token=…. The page stores it in the browser and removes it from the address bar, so
// other tabs can use it. The accepted token stays until the proxy accepts another. A token
// in someone else's address therefore replaces nothing.

import { local, proxy } from '../../lib/place.ts';
import { remember, remembered } from '../ground/remembered.ts';

/** The token accepted by the proxy. */
const TOKEN = 'seam-token';
/** The latest token from an address. */
const GIVEN = 'seam-token.given';

const SIGN = '#token=';

/** Moves the token from the page's address to storage. */
export function takeToken(): void {
  const { hash, pathname, search } = location;
  if (!(proxy || local) || !hash.startsWith(SIGN)) return;
  history.replaceState(history.state, '', pathname + search);
  remember(GIVEN, hash.slice(SIGN.length));
}

/**
 * Returns the tokens to try in order. The last is empty: then the proxy admits the page, or
 * says where to get a token.
 */
export function tokens(): string[] {
  return [...new Set([remembered(TOKEN), remembered(GIVEN)].filter((token) => /^\w{1,200}$/.test(token))), ''];
}

/** Stores a token that the proxy accepted. */
export function tookToken(token: string): void {
  if (!token) return;
  remember(TOKEN, token);
  remember(GIVEN, '');
}
