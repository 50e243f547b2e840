// One line about what was opened, until the next one: a twin, a folder's rest.
// It is seen here; the announcer says it.

import { button, h, setText } from './dom.ts';
import { strings } from './strings.ts';

export class Notice {
  readonly #text = h('span');
  readonly element: HTMLElement;

  constructor(returnFocus: () => void) {
    const close = button('×', () => {
      this.show('');
      returnFocus();
    }, { class: 'remove', 'aria-label': strings.documents.notice, title: strings.documents.notice });
    this.element = h('p', { class: 'notice', hidden: true }, this.#text, close);
  }

  show(text: string): void {
    setText(this.#text, text);
    this.element.hidden = text === '';
  }
}
