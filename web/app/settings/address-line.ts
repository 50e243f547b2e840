// The line at the top of the page that says that settings came with an address. It stays
// until dismissed, on later visits too. The previous settings are kept until then.

import type { Hello } from '../../lib/api.ts';
import { button, h, setText } from '../ground/dom.ts';
import { initial, type Preferences } from '../session/preferences.ts';
import { FROM_ADDRESS, remember, remembered, SIGN } from '../ground/remembered.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { MOST_CHARACTERS, readSettings } from './settings-address.ts';
import { settings as words } from '../words/en/settings.ts';

type Mine = Omit<Preferences, 'embedder'>;

/** The most parts named of those not understood. */
const NAMED = 3;

export class AddressLine {
  readonly #session: Session;
  readonly #search: Search;
  readonly #stays: Promise<unknown>;
  readonly #say: (text: string) => void;
  readonly #text = h('span');
  readonly #back = button(words.mine, () => this.#restore(), { class: 'small' });
  readonly #line = h(
    'p',
    { class: 'from-address', hidden: true },
    this.#text,
    this.#back,
    button('', () => this.#dismiss(), {
      class: 'plain',
      'data-icon': 'close',
      'aria-label': words.dismiss,
      title: words.dismiss,
    }),
  );
  #mine: Mine | null = null;

  constructor(session: Session, search: Search, stays: Promise<unknown>, say: (text: string) => void) {
    this.#session = session;
    this.#search = search;
    this.#stays = stays;
    this.#say = say;
    document.querySelector('header')?.append(this.#line);
    const { text, mine } = kept();
    if (text) this.#show(text, mine);
    if (!mine) remember(FROM_ADDRESS, '');
    session.on('hello', () => void this.#look());
    addEventListener('hashchange', () => void this.#look()); // pasted over the address of an open page
    void this.#look();
  }

  /**
   * Applies the settings of the address. They stay in the address until the engine can
   * follow them and the page will not reload itself.
   */
  async #look(): Promise<void> {
    await this.#stays;
    const { hello } = this.#session.choices;
    const { hash, pathname, search } = location;
    if (!hello || !hash.startsWith(SIGN)) return;
    history.replaceState(history.state, '', pathname + search);
    this.#take(hash.slice(SIGN.length), hello);
  }

  #take(text: string, hello: Hello): void {
    const { preferences } = this.#session.choices;
    if (text.length > MOST_CHARACTERS) {
      this.#tell(words.tooLong, this.#mine);
      return;
    }
    const { change, unknown } = readSettings(text, hello, preferences);
    const left = unknown.length > 0 ? words.unknown(unknown.slice(0, NAMED), Math.max(0, unknown.length - NAMED)) : '';
    const { embedder, ...before } = structuredClone(preferences);
    const all = () => JSON.stringify({ ...preferences, method: preferences.method || hello.defaults.method });
    const was = all();
    if (change) this.#set(change);
    const changed = all() !== was;
    this.#tell(
      [change ? (changed ? words.taken : words.same) : '', left].filter(Boolean).join(' '),
      this.#mine ?? (changed ? before : null),
    );
  }

  /** Applies settings, and searches again because the search mode may have changed. */
  #set(settings: Mine): void {
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && field.type === 'number') field.blur(); // otherwise the typed text would stay
    this.#session.change(settings, false, true);
    this.#search.mode = settings.searchMode;
  }

  #tell(text: string, mine: Mine | null): void {
    this.#show(text, mine);
    this.#say(text);
    remember(FROM_ADDRESS, JSON.stringify({ text, mine }));
  }

  #show(text: string, mine: Mine | null): void {
    this.#mine = mine;
    setText(this.#text, text);
    this.#back.hidden = mine === null;
    this.#line.hidden = false;
  }

  #restore(): void {
    if (this.#mine) this.#set(this.#mine);
    this.#dismiss();
    this.#say(words.isMine);
  }

  #dismiss(): void {
    this.#mine = null;
    this.#line.hidden = true;
    remember(FROM_ADDRESS, '');
    document.querySelector<HTMLElement>('.seal')?.focus();
  }
}

/** Returns the text left by an earlier visit. Another version of the page may have written it. */
function kept(): { text: string; mine: Mine | null } {
  try {
    const { text, mine } = JSON.parse(remembered(FROM_ADDRESS)) as {
      text: unknown;
      mine: Record<string, unknown> | null;
    };
    const names = Object.keys(initial).filter((name) => name !== 'embedder') as (keyof Mine)[];
    const whole =
      mine !== null && names.every((name) => typeof mine[name] === typeof initial[name] && mine[name] !== null);
    return {
      text: typeof text === 'string' ? text : '',
      mine: whole ? (Object.fromEntries(names.map((name) => [name, mine[name]])) as unknown as Mine) : null,
    };
  } catch {
    return { text: '', mine: null };
  }
}
