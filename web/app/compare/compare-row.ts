// The row of a compared method: its name, its number, and the result.

import type { Method } from '../../lib/api.ts';
import type { Limits } from '../../lib/cut.ts';
import type { Given } from '../session/compare-limits.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { groupedOptions, options } from '../settings/method-options.ts';
import { strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

const words = shown.compare;

export interface CompareRowOptions {
  methods: readonly Method[];
  letter: string;
  method: Method | null;
  /** Whether it is the method in use, which is chosen elsewhere. */
  fixed: boolean;
  setting: number;
  limits: Limits;
  /** Returns the values used where its limits are empty. */
  inUse: () => Given;
  embedders: readonly { name: string; label: string }[];
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
  readonly #max = h('input', { type: 'number', min: 0, step: 1 });
  readonly #overlap = h('input', { type: 'number', min: 0, step: 1 });
  readonly #maxField = h('label', {}, h('span'), this.#max);
  readonly #overlapField = h('label', {}, h('span', {}, words.overlap), this.#overlap);
  readonly #embedder = h('select');
  readonly #limits = h('div', { class: 'limits' }, this.#maxField, this.#overlapField, this.#embedder);
  readonly #inUse: CompareRowOptions['inUse'];
  readonly #sizes = h('small', { class: 'made' });
  readonly #bars = h('div', { class: 'lengths', 'aria-hidden': 'true' }); // the text next to them says the same
  readonly #apart = h('small', { class: 'pk', hidden: true });
  readonly #alike = h('small', { class: 'alike', hidden: true });
  readonly #found = h('small', { class: 'found', hidden: true });
  readonly #use: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor({
    methods,
    letter,
    method,
    fixed,
    setting,
    limits,
    inUse,
    embedders,
    changed,
    use,
    remove,
  }: CompareRowOptions) {
    this.#method = method;
    this.#inUse = inUse;
    this.#use = button(words.use, use, { class: 'small' });
    this.#remove = button('', remove, { class: 'small quiet', 'data-icon': 'close' });
    this.#select.append(...groupedOptions(methods));
    this.#select.addEventListener('change', () => {
      const chosen = methods.find(({ name }) => name === this.#select.value) ?? null;
      this.set(chosen, chosen?.setting?.default ?? 0, this.limits);
      changed();
    });
    this.#embedder.append(...options([{ name: '', label: words.sameEmbedder }, ...embedders]));
    this.#embedder.addEventListener('change', changed);
    for (const input of [this.#number, this.#max, this.#overlap]) {
      input.addEventListener('change', () => {
        const { valid, badInput } = input.validity;
        setAttribute(input, 'aria-invalid', valid ? null : 'true');
        if (valid && (input !== this.#number || input.value)) changed();
        else if (input !== this.#number) this.tell(strings.settings.impossible(badInput ? '' : input.value));
      });
    }
    this.element = h(
      'li',
      { class: fixed ? 'fixed' : '' },
      this.#badge,
      h('div', { class: 'which' }, fixed ? this.#name : this.#select, fixed ? null : this.#number),
      fixed ? h('small', { class: 'in-use' }, words.inUse) : h('div', { class: 'acts' }, this.#use, this.#remove),
      fixed ? null : this.#limits,
      this.#sizes,
      this.#bars,
      this.#apart,
      this.#alike,
      this.#found,
    );
    this.rename(letter);
    this.set(method, setting, limits);
  }

  get method(): Method | null {
    return this.#method;
  }

  get setting(): number {
    return this.#number.value ? this.#number.valueAsNumber : (this.#method?.setting?.default ?? 0);
  }

  get limits(): Limits {
    const number = (input: HTMLInputElement) => (input.value && input.validity.valid ? input.valueAsNumber : undefined);
    const [maxTokens, overlap] = [number(this.#max), this.#overlapField.hidden ? undefined : number(this.#overlap)];
    const embedder = this.#embedder.hidden ? '' : this.#embedder.value;
    return {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(overlap !== undefined && { overlap }),
      ...(embedder && { embedder }),
    };
  }

  set(method: Method | null, setting: number, { maxTokens, overlap, embedder = '' }: Limits = {}): void {
    this.#method = method;
    this.#max.value = maxTokens === undefined ? '' : String(maxTokens);
    this.#overlap.value = overlap === undefined ? '' : String(overlap);
    this.#embedder.value = embedder;
    if (this.#embedder.selectedIndex < 0) this.#embedder.value = ''; // the method no longer exists
    this.#overlapField.hidden = !method?.takesOverlap;
    this.#embedder.hidden = !method?.needsVectors || this.#embedder.options.length < 3;
    this.update();
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

  /** Updates the row after the settings in use have changed. */
  update(): void {
    const { maxTokens, overlap, unit } = this.#inUse();
    const most = maxTokens || this.#method?.maxTokens || 0;
    this.#max.placeholder = most > 0 ? String(most) : words.noMax;
    this.#overlap.placeholder = String(overlap);
    setText(this.#maxField.firstElementChild as Element, words.max(unit));
    this.#max.setAttribute('aria-label', words.asInUse(this.#letter, words.max(unit)));
  }

  rename(letter: string): void {
    this.#letter = letter;
    setText(this.#badge, letter);
    this.#select.setAttribute('aria-label', words.row(letter));
    this.#overlap.setAttribute('aria-label', words.asInUse(letter, words.overlap));
    this.update();
    this.#embedder.setAttribute('aria-label', words.embedderOf(letter));
    this.#use.setAttribute('aria-label', words.useNamed(letter));
    this.#remove.setAttribute('aria-label', words.remove(letter));
  }

  /**
   * Shows the result or the reason for its absence, and a histogram of chunk lengths.
   * `bars` are shares of the highest bar.
   */
  tell(what: string, bars: readonly number[] = []): void {
    setText(this.#sizes, what);
    this.#bars.replaceChildren(
      ...bars.map((share) => {
        const bar = h('i');
        bar.style.blockSize = share ? `max(2px, ${100 * share}%)` : '1px';
        return bar;
      }),
    );
  }

  /** Shows the difference from the method in use; empty means unknown. */
  tellApart(what: string): void {
    setText(this.#apart, what);
    this.#apart.hidden = what === '';
  }

  /** Shows the similarity of sentences inside and between its chunks; empty means unknown. */
  tellAlike(what: string): void {
    setText(this.#alike, what);
    this.#alike.hidden = what === '';
  }

  /** Returns the search result shown last. */
  get found(): string {
    return this.#found.textContent ?? '';
  }

  /**
   * Shows how a search finds the answers in its chunks; empty means that there are no
   * questions.
   */
  tellFound(what: string): void {
    setText(this.#found, what);
    this.#found.hidden = what === '';
  }

  focus(): void {
    this.#select.focus();
  }
}
