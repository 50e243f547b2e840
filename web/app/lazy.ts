// Loads bundles that are not needed at first.
//   - The first document loads the views and the storage of documents.
//   - If there is a proxy, hosted models come with the first document or on demand.
//   - The pages of a PDF come when one is shown.
//   - Less common settings come when the user reaches the settings.
//   - The parts of a first visit come after the first paint.
//   - The list of all documents comes when the user asks for it.
//   - Parts that a visit seldom needs come on demand.
//
// Each bundle is built separately. Shared chunks would contain code that the page needs at
// first, and an imported chunk cannot be given a hash. A separate bundle is preloaded with
// its hash, and the import then uses the preloaded copy.

import type { DocumentViews, Places } from './document-views.ts';
import type { KeptParts, KeptPlaces } from './kept/kept-parts.ts';
import type { FirstRun, FirstRunPlaces } from './first/first-run.ts';
import type { HostedParts, HostedPlaces } from './hosted/hosted-parts.ts';
import type { FolderPlaces, FolderView } from './open/folder-view.ts';
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
declare const __FOLDER__: string;
declare const __FOLDER_INTEGRITY__: string;

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
export const loadFolder = loader<{ FolderView: new (places: FolderPlaces) => FolderView }>(
  __FOLDER__,
  __FOLDER_INTEGRITY__,
);
