// Parts that a visit seldom needs: updates, files from the system, offline use, the list of
// keys, dialogs. A separate bundle: see visit-hooks.ts.

import css from '../../styles/visits.css';
import { Away } from './away.ts';
import { adopt } from '../ground/dom.ts';
import { showKeys } from './keys.ts';
import { Launches } from './launches.ts';
import { Update } from './update.ts';
import type { VisitPlaces } from './visit-places.ts';

adopt(css);

export class Visits {
  readonly away: Away;
  readonly launches: Launches;
  readonly update: Update;
  readonly keys: () => void;

  constructor(places: VisitPlaces) {
    this.keys = () => showKeys(places.session, places.tour);
    this.away = new Away(places);
    this.launches = new Launches(places);
    this.update = new Update(places);
  }
}
