// The service worker. On hosts that send no headers it adds the policy to every
// response, so that the page and its workers are bound by it; on all hosts it
// keeps the page's files, so that the page works offline.

export {}; // a module, so that its names are its own

declare const self: ServiceWorkerGlobalScope;

/** Put in by the build: web/build/sw.go. */
declare const __PAGE__: {
  version: string;
  files: Record<string, string>;
  /** The origin of a proxy, or nothing. */
  proxy: string;
  open: Binding;
  sealed: Binding;
};

interface Binding {
  policy: string;
  headers: [string, string][];
}

const page = __PAGE__;
const root = self.registration.scope;
// Caches belong to the whole origin, where others may have a Seam, too.
const ours = `seam ${root} `;
const current = ours + page.version;

// What is large: the programs and the model.
const isProgram = (name: string) => /\.(wasm|bin)/.test(name);
const isEntry = (name: string) => name === '' || name.endsWith('/');

// What the page itself needs. The new version waits until no page of the old
// one is open (nothing skips waiting): a page never meets files of another.
self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all(Object.keys(page.files).filter((name) => !isProgram(name)).map(async (name) => {
    const { ok, status } = await keep(name);
    if (!ok) throw new Error(`${name}: ${status}`);
  })));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== current);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

// Once its engine runs, a page asks for the programs to be kept in the form in
// which its host sends them: earlier, they would be in its way.
self.addEventListener('message', (event) => {
  const { keep: extension } = event.data as { keep?: string };
  const wanted = Object.keys(page.files).filter((name) => isProgram(name) && extension && (name.endsWith(extension) || name.endsWith('.bin')));
  event.waitUntil(Promise.all(wanted.map(async (name) => await kept(name) ?? keep(name))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (!request.url.startsWith(`${self.location.origin}/`)) {
    event.respondWith(elsewhere(event));
    return;
  }
  if (request.method !== 'GET' || !request.url.startsWith(root)) return;
  const name = new URL(request.url).href.slice(root.length).replace(/[?#].*$/, '').replace(/(^|\/)index\.html$/, '$1');
  event.respondWith(answer(request, name).then((response) => bind(response, name)));
});

/** A page that is not bound by the policy yet gets no further than one that is. */
async function elsewhere({ request, clientId }: FetchEvent): Promise<Response> {
  const asker = (await self.clients.get(clientId))?.url ?? '';
  const open = asker.startsWith(root) && !asker.startsWith(`${root}sealed/`);
  return open && page.proxy && request.url.startsWith(`${page.proxy}/`) ? fetch(request) : Response.error();
}

/** What changes is asked of the network first; what has its hash in its name is not. */
async function answer(request: Request, name: string): Promise<Response> {
  // What is asked for with its hash is kept by that: the tables of the PDF program.
  if (!(name in page.files)) return request.integrity ? await kept(name) ?? keep(name, request.integrity) : fetch(request);
  if (!isEntry(name)) return await kept(name) ?? keep(name);
  try {
    const response = await fetch(request);
    return response.status < 500 ? response : await kept(name) ?? response;
  } catch (offline) {
    const response = await kept(name);
    if (!response) throw offline;
    return response;
  }
}

async function kept(name: string): Promise<Response | undefined> {
  return (await caches.open(current)).match(root + name);
}

/** Only the very bytes that the build made are kept. */
async function keep(name: string, integrity = page.files[name] ?? ''): Promise<Response> {
  const cache: RequestCache = isEntry(name) ? 'no-cache' : 'default';
  const response = await fetch(root + name, { integrity, cache });
  if (response.ok) await (await caches.open(current)).put(root + name, response.clone());
  return response;
}

/** The response with the policy, unless it comes from a server that sets it. */
function bind(response: Response, name: string): Response {
  if (response.type !== 'basic' || response.headers.get('server-timing')?.includes('seam;desc="server"')) return response;
  const headers = new Headers(response.headers);
  const binding = name.startsWith('sealed/') ? page.sealed : page.open;
  for (const [header, value] of binding.headers) headers.set(header, value);
  // Added and not set: what the host demands beside it stays in force.
  headers.append('content-security-policy', binding.policy.replaceAll('{root}', root));
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
