// Loads what shows an open document, with the first one.
//
// It is a bundle by itself and no part of the page's: parts would share files
// with it that are needed from the start, and a part that is imported cannot be
// given a hash. This one is: it is preloaded with its hash, and the import then
// takes the module that is there.

import { SeamError } from '../lib/seam-error.ts';
import type { DocumentViews, Places } from './document-views.ts';
import { h } from './dom.ts';
import type { Session } from './session.ts';
import { strings } from './strings.ts';

declare const __VIEWS__: string;
declare const __VIEWS_INTEGRITY__: string;

type Module = { DocumentViews: new (session: Session, places: Places) => DocumentViews };

const url = new URL(__VIEWS__, import.meta.url).href;
let module: Promise<Module> | null = null;

/** May be called ahead of time; after a failure it tries again. */
export function loadViews(): Promise<Module> {
  module ??= preload().then(() => import(url) as Promise<Module>).catch((cause: unknown) => {
    module = null;
    throw new SeamError('internal', strings.viewsLost, SeamError.from(cause).message);
  });
  return module;
}

function preload(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = h('link', { rel: 'modulepreload', href: url, integrity: __VIEWS_INTEGRITY__ });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(new URL(url).pathname));
    });
    document.head.append(link);
  });
}
