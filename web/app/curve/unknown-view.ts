// Warns when the built-in model does not know the language of a document: says that another
// embedder is used, or offers to use it.

import { h, button } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

const LEXICAL = 'lexical';

export class UnknownView {
  readonly #words = h('span');
  readonly element: HTMLElement;

  constructor(session: Session) {
    const remedy = button(shown.unknown.lexical, () => session.chooseForOne(LEXICAL), { class: 'link' });
    this.element = h('p', { class: 'unknown', 'aria-live': 'polite', hidden: true }, this.#words, ' ', remedy);
    const update = () => {
      const { unknown, embedder } = session.selected?.chunking?.result ?? {};
      this.element.hidden = !unknown;
      if (!unknown) return;
      remedy.hidden = embedder === LEXICAL;
      const { says, settled } = shown.unknown;
      this.#words.textContent = (remedy.hidden ? settled : says)(unknown.language, unknown.share);
    };
    session.on('chunked', update);
    session.on('selected', update);
  }
}
