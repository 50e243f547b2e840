// Loads what is not needed at first: what shows an open document and what keeps it, with
// the first one; hosted models, where there is a proxy, with it or when they are asked
// for; the pages of a PDF, when one is to be seen; what is behind the settings, when
// somebody turns to them; what a visit seldom
// needs; and what a first visit has, once the page is painted.
//
// Each is a bundle by itself and no part of the page's: parts would share files
// with it that are needed from the start, and a part that is imported cannot be
// given a hash. These are: a bundle is preloaded with its hash, and the import
// then takes the module that is there.

import type { DocumentViews, Places } from './document-views.ts';
import type { KeptParts, KeptPlaces } from './kept/kept-parts.ts';
import type { FirstRun, FirstRunPlaces } from './first/first-run.ts';
import type { HostedParts, HostedPlaces } from './hosted/hosted-parts.ts';
import { loader } from './ground/loader.ts';
import type { PagePlaces, PageView } from './page/page-view.ts';
import type { Session } from './session/session.ts';
import type { SettingsParts, SettingsPlaces } from './settings/settings-parts.ts';

declare const __VIEWS__: string;
declare const __VIEWS_INTEGRITY__: string;
declare const __HOSTED__: string;
declare const __HOSTED_INTEGRITY__: string;
declare const __KEPT__: string;
declare const __KEPT_INTEGRITY__: string;
declare const __PAGES__: string;
declare const __PAGES_INTEGRITY__: string;
declare const __VISITS__: string;
declare const __VISITS_INTEGRITY__: string;
declare const __SETTINGS__: string;
declare const __SETTINGS_INTEGRITY__: string;
declare const __FIRST__: string;
declare const __FIRST_INTEGRITY__: string;

export const loadViews = loader<{ DocumentViews: new (session: Session, places: Places) => DocumentViews }>(
  __VIEWS__,
  __VIEWS_INTEGRITY__,
);
export const loadHosted = loader<{ HostedParts: new (places: HostedPlaces) => HostedParts }>(
  __HOSTED__,
  __HOSTED_INTEGRITY__,
);
export const loadKept = loader<{ KeptParts: new (places: KeptPlaces) => KeptParts }>(__KEPT__, __KEPT_INTEGRITY__);
export const loadPages = loader<{ PageView: new (places: PagePlaces) => PageView }>(__PAGES__, __PAGES_INTEGRITY__);
export const loadVisits = loader<typeof import('./visits/visits.ts')>(__VISITS__, __VISITS_INTEGRITY__);
export const loadSettings = loader<{ SettingsParts: new (places: SettingsPlaces) => SettingsParts }>(
  __SETTINGS__,
  __SETTINGS_INTEGRITY__,
);
export const loadFirst = loader<{ FirstRun: new (places: FirstRunPlaces) => FirstRun }>(__FIRST__, __FIRST_INTEGRITY__);
