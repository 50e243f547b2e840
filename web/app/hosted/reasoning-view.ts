// Shows the reasoning of a model, folded. It is no part of the answer: it is neither copied,
// stored, nor sent again.

import { h, setText } from '../ground/dom.ts';
import { hosted } from '../words/en/hosted.ts';

const words = hosted.ask;

export class ReasoningView {
  readonly #changed: () => void;
  readonly #text = h('p', { dir: 'auto' });
  readonly element = h('details', { class: 'reasoning', hidden: true }, h('summary', {}, words.reasoning), this.#text);
  #began = 0;
  #timer = 0;
  #frame = 0;
  #all = '';

  /** `changed` is called each second while the model reasons. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  clear(): void {
    this.done();
    this.#all = '';
    setText(this.#text, '');
    this.element.hidden = true;
    this.element.open = false;
  }

  /** Adds reasoning. An empty text only says that the model is reasoning. */
  push(text: string): void {
    this.#all += text;
    if (this.#timer === 0) {
      this.#began = performance.now();
      this.#timer = window.setInterval(this.#changed, 1000);
    }
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#show());
  }

  /** The model reasons no more. */
  done(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
    if (this.#frame) this.#show();
  }

  /** Returns the seconds that the model has been reasoning, or null. */
  get seconds(): number | null {
    return this.#timer === 0 ? null : Math.floor((performance.now() - this.#began) / 1000);
  }

  #show(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    setText(this.#text, this.#all.trim());
    this.element.hidden = this.#text.textContent === '';
  }
}
