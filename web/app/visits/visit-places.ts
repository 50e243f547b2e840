// What the parts of a bundle of visits need of the page.

import type { NamedBlob } from '../../lib/named-blob.ts';
import type { Ledger } from '../policy/ledger.ts';
import type { Reach } from '../session/reach.ts';
import type { Session } from '../session/session.ts';
import type { SettingsView } from '../settings/settings-view.ts';

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
