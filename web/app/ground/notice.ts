// One line about the files opened last, such as a twin or the rest of a folder. It is
// visible only; the announcer speaks it.

import { button, h, setText } from './dom.ts';
import { strings } from '../words/en/page.ts';

/** A button next to the text. `over` is called when it can no longer be pressed. */
export interface NoticeAction {
  label: string;
  act: () => void;
  over: () => void;
}

export class Notice {
  readonly #text = h('span');
  readonly #act: HTMLButtonElement;
  #action: NoticeAction | null = null;
  readonly element: HTMLElement;

  constructor(returnFocus: () => void) {
    const end = (act: boolean) => {
      if (act) this.#action?.act();
      this.show('');
      returnFocus();
    };
    this.#act = button('', () => end(true), { class: 'link' });
    const close = button('', () => end(false), {
      class: 'remove',
      'aria-label': strings.documents.notice,
      title: strings.documents.notice,
    });
    this.element = h('p', { class: 'notice', hidden: true }, this.#text, ' ', this.#act, close);
  }

  show(text: string, action: NoticeAction | null = null): void {
    this.#action?.over();
    this.#action = action;
    setText(this.#text, text);
    setText(this.#act, action?.label ?? '');
    this.#act.hidden = !action;
    this.element.hidden = text === '';
  }
}
