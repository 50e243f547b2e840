// The search box at the top and the list of what was found.

import type { Hit, SearchMode } from '../lib/api.ts';
import { button, h, setText } from './dom.ts';
import { hitCard } from './hit-card.ts';
import { narrow } from './narrow.ts';
import type { Search, SearchState } from './search.ts';
import { explained, strings } from './strings.ts';

export class SearchView {
  readonly #search: Search;
  readonly input = h('input', {
    type: 'search', id: 'search', dir: 'auto', placeholder: strings.search.placeholder, 'aria-label': strings.search.label,
    autocomplete: 'off', enterkeyhint: 'search', 'aria-keyshortcuts': 'Control+K Meta+K',
  });
  readonly box = h('form', { class: 'search', role: 'search' }, this.input);
  readonly #status = h('p', { class: 'hint' }, strings.search.start);
  readonly #stop: HTMLButtonElement;
  readonly #mode = h('select', { id: 'search-mode' });
  readonly #only = h('select', { id: 'search-in' });
  readonly #onlyField = h('div', { class: 'field inline' }, h('label', { for: 'search-in' }, strings.search.only), this.#only);
  readonly #list = h('ol', { class: 'cards hits' });
  readonly element: HTMLElement;
  #shown = '[]';

  constructor(search: Search) {
    this.#search = search;
    this.#stop = button(strings.documents.stop, () => search.stop(), { class: 'small', hidden: true });
    this.#mode.append(...Object.entries(strings.search.modes).map(([value, label]) => h('option', { value }, label)));
    this.element = h('div', {},
      h('div', { class: 'field inline' }, h('label', { for: 'search-mode' }, strings.search.mode), this.#mode), this.#onlyField,
      h('div', { class: 'bar' }, this.#status, this.#stop), this.#list);
    this.#listen();
    search.on('changed', (state) => this.#show(state));
    search.on('ready', () => this.#showDocuments());
    this.#showDocuments();
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  #listen(): void {
    this.box.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#search.ask(this.input.value);
    });
    this.input.addEventListener('focus', () => void this.#search.prepare());
    this.input.addEventListener('input', () => this.#search.typed(this.input.value));
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#clear(event);
      if (event.key === 'ArrowDown') this.#focusHit(event);
    });
    // The cross that browsers draw in a search field.
    this.input.addEventListener('search', () => { if (!this.input.value) this.#search.clear(); });
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#clear(event);
    });
    this.#list.addEventListener('keydown', (event) => this.#walk(event));
    this.#only.addEventListener('change', () => {
      this.#search.only = this.#search.ready.find(({ key }) => String(key) === this.#only.value) ?? null;
    });
    this.#mode.addEventListener('change', () => { this.#search.mode = this.#mode.value as SearchMode; });
  }

  #clear(event: KeyboardEvent): void {
    event.preventDefault();
    this.input.value = '';
    this.#search.clear();
    this.input.focus();
  }

  #focusHit(event: KeyboardEvent): void {
    const first = this.#list.querySelector('button');
    if (!first) return;
    event.preventDefault();
    first.focus();
  }

  /** Along the hits; beside the text each is shown in it. */
  #walk(event: KeyboardEvent): void {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const cards = [...this.#list.querySelectorAll<HTMLElement>('.card')];
    const at = cards.findIndex((card) => card === document.activeElement);
    const next = cards[at + way];
    if (next) {
      next.focus();
      if (!narrow.matches) next.click();
    } else if (at === 0) this.input.focus();
  }

  /** One of several documents can be searched alone. The way of searching may have been set elsewhere. */
  #showDocuments(): void {
    const { ready, only } = this.#search;
    this.#onlyField.hidden = ready.length < 2;
    const options = [['', strings.search.all], ...ready.map(({ key, name }) => [String(key), name])];
    if (JSON.stringify(options) !== JSON.stringify([...this.#only.options].map(({ value, text }) => [value, text]))) {
      this.#only.replaceChildren(...options.map(([value = '', label = '']) => h('option', { value }, label)));
    }
    this.#only.value = String(only?.key ?? '');
    this.#mode.value = this.#search.mode;
  }

  #show(state: SearchState): void {
    this.#stop.hidden = state.kind !== 'busy';
    setText(this.#status, this.#describe(state));
    if (state.kind === 'busy') return; // the old hits stay until there are new ones
    const hits = state.kind === 'found' ? state.hits : [];
    // The same hits keep their elements, with the focus and a press that is under way.
    const shown = JSON.stringify(hits);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#list.replaceChildren(...hits.map((hit) => this.#card(hit)));
  }

  #describe(state: SearchState): string {
    if (state.kind === 'idle') return strings.search.start;
    if (state.kind === 'busy') return strings.search.busy;
    if (state.kind === 'failed') return explained(state.error);
    if (this.#search.ready.length === 0) return strings.search.noDocument;
    const { hits, unknown, corrections, missing, query } = state;
    return [
      hits.length > 0 ? strings.search.found(hits.length, query) : strings.search.none(query),
      ...corrections.map(({ word, taken }) => strings.search.taken(word, taken)),
      strings.search.unknown(unknown),
      ...missing.map(({ embedder, reason }) => strings.search.missing(embedder, reason)),
    ].filter(Boolean).join(' ');
  }

  #card(hit: Hit): HTMLLIElement {
    return hitCard(hit, strings.search.hit(hit.name, this.#search.pageOf(hit)), () => void this.#search.follow(hit));
  }
}
