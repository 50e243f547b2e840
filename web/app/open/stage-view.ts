// Fills the middle while the selected document has no text to show: it waits, is being
// read, is locked, or has failed.

import { describe, notes } from './states.ts';
import { h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';
import { UnlockForm } from './unlock.ts';

export class StageView {
  readonly #name = h('h2', { tabindex: -1 });
  readonly #state = h('p');
  readonly #notes = h('p');
  readonly #safe = h('p', {}, strings.documents.safe);
  readonly element = h('section', { class: 'stage', hidden: true });

  constructor(session: Session) {
    const unlock = new UnlockForm(session, () => this.#name.focus());
    this.element.append(this.#name, this.#state, unlock.element, this.#notes, this.#safe);
    const update = () => {
      const doc = session.selected;
      const focused = this.element.contains(document.activeElement);
      this.element.hidden = !doc || doc.chunking !== null;
      if (focused && this.element.hidden) document.getElementById('text')?.focus(); // it takes the place of the stage
      if (!doc) return;
      this.element.dataset['state'] = doc.state;
      setText(this.#name, doc.name);
      setText(this.#state, describe(doc));
      setText(this.#notes, notes(doc));
      unlock.update(doc);
      this.#safe.hidden = doc.state !== 'failed' || session.docs.length < 2;
    };
    session.on('documents', update);
    session.on('selected', update);
    session.on('chunked', update);
  }
}
