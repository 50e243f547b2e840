// The source to search: the indexes of sites, or a collection behind a proxy.

import { Unavailable } from './files.ts';
import { Sites } from './sites.ts';

declare const __COLLECTION__: string;

export type Source = Pick<Sites, 'open' | 'meant' | 'search'>;

/** The attribute `collection` names a proxy, `index` an index. */
export function sourceOf(host: HTMLElement & { language: string }): Source {
  const [proxy, root] = [host.getAttribute('collection'), host.getAttribute('site') ?? undefined];
  if (!proxy)
    return new Sites(host.getAttribute('index') ?? './', host.getAttribute('weights') ?? '', host.language, root);
  const part = () =>
    (
      import(new URL(__COLLECTION__, import.meta.url).href) as Promise<typeof import('./collection/collection.ts')>
    ).then(
      ({ Collection }) => new Collection(proxy, host.getAttribute('token') ?? undefined, root),
      (cause: unknown) => {
        throw new Unavailable('network', { cause });
      },
    );
  let source: ReturnType<typeof part> | undefined;
  const opened = () => {
    source ??= part();
    source.catch(() => {
      source = undefined;
    });
    return source;
  };
  return {
    meant: false,
    open: () =>
      opened()
        .then((c) => c.open())
        .catch(ours),
    search: (query, options) =>
      opened()
        .then((c) => c.search(query, options))
        .catch(ours),
  };
}

/** Rethrows a failure of a separate script, which has its own copy of the class. */
function ours(cause: Partial<Unavailable>): never {
  throw new Unavailable(cause.kind ?? 'damaged', { cause });
}
