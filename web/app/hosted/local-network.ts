// Browsers that ask before a page of the web may reach this machine or its network: Chromium,
// for requests since version 142 and for websockets since 147. Elsewhere nothing is asked.

const names = ['loopback-network', 'local-network', 'local-network-access'];

/** Whether a host is this machine or on a private network, by its name or address. */
export function isNear(host: string): boolean {
  return (
    /^(localhost|.*\.(localhost|local|lan|internal|home\.arpa))$/.test(host) ||
    /^(127|10)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(host) ||
    /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/.test(host)
  );
}

/** Returns whether the user has allowed it; undefined if the browser does not ask. */
async function allowed(): Promise<boolean | undefined> {
  for (const name of names) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state === 'granted';
    } catch {
      /* not a name of this browser */
    }
  }
  return undefined;
}

/**
 * Reports whether the browser keeps this page from a proxy until the user allows it: the page
 * is of the web, the proxy is near, and it has not been allowed.
 */
export async function mustAllow(proxy: string): Promise<boolean> {
  return isNear(new URL(proxy).hostname) && !isNear(location.hostname) && (await allowed()) === false;
}
