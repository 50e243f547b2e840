// The service worker. On hosts that send no headers it adds the policy to every
// response, so that the page and its workers are bound by it; on all hosts it
// keeps the page's files, so that the page works offline: see store.ts.

import { byServer, drop, fill, isEntry, keep, kept, list, missing, page, root, sweep } from './store.ts';

declare const self: ServiceWorkerGlobalScope;

// The first version brings the policy: that it could not keep all of its files
// makes it no worse. An update without all of them would take away what works.
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

// A new version waits until no page of the old one is open, or until a page asks
// for it: those of the old one go on with their own files.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    sweep()
      .catch(() => undefined)
      .then(() => self.clients.claim()),
  );
});

/** What other programs have shared, until the page that opens with it asks for it. */
const shared: FormDataEntryValue[] = [];

/** What a page can ask for, and is answered in any case: null where it failed. `keep` once its engine runs, as what is large would have been in its way before. */
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
  if (request.method === 'POST' && name === 'share') event.respondWith(share(request)); // as the manifest says
  if (request.method === 'GET') event.respondWith(answer(request, name).then((response) => bind(response, name)));
});

/** A page that is not bound by the policy yet gets no further than one that is. */
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
  // What is asked for with its hash is kept by that: what is large.
  const listed = request.integrity ? null : await list().catch(() => null);
  const integrity = request.integrity || (listed?.small[name] ?? listed?.seldom[name]);
  if (integrity) return keep(name, integrity);
  return isEntry(`${name}/`) ? fetch(request).catch(() => Response.redirect(`${root}${name}/`)) : fetch(request);
}

/**
 * A page comes from its host, with what this says of itself today. If it is
 * another version's there, or the host is gone, it is the kept one: a version is
 * used as a whole.
 */
async function entry(request: Request, name: string): Promise<Response> {
  const old = await kept(name);
  const now = await fetch(request).catch((offline: unknown) => {
    if (!old) throw offline;
    return null;
  });
  if (!old || !now) return old ? bind(old, name, 'offline') : (now as Response);
  if (now.type !== 'basic') return now; // another page is to be asked first
  if (now.ok && (await now.clone().text()) === (await old.clone().text())) return now;
  const complete = await missing().then(
    ({ length }) => length === 0,
    () => false,
  );
  return complete || now.status >= 500 ? old : now;
}

/** The response with the policy, unless it comes from a server that sets it; and with what else the page is to know. */
function bind(response: Response, name: string, more = ''): Response {
  const bound = response.type !== 'basic' || byServer(response);
  if (bound && !more) return response;
  const headers = new Headers(response.headers);
  if (!bound) {
    const binding = name.startsWith('sealed/') ? page.sealed : page.open;
    for (const [header, value] of binding.headers) headers.set(header, value);
    // Added and not set: what the host demands beside it stays in force.
    headers.append('content-security-policy', binding.policy.replaceAll('{root}', root));
  }
  if (more) headers.append('server-timing', more);
  const { status, statusText } = response;
  return new Response([204, 205, 304].includes(status) ? null : response.body, { status, statusText, headers });
}

// The counter on the page counts what is fetched here, too.
new PerformanceObserver((list) => {
  const requests = list.getEntries().map((entry) => entry.name);
  void self.clients.matchAll({ includeUncontrolled: true }).then((pages) => {
    for (const each of pages) if (each.url.startsWith(root)) each.postMessage({ requests });
  });
}).observe({ type: 'resource', buffered: true });
