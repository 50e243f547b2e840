// Less common parts of the settings: presets, an address to share them, undo. A bundle of
// its own: see settings-hooks.ts.

import css from '../../styles/settings.css';
import { AddressLine } from './address-line.ts';
import { adopt, button, h, setText } from '../ground/dom.ts';
import { languageChoice } from './language-choice.ts';
import { HeadersView } from './headers-view.ts';
import { loader } from '../ground/loader.ts';
import { grouped } from './method-options.ts';
import { PresetsView } from './presets-view.ts';
import { RemedyView } from './remedy-view.ts';
import { SIGN } from '../ground/remembered.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { settingsText } from './settings-address.ts';
import { SettingsHistory } from './settings-history.ts';
import type { SettingsView } from './settings-view.ts';
import { settings as words } from '../words/en/settings.ts';
import type { Term } from '../words/en/terms.ts';
import { Explain, SETTINGS } from '../ground/terms.ts';

export interface SettingsPlaces {
  session: Session;
  search: Search;
  settings: SettingsView;
  /** Resolves when the page will not reload itself any more. */
  stays: Promise<unknown>;
  failed: (cause: unknown) => void;
  /** Announces a change to screen readers. */
  say: (text: string) => void;
}

adopt(css);

declare const __METHODS__: string;
declare const __METHODS_INTEGRITY__: string;

/** The pictures of the methods: a separate bundle because they are seldom opened. */
const loadMethods = loader<typeof import('../methods/methods-view.ts')>(__METHODS__, __METHODS_INTEGRITY__);

/** The fields with an explained term. */
const FIELDS: Record<string, (method: string) => Term> = {
  setting: (method) => SETTINGS[method] ?? 'setting',
  overlap: () => 'overlap',
  unit: () => 'tokens',
  embedder: () => 'embedder',
};

export class SettingsParts {
  readonly #session: Session;
  readonly #history: SettingsHistory;
  readonly #back: HTMLButtonElement;
  readonly #note = h('p', { class: 'help', 'aria-live': 'polite' });
  readonly #address = h('input', { type: 'text', readonly: true, 'aria-label': words.address, hidden: true });

  constructor({ session, search, settings, stays, failed, say }: SettingsPlaces) {
    this.#session = session;
    this.#history = new SettingsHistory(session);
    new AddressLine(session, search, stays, say);
    this.#back = button(
      words.back,
      () => {
        this.#history.back();
        say(words.wentBack);
      },
      { class: 'link' },
    );
    const reset = settings.end.querySelector('button');
    const show = () => {
      if (this.#history.empty && document.activeElement === this.#back) reset?.focus();
      this.#back.hidden = this.#history.empty;
    };
    this.#history.changed = show;
    show();
    settings.end.append(
      this.#back,
      button(words.copy, () => void this.#copy(), { class: 'link', title: words.copyHint }),
      this.#note,
      this.#address,
    );
    settings.end.after(languageChoice(session, 'language'));
    session.on('settings', () => this.#tell('', ''));
    settings.presets.append(new PresetsView(session).element);
    this.#explain(settings.element);
    settings.element.querySelector('#view')?.parentElement?.after(new HeadersView(session).element);
    settings.element.querySelector('.knob')?.after(new RemedyView(session).element);
    settings.element.querySelector('#method')?.after(
      button(words.methods, () => void this.#showMethods(say).catch(failed), {
        class: 'link what-each',
        'aria-haspopup': 'dialog',
      }),
    );
  }

  async #showMethods(say: (text: string) => void): Promise<void> {
    const { hello } = this.#session.choices;
    const { showMethods } = await loadMethods();
    if (hello) showMethods(this.#session, grouped(hello.methods), say);
  }

  /** Explains the terms of the fields. Some depend on the method. */
  #explain(element: HTMLElement): void {
    const session = this.#session;
    for (const [field, term] of Object.entries(FIELDS)) {
      const each = new Explain(`${field}-explained`, () => term(session.choices.method?.name ?? ''));
      const input = element.querySelector(`#${field}`);
      if (input?.parentElement?.classList.contains('inline')) input.before(each.element);
      else input?.after(each.element);
      session.on('settings', () => each.update());
    }
  }

  /** Copies the address. If the browser does not allow that, shows it selected. */
  async #copy(): Promise<void> {
    const { hello, preferences } = this.#session.choices;
    if (!hello) return;
    const address = `${new URL('.', document.baseURI).href}${SIGN}${settingsText(preferences, hello)}`;
    try {
      await navigator.clipboard.writeText(address);
      this.#tell(words.copied, '');
    } catch {
      this.#tell(words.copyThis, address);
      this.#address.focus();
      this.#address.select();
      this.#address.scrollLeft = 0; // the beginning is the recognizable part
    }
  }

  #tell(note: string, address: string): void {
    setText(this.#note, note);
    this.#address.value = address;
    this.#address.hidden = address === '';
  }
}
