// What a visit seldom needs: an update, files that the system hands over, what to
// do without a network, the list of keys, dialogs. A bundle of its own: see visit-hooks.ts.

import css from '../styles/visits.css';
import { Away } from './away.ts';
import { adopt } from './dom.ts';
import type { NamedBlob } from './folder.ts';
import { showKeys } from './keys.ts';
import { Launches } from './launches.ts';
import type { Ledger } from './ledger.ts';
import type { Reach } from './reach.ts';
import type { Session } from './session.ts';
import type { SettingsView } from './settings-view.ts';
import { Update } from './update.ts';

export type { Launch } from './launches.ts';

export interface VisitPlaces {
  session: Session;
  settings: SettingsView;
  ledger: Ledger;
  reach: Reach;
  /** The origin of the proxy; null without one. */
  proxy: string | null;
  add: (files: NamedBlob[]) => void;
  /** The service worker is registered, or cannot be. */
  registered: Promise<unknown>;
  /** When the documents of earlier visits are listed. */
  ready: Promise<void>;
  /** Takes the tour. */
  tour: () => void;
  /** Opens the sample. */
  sample: () => void;
  /** Shows a sentence; that of a failure. */
  inform: (text: string) => void;
  failed: (cause: unknown) => void;
  /** For those who do not see what has come. */
  say: (text: string) => void;
}

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
