// Named settings, by the use of the chunks. A preset is an address with settings. The
// button is pressed whose preset equals the current settings, however they were set.

import { button, h, setAttribute } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { readSettings, settingsText } from './settings-address.ts';
import { settings as words } from '../words/en/settings.ts';

type Name = keyof typeof words.presets.names;

export const PRESETS: Record<Name, string> = {
  short: 'maxTokens=128',
  answers: '', // the defaults
  long: 'minTokens=400&maxTokens=2000',
  langchain: 'method=recursive&maxTokens=1000&overlap=200&unit=chars',
};

export class PresetsView {
  readonly #session: Session;
  readonly #buttons: readonly (readonly [HTMLButtonElement, string])[];
  readonly element: HTMLElement;

  constructor(session: Session) {
    this.#session = session;
    this.#buttons = (Object.keys(PRESETS) as Name[]).map((name) => {
      const [label, title] = words.presets.names[name];
      return [button(label, () => this.#choose(PRESETS[name]), { title, 'data-preset': name }), PRESETS[name]];
    });
    this.element = h(
      'div',
      { id: 'preset', class: 'choices', role: 'group', 'aria-label': words.presets.label },
      ...this.#buttons.map(([each]) => each),
    );
    for (const event of ['hello', 'settings'] as const) session.on(event, () => this.#update());
    this.#update();
  }

  /** Applies a preset. The search mode is not part of it. */
  #choose(text: string): void {
    const { hello, preferences } = this.#session.choices;
    const { change } = hello ? readSettings(text, hello, preferences) : { change: null };
    if (!change) return;
    const { searchMode, ...rest } = change;
    this.#session.change(rest);
  }

  #update(): void {
    const { hello, preferences } = this.#session.choices;
    const now = hello && settingsText(preferences, hello, false);
    for (const [each, text] of this.#buttons) {
      each.disabled = !hello;
      setAttribute(each, 'aria-pressed', String(text === now));
    }
  }
}
