// Explains a word of the page on demand: a button beside it, by key and by touch as by
// mouse, with the explanation as its description.

import css from '../../styles/terms.css';
import { adopt, h, setText } from './dom.ts';
import { terms, type Term } from '../words/en/terms.ts';

adopt(css);

/** What the number of a method is; of others it is explained in general. */
export const SETTINGS: Readonly<Record<string, Term>> = {
  semantic: 'coarseness',
  percentile: 'percentile',
  stddev: 'deviation',
  iqr: 'quartiles',
};

/** The button that explains what `which` names at the time; `id` is of the explanation. */
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

  /** The word may be another one now. */
  update(): void {
    const { name, text } = terms[this.#which()];
    setText(this.#name, name);
    setText(this.#words, text);
    this.#button.setAttribute('aria-label', terms.ask(name));
  }

  /** Below its button, as far as the window allows; else above it. */
  #place(): void {
    const at = this.#button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#note;
    const below = at.bottom + 6;
    this.#note.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`;
    this.#note.style.top = `${below + height + 8 > innerHeight ? Math.max(8, at.top - height - 6) : below}px`;
  }
}
