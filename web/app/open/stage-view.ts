// Fills the middle while the selected document has no text to show: it waits, is being
// read, or has failed.

import { describe, notes } from './documents-view.ts';
import { h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';

export class StageView {
  readonly #name = h('h2');
  readonly #state = h('p');
  readonly #notes = h('p');
  readonly #safe = h('p', {}, strings.documents.safe);
  readonly element = h('section', { class: 'stage', hidden: true }, this.#name, this.#state, this.#notes, this.#safe);

  constructor(session: Session) {
    const update = () => {
      const doc = session.selected;
      this.element.hidden = !doc || doc.chunking !== null;
      if (!doc) return;
      this.element.dataset['state'] = doc.state;
      setText(this.#name, doc.name);
      setText(this.#state, describe(doc));
      setText(this.#notes, notes(doc));
      this.#safe.hidden = doc.state !== 'failed' || session.docs.length < 2;
    };
    session.on('documents', update);
    session.on('selected', update);
    session.on('chunked', update);
  }
}
