// The search box at the top. The list of results is loaded with the first document.

import { h, setAttribute } from '../ground/dom.ts';
import type { Search } from './search.ts';
import { strings } from '../words/en/page.ts';

export class SearchBox {
  readonly #search: Search;
  readonly input = h('input', {
    type: 'search',
    id: 'search',
    dir: 'auto',
    placeholder: strings.search.placeholder,
    'aria-label': strings.search.label,
    autocomplete: 'off',
    enterkeyhint: 'search',
    'aria-keyshortcuts': 'Control+K Meta+K',
  });
  readonly element = h('form', { class: 'search', role: 'search' }, this.input);
  /** Moves the focus from the box to the first hit; returns false if there is none. */
  onDown: () => boolean = () => false;

  constructor(search: Search) {
    this.#search = search;
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void search.ask(this.input.value);
    });
    for (const event of ['pointerenter', 'focus']) this.input.addEventListener(event, () => void search.prepare());
    this.input.addEventListener('input', () => search.typed(this.input.value));
    this.input.addEventListener('keydown', (event) => {
      if (event.isComposing) return; // the key belongs to the input method
      if (event.key === 'Escape') this.clear(event);
      if (event.key === 'ArrowDown' && this.onDown()) event.preventDefault();
    });
    // Browsers send `search` for the cross that they draw in a search field.
    this.input.addEventListener('search', () => {
      if (!this.input.value) search.clear();
    });
  }

  /** Names the documents searched; an empty text means all. */
  within(scope: string): void {
    const within = scope && strings.search.within(scope);
    setAttribute(this.input, 'placeholder', within || strings.search.placeholder);
    setAttribute(this.input, 'aria-label', within || strings.search.label);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  clear(event: KeyboardEvent): void {
    event.preventDefault();
    this.input.value = '';
    this.#search.clear();
    this.input.focus();
  }
}
