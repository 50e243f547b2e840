// While a hosted model is asked for the vector of a question, what words alone find is shown.

import type { EngineClient } from '../../lib/workers.ts';
import type { Search } from '../search/search.ts';

/** So long an answer may take before that is shown: most come sooner, and nothing moves twice. */
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
