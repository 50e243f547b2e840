// Explains a term on demand: a button for keyboard, touch and mouse, with the explanation
// as its description.

import css from '../../styles/terms.css';
import { adopt, h, setText } from './dom.ts';
import { terms, type Term } from '../words/en/terms.ts';

adopt(css);

/** The term for the number of each method. Other methods get the general explanation. */
export const SETTINGS: Readonly<Record<string, Term>> = {
  semantic: 'coarseness',
  percentile: 'percentile',
  stddev: 'deviation',
  iqr: 'quartiles',
};

/** A button that explains the term currently returned by `which`; `id` is the explanation's. */
export class Explain {
  readonly #which: () => Term;
  readonly #name = h('strong');
  readonly #words = h('p');
  readonly #note: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(id: string, which: () => Term) {
    this.#which = which;
    this.#note = h('div', { id, popover: 'auto', class: 'explained' }, this.#name, this.#words);
    this.#button = h('button', { type: 'button', class: 'explain', popovertarget: id, 'aria-describedby': id });
    this.element = h('span', { class: 'term' }, this.#button, this.#note);
    this.#note.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') this.#place();
    });
    this.update();
  }

  /** Updates the explanation if the term has changed. */
  update(): void {
    const { name, text } = terms[this.#which()];
    setText(this.#name, name);
    setText(this.#words, text);
    this.#button.setAttribute('aria-label', terms.ask(name));
  }

  /** Places it below its button, or above if there is no room. */
  #place(): void {
    const at = this.#button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#note;
    const below = at.bottom + 6;
    this.#note.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`;
    this.#note.style.top = `${below + height + 8 > innerHeight ? Math.max(8, at.top - height - 6) : below}px`;
  }
}
