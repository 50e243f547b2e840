// Shows the results of a word search while a hosted model is asked for the vector of a
// question.

import type { EngineClient } from '../../lib/workers.ts';
import type { Search } from '../search/search.ts';

/**
 * The wait before they are shown. Most answers come sooner, and then the list changes only
 * once.
 */
const PATIENCE_MS = 700;

export function wordsFirst(search: Search, engine: EngineClient): void {
  search.early = (params, signal, found) => {
    if (!search.dear || search.atRemote || params.mode === 'keyword') return;
    setTimeout(() => {
      if (signal.aborted || search.state.kind !== 'busy') return;
      engine.call('search', { ...params, mode: 'keyword' }, { signal }).then(
        ({ result }) => {
          if (result.hits.length > 0) found(result);
        },
        () => undefined,
      );
    }, PATIENCE_MS);
  };
}
