// What is kept of hosted models for later visits, and a way to forget it.

import type { EngineClient } from '../lib/workers.ts';
import { isHosted } from './choices.ts';
import { button, h, setText } from './dom.ts';
import type { Session } from './session.ts';
import { hosted as words } from './strings-hosted.ts';

export class KeptView {
  readonly #engine: EngineClient;
  readonly #words = h('span');
  readonly element: HTMLElement;

  constructor(engine: EngineClient, session: Session) {
    this.#engine = engine;
    this.element = h('p', { class: 'help', hidden: true }, this.#words, ' ', button(words.forget, () => void this.#forget(), { class: 'link' }));
    session.on('hosted', () => void this.#update());
    session.on('cut', ({ cutting }) => { if (cutting && isHosted(cutting.embedder)) void this.#update(); });
  }

  async #forget(): Promise<void> {
    await this.#engine.call('forget', {}).catch(() => undefined); // what is left is shown
    await this.#update();
  }

  async #update(): Promise<void> {
    const kept = await this.#engine.call('kept', {}).then(({ result }) => result, () => null);
    this.element.hidden = !kept?.vectors;
    if (kept) setText(this.#words, words.keptVectors(kept.vectors, kept.bytes));
  }
}
