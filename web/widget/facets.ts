// What the search is narrowed to, and whether the newest pages come first: by the owner, by
// the page that the reader is on, and by the reader.

import { facetsOfPage, filtersOf } from './around.ts';
import { node } from './parts.ts';
import type { Options, Results } from './site.ts';
import type { Strings } from './strings.ts';

export class Facets {
  readonly element = node('div', 'facets');
  readonly #filters: Record<string, string[]>; // of the owner, and what the reader has chosen
  #page = ''; // what the page said of itself when results were shown last
  #collator: Intl.Collator | undefined;
  #format: Intl.NumberFormat | undefined;
  newest = false;

  constructor(
    readonly host: HTMLElement & { language: string },
    readonly strings: Strings,
    readonly search: () => Promise<void>,
  ) {
    this.#filters = filtersOf(host);
    setTimeout(() => this.#names);
    setTimeout(() => this.#numbers);
  }

  // The first of each takes a slow machine tens of milliseconds: they are made apart, before
  // anybody has typed, and once.
  get #names(): Intl.Collator {
    return (this.#collator ??= new Intl.Collator(this.host.language, { numeric: true }));
  }

  get #numbers(): Intl.NumberFormat {
    return (this.#format ??= new Intl.NumberFormat(this.host.language));
  }

  /** What a search is asked with. */
  get options(): Pick<Options, 'filters' | 'page' | 'newest'> {
    return { filters: this.#filters, page: facetsOfPage(this.host), newest: this.newest };
  }

  /** Whether the page has become another since then, without being loaded. */
  get moved(): boolean {
    return this.#page !== JSON.stringify(facetsOfPage(this.host));
  }

  clear(): void {
    this.element.replaceChildren();
  }

  /** For each filter of the index its values, with how many pages each has, and the order where pages have dates. */
  show({ found, filters, dated }: Results): void {
    this.#page = JSON.stringify(facetsOfPage(this.host));
    const shown = [...found.facets].filter(([name, values]) => values.size > 1 || filters[name]);
    this.element.replaceChildren(...shown.map(([name, values]) => this.#choice(name, values, filters[name]?.[0])));
    if (dated) this.element.append(this.#order());
  }

  #choice(name: string, values: Map<string, number>, now = ''): HTMLElement {
    const label = node('label', 'facet');
    const select = document.createElement('select');
    const all = [...values].sort(([a], [b]) => this.#names.compare(a, b));
    select.append(
      new Option(this.strings.all, ''),
      ...all.map(([value, n]) => new Option(`${value} (${this.#numbers.format(n)})`, value)),
    );
    select.value = now;
    select.addEventListener('change', () => {
      this.#filters[name] = select.value ? [select.value] : []; // of all values, and not of the page's
      this.#again(`select[name="${CSS.escape(name)}"]`);
    });
    select.name = name;
    label.append(name, select);
    return label;
  }

  /** Whether the best pages come first, or the newest. */
  #order(): HTMLElement {
    const label = node('label', 'facet order');
    const select = document.createElement('select');
    select.append(new Option(this.strings.best, ''), new Option(this.strings.newest, 'newest'));
    select.value = this.newest ? 'newest' : '';
    select.addEventListener('change', () => {
      this.newest = select.value !== '';
      this.#again('.order select');
    });
    label.append(this.strings.order, select);
    return label;
  }

  /** Searches anew, after which the focus is where it was. */
  #again(selector: string): void {
    void this.search().then(() => this.element.querySelector<HTMLSelectElement>(selector)?.focus());
  }
}
