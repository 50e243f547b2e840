// The places of the passages of an answer, and the way to them.

import type { Hit } from '../../lib/api.ts';
import { focusOf } from '../../lib/snippet.ts';
import type { Place } from '../../lib/thread.ts';
import type { Search } from '../search/search.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';

export class Places {
  readonly #session: Session;
  readonly #search: Search;
  readonly #docs = new WeakMap<Place, Doc>();

  constructor(session: Session, search: Search) {
    this.#session = session;
    this.#search = search;
  }

  /** Returns the place of a hit and remembers its document. */
  of(hit: Hit): Place {
    const doc = this.#search.docOf(hit);
    const { name, start, end, marks, passage } = hit;
    const place = {
      kept: doc?.kept?.record?.id ?? '',
      name,
      page: this.#search.pageOf(hit),
      start,
      end,
      marks,
      passage,
      focus: focusOf(hit),
    };
    if (doc) this.#docs.set(place, doc);
    return place;
  }

  /** Shows a passage in its document, if that is open. */
  async follow(place: Place): Promise<void> {
    const doc =
      this.#docs.get(place) ??
      this.#session.docs.find(({ kept }) => place.kept !== '' && kept?.record?.id === place.kept);
    if (doc && this.#session.docs.includes(doc)) await this.#session.reveal({ doc, ...place });
  }
}
