// What is behind the settings: presets, the way back. A bundle
// of its own: see settings-hooks.ts.

import css from '../styles/settings.css';
import { button, h } from './dom.ts';
import { PresetsView } from './presets-view.ts';
import type { Session } from './session.ts';
import { SettingsHistory } from './settings-history.ts';
import type { SettingsView } from './settings-view.ts';
import { settings as words } from './strings-settings.ts';

export interface SettingsPlaces {
  session: Session;
  settings: SettingsView;
  failed: (cause: unknown) => void;
  /** For those who do not see what has changed. */
  say: (text: string) => void;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

export class SettingsParts {
  readonly #history: SettingsHistory;
  readonly #back: HTMLButtonElement;

  constructor({ session, settings, say }: SettingsPlaces) {
    this.#history = new SettingsHistory(session);
    this.#back = button(words.back, () => {
      this.#history.back();
      say(words.wentBack);
    }, { class: 'link' });
    const reset = settings.end.querySelector('button');
    const show = () => {
      if (this.#history.empty && document.activeElement === this.#back) reset?.focus();
      this.#back.hidden = this.#history.empty;
    };
    this.#history.changed = show;
    show();
    settings.end.append(this.#back);
    const title = settings.element.querySelector('h2');
    const row = h('div', { class: 'titled' });
    title?.replaceWith(row);
    row.append(title ?? '', new PresetsView(session).element);
  }
}
