// One of the methods compared: which one, its number, and what it has made.

import type { Method } from '../lib/api.ts';
import { button, h, setText } from './dom.ts';
import { groupedOptions } from './method-options.ts';
import { shown } from './strings-views.ts';

const words = shown.compare;

export interface CompareRowOptions {
  methods: readonly Method[];
  letter: string;
  method: Method | null;
  /** It is the one in use, which is chosen elsewhere. */
  fixed: boolean;
  setting: number;
  changed: () => void;
  use: () => void;
  remove: () => void;
}

export class CompareRow {
  #method: Method | null;
  #letter = '';
  readonly #badge = h('b', { class: 'letter', 'aria-hidden': 'true' });
  readonly #name = h('strong');
  readonly #select = h('select');
  readonly #number = h('input', { type: 'number', step: 'any' });
  readonly #sizes = h('small', { class: 'made' });
  readonly #bars = h('div', { class: 'lengths', 'aria-hidden': 'true' }); // the words beside them tell the same
  readonly #apart = h('small', { class: 'pk', hidden: true });
  readonly #found = h('small', { class: 'found', hidden: true });
  readonly #use: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor({ methods, letter, method, fixed, setting, changed, use, remove }: CompareRowOptions) {
    this.#method = method;
    this.#use = button(words.use, use, { class: 'small' });
    this.#remove = button('×', remove, { class: 'small quiet' });
    this.#select.append(...groupedOptions(methods));
    this.#select.addEventListener('change', () => {
      const chosen = methods.find(({ name }) => name === this.#select.value) ?? null;
      this.set(chosen, chosen?.setting?.default ?? 0);
      changed();
    });
    this.#number.addEventListener('change', () => { if (this.#number.validity.valid && this.#number.value) changed(); });
    this.element = h('li', { class: fixed ? 'fixed' : '' }, this.#badge,
      h('div', { class: 'which' }, fixed ? this.#name : this.#select, fixed ? null : this.#number),
      fixed ? h('small', { class: 'in-use' }, words.inUse) : h('div', { class: 'acts' }, this.#use, this.#remove), this.#sizes, this.#bars, this.#apart, this.#found);
    this.rename(letter);
    this.set(method, setting);
  }

  get method(): Method | null {
    return this.#method;
  }

  get setting(): number {
    return this.#number.value ? this.#number.valueAsNumber : this.#method?.setting?.default ?? 0;
  }

  set(method: Method | null, setting: number): void {
    this.#method = method;
    if (method) this.#select.value = method.name;
    setText(this.#name, method?.label ?? '');
    this.#number.hidden = !method?.setting;
    if (!method?.setting) {
      this.#number.value = '';
      return;
    }
    this.#number.min = String(method.setting.min);
    this.#number.max = String(method.setting.max);
    this.#number.value = String(Number(setting.toFixed(3)));
    this.#number.setAttribute('aria-label', words.number(this.#letter, method.setting.label));
    this.#number.title = method.setting.label;
  }

  rename(letter: string): void {
    this.#letter = letter;
    setText(this.#badge, letter);
    this.#select.setAttribute('aria-label', words.row(letter));
    this.#use.setAttribute('aria-label', words.useNamed(letter));
    this.#remove.setAttribute('aria-label', words.remove(letter));
  }

  /** What it has made, or why nothing, and bars of how many chunks are how long: shares of the highest. */
  tell(what: string, bars: readonly number[] = []): void {
    setText(this.#sizes, what);
    this.#bars.replaceChildren(...bars.map((share) => {
      const bar = h('i');
      bar.style.blockSize = share ? `max(2px, ${100 * share}%)` : '1px';
      return bar;
    }));
  }

  /** How far it is from the method in use; empty: that is not known. */
  tellApart(what: string): void {
    setText(this.#apart, what);
    this.#apart.hidden = what === '';
  }

  /** What was told last of how a search finds answers. */
  get found(): string {
    return this.#found.textContent ?? '';
  }

  /** How a search finds answers in that; empty: nothing is asked. */
  tellFound(what: string): void {
    setText(this.#found, what);
    this.#found.hidden = what === '';
  }

  focus(): void {
    this.#select.focus();
  }
}
