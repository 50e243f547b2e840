// The choice of putting the titles of document and section before each chunk for embedding.
// It follows the order of the text in all settings.

import { h } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { settings } from '../words/en/settings.ts';

const words = settings.headers;

export class HeadersView {
  readonly #box = h('input', { type: 'checkbox', id: 'headers', 'aria-describedby': 'headers-help' });
  readonly element = h(
    'div',
    { class: 'field' },
    h('label', { class: 'headers' }, this.#box, words.label),
    h('p', { class: 'help', id: 'headers-help' }, words.help),
  );

  constructor(session: Session) {
    const show = () => {
      this.#box.checked = session.choices.preferences.headers;
    };
    this.#box.addEventListener('change', () => session.change({ headers: this.#box.checked }));
    session.on('settings', show);
    show();
  }
}
