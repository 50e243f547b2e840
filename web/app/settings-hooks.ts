// When the bundle behind the settings is loaded: see settings-parts.ts.

import { loadSettings } from './lazy.ts';
import { FROM_ADDRESS, remembered, SIGN } from './ground/remembered.ts';
import type { SettingsParts, SettingsPlaces } from './settings/settings-parts.ts';

/** The settings are touched or changed, there is a document, or an address has some. */
export function watchSettings(places: SettingsPlaces): void {
  const {
    session,
    settings: { element },
  } = places;
  let parts: SettingsParts | null = null;
  const use = () =>
    void loadSettings().then(({ SettingsParts }) => {
      parts ??= new SettingsParts(places);
    }, places.failed);
  const look = () => {
    if (!parts && (location.hash.startsWith(SIGN) || remembered(FROM_ADDRESS))) use();
  };
  for (const event of ['pointerover', 'focusin']) element.addEventListener(event, use, { once: true });
  for (const event of ['settings', 'documents'] as const)
    session.on(event, () => {
      if (!parts) use();
    });
  addEventListener('hashchange', look);
  look();
}
