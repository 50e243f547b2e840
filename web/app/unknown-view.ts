// Says when the built-in model does not know the language of a document, and offers
// the embedder that needs to know none.

import { h, button } from './dom.ts';
import type { Session } from './session.ts';
import { shown } from './strings-views.ts';

const LEXICAL = 'lexical';

export class UnknownView {
  readonly #words = h('span');
  readonly element: HTMLElement;

  constructor(session: Session) {
    this.element = h('p', { class: 'unknown', 'aria-live': 'polite', hidden: true }, this.#words, ' ',
      button(shown.unknown.lexical, () => session.chooseEmbedder(LEXICAL), { class: 'link' }));
    const update = () => {
      const unknown = session.selected?.chunking?.result.unknown;
      this.element.hidden = !unknown;
      if (unknown) this.#words.textContent = shown.unknown.says(unknown.language, unknown.share);
    };
    session.on('chunked', update);
    session.on('selected', update);
  }
}
