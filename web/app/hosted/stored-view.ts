// Shows the stored vectors of hosted models, and a button that deletes them.

import type { EngineClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { hosted as words } from '../words/en/hosted.ts';

export class StoredView {
  readonly #engine: EngineClient;
  readonly #words = h('span');
  readonly element: HTMLElement;

  constructor(engine: EngineClient, session: Session) {
    this.#engine = engine;
    this.element = h(
      'p',
      { class: 'help', hidden: true },
      this.#words,
      ' ',
      button(words.clearVectors, () => void this.#clear(), { class: 'link' }),
    );
    session.on('hosted', () => void this.#update());
    session.on('chunked', ({ chunking }) => {
      if (chunking && isHosted(chunking.embedder)) void this.#update();
    });
  }

  async #clear(): Promise<void> {
    await this.#engine.call('clear', {}).catch(() => undefined); // shows the remaining ones
    await this.#update();
  }

  async #update(): Promise<void> {
    const stored = await this.#engine.call('cache', {}).then(
      ({ result }) => result,
      () => null,
    );
    this.element.hidden = !stored?.vectors;
    if (stored) setText(this.#words, words.storedVectors(stored.vectors, stored.bytes));
  }
}
