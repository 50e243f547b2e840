// On a narrow screen, documents and settings are in a sheet. Closed, it is a line with the
// document shown; pressing the line opens it. On a somewhat wider screen the sheet is at the
// side, and a button in the header opens it.

import { button, h, setAttribute } from './dom.ts';
import { narrow, sheeted } from './narrow.ts';
import { strings } from '../words/en/page.ts';

export class Sheet {
  readonly #aside: HTMLElement;
  readonly #others: readonly HTMLElement[];
  readonly #opener = button('', () => this.open(), {
    class: 'sheet-open',
    'aria-label': strings.sheet.open,
    'aria-expanded': 'false',
  });
  readonly #closer = button('', () => this.close(), { class: 'sheet-close', 'aria-label': strings.sheet.close });
  readonly #veil = h('div', { class: 'sheet-veil', hidden: true });
  #from: Element | null = null;

  /** `others` are inert while it is open. */
  constructor(aside: HTMLElement, others: readonly HTMLElement[]) {
    this.#aside = aside;
    this.#others = others;
    aside.prepend(this.#opener, this.#closer);
    aside.before(this.#veil);
    this.#veil.addEventListener('click', () => this.close());
    // In a closed sheet, only Stop can be pressed.
    aside.addEventListener(
      'click',
      (event) => {
        if (!narrow.matches || this.isOpen || (event.target instanceof Element && event.target.closest('.work')))
          return;
        event.preventDefault();
        event.stopPropagation();
        this.open();
      },
      { capture: true },
    );
    aside.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !this.isOpen) return;
      event.preventDefault();
      this.close();
    });
    const place = () => document.body.classList.toggle('sheeted', sheeted.matches);
    sheeted.addEventListener('change', place);
    place();
    for (const width of [narrow, sheeted]) width.addEventListener('change', () => this.close());
  }

  get isOpen(): boolean {
    return this.#aside.classList.contains('open');
  }

  /** Opens the sheet, with the settings at its top. */
  open(): void {
    if (!sheeted.matches || this.isOpen) return;
    this.#from = document.activeElement;
    this.#set(true);
    this.#aside.scrollTop = 0;
    this.#closer.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.#set(false);
    const back =
      this.#from instanceof HTMLElement && this.#from.isConnected && this.#from !== document.body
        ? this.#from
        : this.#opener;
    if (sheeted.matches) back.focus();
  }

  #set(on: boolean): void {
    this.#aside.classList.toggle('open', on);
    this.#veil.hidden = !on;
    setAttribute(this.#opener, 'aria-expanded', String(on));
    for (const other of this.#others) other.inert = on;
  }
}
