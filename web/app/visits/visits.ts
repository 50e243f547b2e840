// Parts that a visit seldom needs: updates, files from the system, offline use, the list of
// keys, dialogs. A separate bundle: see visit-hooks.ts.

import css from '../../styles/visits.css';
import { Away } from './away.ts';
import { adopt, button } from '../ground/dom.ts';
import { Menu } from '../ground/menu.ts';
import { languageChoice } from '../settings/language-choice.ts';
import { showKeys } from './keys.ts';
import { Launches } from './launches.ts';
import { Update } from './update.ts';
import type { VisitPlaces } from './visit-places.ts';
import { visits as words } from '../words/en/visits.ts';

adopt(css);

export class Visits {
  readonly away: Away;
  readonly launches: Launches;
  readonly update: Update;
  readonly keys: () => void;
  /** Makes the menu of a button and opens it. */
  readonly menu: (opener: HTMLButtonElement) => void;

  constructor(places: VisitPlaces) {
    this.keys = () => showKeys(places.tour);
    this.menu = (opener) => {
      if (opener.hasAttribute('popovertarget')) return; // it has its menu
      new Menu({
        id: 'menu',
        opener,
        title: opener.textContent ?? '',
        items: [
          button(words.menu.keys, () => {
            opener.focus(); // gets it back from the dialog
            this.keys();
          }),
          places.settings.toggle('item'),
          button(words.menu.tour, places.tour),
          button(words.menu.examples, places.gallery),
        ],
        choice: languageChoice(places.session, 'language-menu'),
      }).open();
    };
    this.away = new Away(places);
    this.launches = new Launches(places);
    this.update = new Update(places);
  }
}
