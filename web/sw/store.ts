// The files that the service worker stores: a cache for each version, so that the files of
// a version stay together. An old version is stored as long as a page of it is open.

declare const self: ServiceWorkerGlobalScope;

/** Set by the build: web/build/sw.go. */
declare const __PAGE__: {
  version: string;
  /** The file that lists all others, and its integrity. */
  list: string;
  integrity: string;
  /** The origin of a proxy, or empty. */
  proxy: string;
  open: Binding;
  sealed: Binding;
};

interface Binding {
  policy: string;
  headers: [string, string][];
}

type Named = [name: string, integrity: string];

export const page = __PAGE__;
export const root = self.registration.scope;
// Caches belong to the whole origin, which may have other installations of Seam.
const ours = `seam ${root} `;
const current = ours + page.version;

/** The two pages by their folders. All other names have a hash. */
export const isEntry = (name: string) => name === '' || name === 'sealed/';
export const byServer = ({ headers }: Response) =>
  headers.get('server-timing')?.includes('seam;desc="server"') ?? false;

let listed: Promise<Record<'small' | 'large' | 'seldom', Record<string, string>>> | null = null;

/**
 * Returns the integrity of each file: small ones that the page needs, large ones for the
 * programs, and those seldom needed.
 */
export function list(): NonNullable<typeof listed> {
  listed ??= keep(page.list, page.integrity).then((response) => response.json());
  listed.catch(() => {
    listed = null;
  }); // the next call tries again
  return listed;
}

export function kept(name: string): Promise<Response | undefined> {
  return caches.match(root + name, isEntry(name) ? { cacheName: current } : {});
}

/**
 * Returns a file and stores it. Rejects if it differs from the build. The caches of other
 * versions may have it too.
 */
export async function keep(name: string, integrity: string): Promise<Response> {
  const response =
    (isEntry(name) ? null : await kept(name)) ??
    (await fetch(root + name, { integrity, cache: isEntry(name) ? 'no-cache' : 'default' }));
  // If there is no room, the page works as long as its host does.
  if (response.ok) await (await caches.open(current)).put(root + name, response.clone()).catch(() => undefined);
  return response;
}

const small = async (): Promise<Named[]> => Object.entries((await list()).small);

/**
 * Returns the large files: the programs in the form that the host sends, the model, tables,
 * and those seldom-needed files that were used.
 */
async function large(): Promise<Named[]> {
  const { large: often, seldom } = await list();
  const all = Object.entries(often);
  const index = await kept('');
  const packed = !(index && byServer(index)) && all.some(([name]) => name.endsWith('.gz'));
  const there = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  const used = (name: string) => there.flat().some(({ url }) => url.startsWith(root + name.replace(/-.*/, '-')));
  return [
    ...all.filter(([name]) => !name.includes('.wasm') || name.endsWith('.gz') === packed),
    ...Object.entries(seldom).filter(([name]) => used(name)),
  ];
}

/** Returns the files of this version that are not stored. */
export async function missing(lists = [small, large]): Promise<Named[]> {
  const there = new Set((await (await caches.open(current)).keys()).map(({ url }) => url));
  const wanted = await Promise.all(lists.map((each) => each()));
  return wanted.flat().filter(([name]) => !there.has(root + name));
}

/**
 * Stores missing files, large ones last, and returns those still missing. Rejects if a file
 * differs from the build.
 */
export async function fill(all: boolean): Promise<Named[]> {
  for (const each of all ? [small, large] : [small]) {
    const results = await Promise.allSettled((await missing([each])).map((one) => keep(...one)));
    const wrong = results.find(({ status }) => status === 'rejected');
    if (wrong) throw (wrong as PromiseRejectedResult).reason;
  }
  return missing();
}

/** Deletes all files of this version. */
export function drop(): Promise<boolean> {
  return caches.delete(current);
}

/**
 * Deletes the files of other versions without open pages. Each page holds a lock with the
 * address of its script.
 */
export async function sweep(): Promise<void> {
  if (self.registration.waiting || self.registration.installing) return; // the files may be theirs
  const pages = (await self.clients.matchAll({ includeUncontrolled: true })).filter(({ url }) => url.startsWith(root));
  const scripts = ((await navigator.locks.query()).held ?? []).flatMap(({ name = '' }) =>
    name.startsWith(root) ? [name] : [],
  );
  if (scripts.length < pages.length) return; // a page has not announced its version so far
  const own = (await list()).small;
  const old = scripts.filter((script) => !(script.slice(root.length) in own));
  for (const name of await caches.keys()) {
    if (!name.startsWith(ours) || name === current) continue;
    const cache = await caches.open(name);
    if (!(await Promise.all(old.map((script) => cache.match(script)))).some(Boolean)) await caches.delete(name);
  }
}
