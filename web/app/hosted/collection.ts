// Searches the collection of the proxy, held in a search engine, in place of the open
// documents if the user chooses it. Does not use the DOM.

import type { Found, SearchMode } from '../../lib/api.ts';
import { collectionHere } from '../../lib/place.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Hosted } from './hosted.ts';
import type { RemoteSearch, Search, Vector } from '../search/search.ts';
import { explainHosted, hosted as words } from '../words/en/hosted.ts';

const HITS = 20;

export class Collection implements RemoteSearch {
  readonly #engine: EngineClient;
  readonly #hosted: Hosted;

  constructor(engine: EngineClient, hosted: Hosted, search: Search) {
    this.#engine = engine;
    this.#hosted = hosted;
    if (collectionHere() !== false) search.remote = this;
    hosted.on('connected', () => {
      search.remote = hosted.terms.collection ? this : null;
    });
  }

  get label(): string {
    const {
      terms: { collection },
      host,
    } = this.#hosted;
    return words.collection.label(collection?.name ?? '', host);
  }

  get hint(): string {
    return words.collection.hint(this.#hosted.host);
  }

  /** Sends a query. Call it only on the user's request. */
  async find(query: string, mode: SearchMode, signal: AbortSignal, known?: Vector): Promise<Found> {
    if (known && known.encoder !== this.#hosted.terms.collection?.embedder) throw new SeamError('bad-request', ''); // the result would be the same
    try {
      await this.#hosted.connect();
      if (!this.#hosted.terms.collection) throw new SeamError('bad-request', words.collection.none(this.#hosted.host));
      const { encoder = '', vector } = known ?? {};
      return (
        await this.#engine.call(
          'collection',
          { query, k: HITS, mode, encoder },
          { signal, blobs: vector ? [vector] : [] },
        )
      ).result;
    } catch (cause) {
      const error = SeamError.from(cause);
      if (error.cancelled) throw error;
      const { message, hint } = explainHosted(error);
      throw new SeamError(error.code, message, hint);
    }
  }
}
