// A menu of named settings next to the title. A preset is an address with settings. The
// menu shows the preset that equals the current settings, however they were set.

import { h } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { readSettings, settingsText } from './settings-address.ts';
import { settings as words } from '../words/en/settings.ts';

/** The first one is the defaults. */
export const PRESETS: Record<keyof typeof words.presets.names, string> = {
  answers: '',
  short: 'maxTokens=128',
  long: 'minTokens=400&maxTokens=2000',
  langchain: 'method=recursive&maxTokens=1000&overlap=200&unit=chars',
};

export class PresetsView {
  readonly #session: Session;
  readonly element = h(
    'select',
    { id: 'preset', 'aria-label': words.presets.label, title: words.presets.label },
    h('option', { value: '', hidden: true, disabled: true }, words.presets.own),
    ...Object.entries(words.presets.names).map(([value, name]) => h('option', { value }, name)),
  );

  constructor(session: Session) {
    this.#session = session;
    this.element.addEventListener('change', () => this.#choose(PRESETS[this.element.value as keyof typeof PRESETS]));
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
    this.element.disabled = !hello;
    if (!hello) return;
    const now = settingsText(preferences, hello, false);
    const [name = ''] = Object.entries(PRESETS).find(([, text]) => text === now) ?? [];
    this.element.value = name;
  }
}
