// Loads a bundle and checks it against its hash.

import { SeamError } from '../../lib/seam-error.ts';
import { preload } from './preload.ts';
import { strings } from '../words/en/page.ts';

/**
 * Returns a function that loads the bundle. Calling it early preloads. After a failure, the
 * next call tries again.
 */
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
