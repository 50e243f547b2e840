// The list of what a search has found, and how and where it searches.

import type { Hit, SearchMode } from '../lib/api.ts';
import { button, h, setText } from './dom.ts';
import { hitCard } from './hit-card.ts';
import { narrow } from './narrow.ts';
import type { SearchBox } from './search-box.ts';
import type { Search, SearchState } from './search.ts';
import { explained, strings } from './strings.ts';

export class SearchView {
  readonly #search: Search;
  readonly #box: SearchBox;
  readonly #status = h('p', { class: 'hint' }, strings.search.start);
  readonly #stop: HTMLButtonElement;
  readonly #mode = h('select', { id: 'search-mode' });
  readonly #only = h('select', { id: 'search-in' });
  readonly #onlyField = h('div', { class: 'field inline' }, h('label', { for: 'search-in' }, strings.search.only), this.#only);
  readonly #list = h('ol', { class: 'cards hits' });
  #shown = '[]';

  /** `into` is the tab's own. */
  constructor(search: Search, box: SearchBox, into: HTMLElement) {
    this.#search = search;
    this.#box = box;
    this.#stop = button(strings.documents.stop, () => search.stop(), { class: 'small', hidden: true });
    this.#mode.append(...Object.entries(strings.search.modes).map(([value, label]) => h('option', { value }, label)));
    into.append(
      h('div', { class: 'field inline' }, h('label', { for: 'search-mode' }, strings.search.mode), this.#mode), this.#onlyField,
      h('div', { class: 'bar' }, this.#status, this.#stop), this.#list);
    this.#listen(into);
    search.on('changed', (state) => this.#show(state));
    search.on('ready', () => this.#showDocuments());
    this.#showDocuments();
  }

  #listen(into: HTMLElement): void {
    this.#box.onDown = () => this.#focusHit();
    into.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.#box.clear(event); });
    this.#list.addEventListener('keydown', (event) => this.#walk(event));
    this.#only.addEventListener('change', () => {
      this.#search.only = this.#search.ready.find(({ key }) => String(key) === this.#only.value) ?? null;
    });
    this.#mode.addEventListener('change', () => { this.#search.mode = this.#mode.value as SearchMode; });
  }

  #focusHit(): boolean {
    const first = this.#list.querySelector('button');
    first?.focus();
    return first !== null;
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
    } else if (at === 0) this.#box.input.focus();
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
