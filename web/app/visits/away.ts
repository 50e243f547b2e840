// Handles a missing network or page host: greys out unavailable choices with the reason,
// and shows how much of the page works offline.

import { HOSTED } from '../../lib/api.ts';
import { root } from '../../lib/place.ts';
import { button, h, setText } from '../ground/dom.ts';
import { CONNECT } from '../session/reach.ts';
import { ask, hostAnswers, keptNames } from '../policy/service.ts';
import { visits as words } from '../words/en/visits.ts';
import type { VisitPlaces } from './visit-places.ts';

export class Away {
  readonly #places: VisitPlaces;
  readonly #note = h('span');
  readonly #line = h(
    'p',
    { class: 'help away', hidden: true },
    this.#note,
    ' ',
    button(words.lookAgain, () => void this.look(), { class: 'link' }),
  );
  readonly #kept = h('span');
  readonly #again = button(words.keepAgain, () => void this.#keep(), { class: 'link', hidden: true });

  constructor(places: VisitPlaces) {
    this.#places = places;
    places.settings.slot.before(this.#line);
    places.ledger.offline.append(this.#kept, ' ', this.#again);
    for (const event of ['online', 'focus'])
      addEventListener(event, () => {
        if (event === 'online' || !this.#line.hidden) void this.look();
      });
  }

  /** Checks whether the page's host answers. */
  async look(): Promise<void> {
    const here = await hostAnswers();
    const kept = await keptNames();
    const { proxy, reach } = this.#places;
    const own = proxy === new URL(root).origin;
    const host = proxy && new URL(proxy).host;
    // Only a proxy at the page's own address is known to be away with the host.
    const hosted = host && (own ? !here : !navigator.onLine && !here) ? words.noAnswer(host) : '';
    const tables = here ? '' : words.notKept;
    setText(this.#note, hosted ? words.hostedAway(host ?? '') : words.tablesAway);
    this.#line.hidden = here;
    reach.tell((value) => {
      if (value === CONNECT || value.startsWith(HOSTED)) return hosted;
      return RANKED.includes(value) && !kept.some((name) => name.startsWith(`${value}-`)) ? tables : '';
    });
  }

  /** Shows in the dialog of the pill whether the page works offline. */
  async tellKept(): Promise<void> {
    setText(this.#kept, words.keeping);
    await this.#places.registered; // the dialog may be opened earlier
    const missing = await ask<number>('missing');
    if (missing === undefined) setText(this.#kept, words.never);
    else if (missing === 0) setText(this.#kept, words.kept);
    else await this.#keep();
  }

  async #keep(): Promise<void> {
    this.#again.hidden = true;
    setText(this.#kept, words.keeping);
    await ask('keep');
    const missing = (await ask<number>('missing')) ?? null;
    setText(this.#kept, missing === null ? words.unknown : missing > 0 ? words.notComplete(missing) : words.kept);
    this.#again.hidden = missing === 0;
  }
}

/** Units with large tables, which are kept after their first use. */
const RANKED = ['cl100k', 'o200k'];
