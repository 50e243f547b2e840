// The service worker. If the host sends no headers, it adds the policy to every response,
// which binds the page and its workers. On all hosts it stores the page's files, so that
// the page works offline: see store.ts.

import { byServer, drop, fill, isEntry, keep, kept, list, missing, page, root, sweep } from './store.ts';

declare const self: ServiceWorkerGlobalScope;

// The first version brings the policy, so it is installed even if some files are missing.
// An incomplete update would break offline use, so it is refused.
self.addEventListener('install', (event) => {
  const update = self.registration.active !== null;
  event.waitUntil(
    fill(update)
      .then((left) => {
        if (update && left.length > 0) throw new Error(`not there: ${left[0]?.[0]}`);
      })
      .catch(async (cause: unknown) => {
        await drop();
        throw cause;
      }),
  );
});

// A new version waits until no page of the old one is open, or until a page asks for it.
// Pages of the old version continue with their own files.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    sweep()
      .catch(() => undefined)
      .then(() => self.clients.claim()),
  );
});

/** Content shared by other programs, until the opened page asks for it. */
const shared: FormDataEntryValue[] = [];

/**
 * The questions that a page can ask. It always gets an answer, which is null after a
 * failure. `keep` is asked once its engine runs, because large downloads would delay that.
 */
const asked: Record<string, () => unknown> = {
  keep: () =>
    fill(true)
      .catch(() => undefined)
      .then(sweep),
  missing: async () => (await missing()).length,
  shared: () => shared.splice(0),
  take: () => self.skipWaiting(),
};

self.addEventListener('message', (event) => {
  event.waitUntil(
    (async () => {
      const answer = await Promise.resolve(asked[event.data as string]?.()).catch(() => null);
      event.ports[0]?.postMessage(answer);
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (!request.url.startsWith(`${self.location.origin}/`)) {
    event.respondWith(elsewhere(event));
    return;
  }
  if (!request.url.startsWith(root)) return;
  const name = new URL(request.url).href
    .slice(root.length)
    .replace(/[?#].*$/, '')
    .replace(/(^|\/)index\.html$/, '$1');
  if (request.method === 'POST' && name === 'share') event.respondWith(share(request)); // as in the manifest
  if (request.method === 'GET') event.respondWith(answer(request, name).then((response) => bind(response, name)));
});

/** Handles requests to other origins as the policy would, for pages not bound by it so far. */
async function elsewhere({ request, clientId }: FetchEvent): Promise<Response> {
  const asker = (await self.clients.get(clientId))?.url ?? '';
  const open = asker.startsWith(root) && !asker.startsWith(`${root}sealed/`);
  return open && page.proxy && request.url.startsWith(`${page.proxy}/`) ? fetch(request) : Response.error();
}

async function share(request: Request): Promise<Response> {
  for (const [, value] of await request.formData()) shared.push(value);
  return Response.redirect(`${root}?shared`, 303);
}

async function answer(request: Request, name: string): Promise<Response> {
  if (isEntry(name)) return entry(request, name);
  const there = await kept(name);
  if (there) return there;
  // Files requested with their hash are stored under it; these are the large ones.
  const listed = request.integrity ? null : await list().catch(() => null);
  const integrity = request.integrity || (listed?.small[name] ?? listed?.seldom[name]);
  if (integrity) return keep(name, integrity);
  return isEntry(`${name}/`) ? fetch(request).catch(() => Response.redirect(`${root}${name}/`)) : fetch(request);
}

/**
 * Returns a page from its host, with current information. If the host has another version's
 * page or does not answer, the stored page is used, because the files of a version belong
 * together.
 */
async function entry(request: Request, name: string): Promise<Response> {
  const old = await kept(name);
  const now = await fetch(request).catch((offline: unknown) => {
    if (!old) throw offline;
    return null;
  });
  if (!old || !now) return old ? bind(old, name, 'offline') : (now as Response);
  if (now.type !== 'basic') return now; // a redirect to another page
  if (now.ok && (await now.clone().text()) === (await old.clone().text())) return now;
  const complete = await missing().then(
    ({ length }) => length === 0,
    () => false,
  );
  return complete || now.status >= 500 ? old : now;
}

/**
 * Returns the response with the policy, unless a server sets it, and with further
 * information for the page.
 */
function bind(response: Response, name: string, more = ''): Response {
  const bound = response.type !== 'basic' || byServer(response);
  if (bound && !more) return response;
  const headers = new Headers(response.headers);
  if (!bound) {
    const binding = name.startsWith('sealed/') ? page.sealed : page.open;
    for (const [header, value] of binding.headers) headers.set(header, value);
    // Appended, so that the host's own policy stays in force.
    headers.append('content-security-policy', binding.policy.replaceAll('{root}', root));
  }
  if (more) headers.append('server-timing', more);
  const { status, statusText } = response;
  return new Response([204, 205, 304].includes(status) ? null : response.body, { status, statusText, headers });
}

// Reports requests made here to the counter on the page.
new PerformanceObserver((list) => {
  const requests = list.getEntries().map((entry) => entry.name);
  void self.clients.matchAll({ includeUncontrolled: true }).then((pages) => {
    for (const each of pages) if (each.url.startsWith(root)) each.postMessage({ requests });
  });
}).observe({ type: 'resource', buffered: true });
