// A panel that describes data about to leave the browser, with two buttons, or explains why
// it was not sent and how to proceed.

import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { hosted as words } from '../words/en/hosted.ts';

export interface ConsentOptions {
  id: string;
  yes: () => void;
  no?: () => void;
  /** Called when the user chooses not to be asked again. */
  always?: (on: boolean) => void;
  /** Shown below the text. */
  body?: HTMLElement;
  /** Moves the focus when the panel closes while it has the focus. */
  returnFocus: () => void;
}

export interface Question {
  title: string;
  failed: boolean;
  text: string;
  /** Labels of the two buttons. An empty label hides its button. */
  yes: string;
  no: string;
  /** Whether the first button is disabled; the text says why. */
  blocked?: boolean;
  /** The progress; a `total` of 0 means unknown. */
  progress?: { done: number; total: number };
}

export class Consent {
  readonly #options: ConsentOptions;
  readonly #title = h('strong');
  readonly #text = h('p');
  readonly #bar = h('progress', { 'aria-label': words.progressLabel });
  readonly #yes: HTMLButtonElement;
  readonly #no: HTMLButtonElement;
  readonly #always: HTMLElement;
  readonly element: HTMLElement;

  constructor(options: ConsentOptions) {
    const { id } = options;
    this.#options = options;
    this.#title.id = `${id}-title`;
    this.#yes = button('', () => this.#agree(), { class: 'primary small', 'aria-describedby': `${id}-text` });
    this.#no = button('', () => options.no?.(), { class: 'small' });
    this.#text.id = `${id}-text`;
    const box = h('input', { type: 'checkbox', id: `${id}-always` });
    box.addEventListener('change', () => options.always?.(box.checked));
    this.#always = h('label', { class: 'check', hidden: !options.always }, box, words.always);
    this.element = h(
      'section',
      { class: 'consent', role: 'group', 'aria-labelledby': this.#title.id, hidden: true },
      this.#title,
      this.#text,
      options.body ?? null,
      this.#bar,
      this.#always,
      h('div', { class: 'actions' }, this.#yes, this.#no),
    );
  }

  /** Moves the focus to the first button. */
  focus(): void {
    this.#yes.focus();
  }

  #agree(): void {
    if (!this.#yes.hasAttribute('aria-disabled')) this.#options.yes();
  }

  /** Shows a question; null hides the panel. The focus stays in the panel while it is open. */
  show(question: Question | null): void {
    const focused = this.element.contains(document.activeElement);
    this.element.hidden = question === null;
    if (question) this.#fill(question);
    if (focused && !question) this.#options.returnFocus();
    else if (focused && !document.activeElement?.checkVisibility()) (this.#yes.hidden ? this.#no : this.#yes).focus();
  }

  #fill({ title, failed, text, yes, no, blocked, progress }: Question): void {
    setText(this.#title, title);
    this.element.classList.toggle('failed', failed);
    setText(this.#text, text);
    setText(this.#yes, yes);
    this.#yes.hidden = yes === '';
    setAttribute(this.#yes, 'aria-disabled', blocked ? 'true' : null); // keeps the focus
    setText(this.#no, no);
    this.#no.hidden = no === '';
    this.#bar.hidden = !progress;
    if (progress && progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = progress.done;
    } else this.#bar.removeAttribute('value');
    this.#always.hidden = !this.#options.always || !yes || failed;
  }
}
