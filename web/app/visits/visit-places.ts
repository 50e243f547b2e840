// The dependencies of the visits bundle.

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
  /** Resolves when the service worker is registered or cannot be. */
  registered: Promise<unknown>;
  /** Resolves when the documents of earlier visits are listed. */
  ready: Promise<void>;
  /** Starts the tour. */
  tour: () => void;
  /** Shows the example documents. */
  gallery: () => void;
  /** Opens the sample. */
  sample: () => void;
  /** Shows a sentence, or one about a failure. */
  inform: (text: string) => void;
  failed: (cause: unknown) => void;
  /** Announces to screen readers. */
  say: (text: string) => void;
}
