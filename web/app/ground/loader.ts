// Loads a bundle by its hash.

import { SeamError } from '../../lib/seam-error.ts';
import { preload } from './preload.ts';
import { strings } from '../words/en/page.ts';

/** What it returns may be called ahead of time. After a failure the bundle is tried again. */
export function loader<Module>(file: string, integrity: string): () => Promise<Module> {
  let module: Promise<Module> | null = null;
  return () => {
    module ??= (preload(file, integrity) as Promise<Module>).catch(() => {
      module = null;
      throw new SeamError('internal', strings.partLost, file);
    });
    return module;
  };
}
