// The token of a proxy that serves this machine alone. `seam serve` prints an address with
// it, …/#token=…; from there it comes into this browser, stands in no address bar, and the
// next tab has it, too. The one that the proxy has taken stays until it takes another: an
// address that somebody else has written loses nothing.

import { proxy } from '../../lib/place.ts';
import { remember, remembered } from '../ground/remembered.ts';

/** The one that the proxy has taken. */
const TOKEN = 'seam-token';
/** The one that an address has given since. */
const GIVEN = 'seam-token.given';

const SIGN = '#token=';

/** Takes the token out of the address of this page. */
export function takeToken(): void {
  const { hash, pathname, search } = location;
  if (!proxy || !hash.startsWith(SIGN)) return;
  history.replaceState(history.state, '', pathname + search);
  remember(GIVEN, hash.slice(SIGN.length));
}

/** Those to try, in their order. The last is none: then the proxy lets the page in, or says where there is one. */
export function tokens(): string[] {
  return [...new Set([remembered(TOKEN), remembered(GIVEN)].filter((token) => /^\w{1,200}$/.test(token))), ''];
}

/** The proxy has taken it. */
export function tookToken(token: string): void {
  if (!token) return;
  remember(TOKEN, token);
  remember(GIVEN, '');
}
