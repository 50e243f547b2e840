// The filters of the search and the order by date, as set by the owner, by the current
// page, and by the reader.

import { facetsOfPage, filtersOf } from './around.ts';
import { node } from './parts.ts';
import type { Options, Results } from './site.ts';
import type { Strings } from './strings.ts';

export class Facets {
  readonly element = node('div', 'facets');
  readonly #filters: Record<string, string[]>; // the owner's filters and the reader's choices
  #page = ''; // the page's facets at the last results
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

  // Creating the first of each takes tens of milliseconds on a slow machine. They are
  // therefore created once, separately, before the reader types.
  get #names(): Intl.Collator {
    return (this.#collator ??= new Intl.Collator(this.host.language, { numeric: true }));
  }

  get #numbers(): Intl.NumberFormat {
    return (this.#format ??= new Intl.NumberFormat(this.host.language));
  }

  /** Returns the filter options of a search. */
  get options(): Pick<Options, 'filters' | 'page' | 'newest'> {
    return { filters: this.#filters, page: facetsOfPage(this.host), newest: this.newest };
  }

  /** Reports whether the page's facets have changed since then without a reload. */
  get moved(): boolean {
    return this.#page !== JSON.stringify(facetsOfPage(this.host));
  }

  clear(): void {
    this.element.replaceChildren();
  }

  /**
   * Shows the values of each filter of the index with their page counts, and the choice of
   * order if pages have dates.
   */
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
      this.#filters[name] = select.value ? [select.value] : []; // [] means all values, overriding the page's
      this.#again(`select[name="${CSS.escape(name)}"]`);
    });
    select.name = name;
    label.append(name, select);
    return label;
  }

  /** Creates the choice between best and newest pages first. */
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

  /** Searches again, then restores the focus. */
  #again(selector: string): void {
    void this.search().then(() => this.element.querySelector<HTMLSelectElement>(selector)?.focus());
  }
}
