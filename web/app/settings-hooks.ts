// Loads the bundle of less common settings on demand: see settings-parts.ts.

import { loadSettings } from './lazy.ts';
import { FROM_ADDRESS, remembered, SIGN } from './ground/remembered.ts';
import type { SettingsParts, SettingsPlaces } from './settings/settings-parts.ts';

/**
 * Loads it when the settings are reached or changed, when a document is added, or when the
 * address has settings.
 */
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
