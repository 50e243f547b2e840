// The list of search results, and the choices of mode and document.

import type { Hit, SearchMode } from '../../lib/api.ts';
import { button, h, setText } from '../ground/dom.ts';
import { hitCard, passageCard } from '../ground/hit-card.ts';
import { isolated } from '../../lib/isolated.ts';
import { merged, sameHit } from '../../lib/merge.ts';
import { crowded, narrow } from '../ground/narrow.ts';
import type { SearchBox } from './search-box.ts';
import { HITS, type Search } from './search.ts';
import type { SearchState } from './search-state.ts';
import { partsOf, type Part } from '../session/parts.ts';
import { isCovered, unreadOf } from '../session/shelf.ts';
import { explained, say, strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

/** The value for the remote collection among the documents. */
const REMOTE = 'remote';
/** The prefixes of the values for parts of the list. */
const PARTS = { tag: 'tag:', folder: 'folder:' } as const;
/** The value for several chosen documents. */
const CHOSEN = 'chosen';

const valueOf = ({ kind, name }: Part): string => PARTS[kind] + name;

/** After this time the user has probably begun to read an answer. */
const READ_MS = 500;

/** How many documents with unread parts are named. */
const NAMED = 3;

export class SearchView {
  readonly #search: Search;
  readonly #box: SearchBox;
  readonly #status = h('p', { class: 'hint' }, shown.search.start);
  readonly #stop: HTMLButtonElement;
  readonly #mode = h('select', { id: 'search-mode' });
  readonly #modeField = h(
    'div',
    { class: 'field inline' },
    h('label', { for: 'search-mode' }, shown.search.mode),
    this.#mode,
  );
  readonly #only = h('select', {
    id: 'search-in',
    class: 'scope',
    title: shown.search.only,
    'aria-label': shown.search.only,
  });
  readonly #list = h('ol', { class: 'cards hits' });
  #hits: readonly Hit[] = [];
  /**
   * The hits in their best order, while the list keeps an older order because the user is
   * reading it.
   */
  #best: readonly Hit[] = [];
  readonly #order = button(shown.bestFirst, () => this.#reorder(), { class: 'small', hidden: true });
  /** The time of the first answer to the question. */
  #since = 0;

  /** `into` is the content of the tab; `more` goes below the fields. */
  constructor(search: Search, box: SearchBox, into: HTMLElement, more: readonly HTMLElement[]) {
    this.#search = search;
    this.#box = box;
    this.#stop = button(strings.documents.stop, () => search.stop(), { class: 'small', hidden: true });
    this.#mode.append(...Object.entries(shown.search.modes).map(([value, label]) => h('option', { value }, label)));
    into.append(
      this.#modeField,
      ...more,
      h('div', { class: 'bar' }, this.#status, this.#order, this.#stop),
      this.#list,
    );
    this.#listen(into);
    const placeScope = () => (crowded.matches ? into : box.element).prepend(this.#only);
    crowded.addEventListener('change', placeScope);
    placeScope();
    search.on('changed', (state) => this.#show(state));
    search.on('ready', () => {
      this.#showDocuments();
      setText(this.#status, this.#describe(search.state));
    });
    this.#showDocuments();
  }

  #listen(into: HTMLElement): void {
    this.#box.onDown = () => this.#focusHit();
    into.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#box.clear(event);
    });
    this.#list.addEventListener('keydown', (event) => this.#walk(event));
    this.#only.addEventListener('change', () => {
      const part = partsOf(this.#search.within).find((each) => valueOf(each) === this.#only.value);
      if (this.#only.value === REMOTE) this.#search.searchRemote();
      else if (part) this.#search.part = part;
      else if (this.#only.value !== CHOSEN) {
        const one = this.#search.within.find(({ key }) => String(key) === this.#only.value);
        this.#search.only = one ? [one] : null;
      }
    });
    this.#mode.addEventListener('change', () => {
      this.#search.mode = this.#mode.value as SearchMode;
    });
  }

  #focusHit(): boolean {
    const first = this.#list.querySelector('button');
    first?.focus();
    return first !== null;
  }

  /** Moves along the hits with the arrow keys. Next to the text, each hit is also shown in it. */
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

  /** Offers to search one of several documents, or a part of the list. The mode may have been changed elsewhere. */
  #showDocuments(): void {
    const { within, only, part, remote, atRemote } = this.#search;
    this.#only.hidden = within.length < 2 && !remote;
    const options = [
      ['', shown.search.all],
      ...(!part && only && only.length > 1 ? [[CHOSEN, shown.search.chosen(only.length)]] : []),
      ...partsOf(within).map((each) => [valueOf(each), shown.search.parts[each.kind](each.name)]),
      ...within.map(({ key, name }) => [String(key), name]),
      ...(remote ? [[REMOTE, remote.label]] : []),
    ];
    if (JSON.stringify(options) !== JSON.stringify([...this.#only.options].map(({ value, text }) => [value, text]))) {
      this.#only.replaceChildren(...options.map(([value = '', label = '']) => h('option', { value }, label)));
    }
    const value = part ? valueOf(part) : only && only.length > 1 ? CHOSEN : String(only?.[0]?.key ?? '');
    this.#only.value = atRemote ? REMOTE : value;
    this.#mode.value = this.#search.mode;
    const names = atRemote && remote ? [remote.label] : (only ?? []).map(({ name }) => name);
    this.#box.within(
      part && !atRemote
        ? shown.search.partOf[part.kind](part.name)
        : names.length > 1
          ? shown.search.chosen(names.length)
          : (names[0] ?? ''),
    );
    this.#showMode();
  }

  /** The choice of mode is one of all settings, unless it is changed or may help. */
  #showMode(): void {
    const { state, mode } = this.#search;
    const helps = state.kind === 'found' && this.#hits.length === 0;
    this.#modeField.classList.toggle('further', mode === 'hybrid' && !helps);
  }

  #show(state: SearchState): void {
    this.#stop.hidden = state.kind !== 'busy';
    if (state.kind !== 'busy')
      this.#take(state); // the old hits stay until there are new ones
    else if (state.early) this.#take({ kind: 'found', query: state.query, ...state.early });
    setText(this.#status, this.#describe(state));
    this.#showMode();
  }

  #take(state: SearchState): void {
    const more = state.kind === 'found' && state.more;
    this.#best = state.kind === 'found' ? state.hits : [];
    if (!more) this.#since = performance.now();
    this.#put(more && this.#read ? merged(this.#hits, this.#best) : this.#best);
  }

  #put(hits: readonly Hit[]): void {
    this.#order.hidden = hits === this.#best || hits.every((hit, i) => sameHit(hit, this.#best[i]));
    // Equal hits keep their elements, and with them the focus and a press in progress.
    const before = [...this.#list.children];
    const cards = hits.map(
      (hit) =>
        before[this.#hits.findIndex((shown) => JSON.stringify(shown) === JSON.stringify(hit))] ?? this.#card(hit),
    );
    for (const card of before) if (!cards.includes(card)) card.remove();
    for (const [i, card] of cards.entries())
      if (this.#list.children[i] !== card) this.#list.insertBefore(card, this.#list.children[i] ?? null);
    this.#hits = hits;
  }

  #reorder(): void {
    this.#put(this.#best);
    this.#focusHit();
  }

  /** Whether the user may be reading the list, which must then not move. */
  get #read(): boolean {
    return (
      this.#list.contains(document.activeElement) ||
      this.#list.matches(':hover') ||
      performance.now() - this.#since > READ_MS
    );
  }

  #describe(state: SearchState): string {
    const { atRemote, remote } = this.#search;
    if (state.kind === 'idle') return atRemote && remote ? remote.hint : shown.search.start;
    if (state.kind === 'busy')
      return state.early
        ? shown.search.early(this.#hits.length, this.#hits.length === HITS, isolated(state.query))
        : shown.search.busy;
    if (state.kind === 'failed') return explained(state.error);
    const { reading, failed } = atRemote ? { reading: 0, failed: 0 } : this.#search.apart;
    if (!atRemote && this.#search.within.length === 0 && reading === 0) return strings.search.empty;
    const { unknown, corrections, aside, missing } = state;
    const query = isolated(state.query);
    const n = this.#hits.length;
    const partly = this.#search.within.flatMap((doc) => {
      const notes = unreadOf(doc);
      return notes ? [{ name: doc.name, notes }] : [];
    });
    const { begun } = this.#search;
    if (begun && n === 0) return shown.search.goOn(isolated(begun));
    const lacks = n === 0 || unknown.length > 0 || corrections.length > 0;
    const { only, part } = this.#search;
    const several = !atRemote && only && (part || only.length > 1) ? only : null;
    const inside = several ? this.#search.apartOf(several) : { reading, failed };
    const whole = atRemote || reading + failed + partly.length === 0;
    const isAside = (each: string) => aside.some(({ word }) => word === each);
    return [
      several
        ? shown.search.onlyChosen(
            several.filter(isCovered).length,
            several.length,
            part && shown.search.partOf[part.kind](isolated(part.name)),
          )
        : '',
      n > 0 ? shown.search.found(n, n === HITS, query) : reading > 0 ? '' : shown.search.none(query, this.#search.mode),
      ...corrections
        .filter(({ word, taken }) => taken.startsWith(word) || !isAside(word))
        .map(({ word, taken }) => shown.search.taken(isolated(word), isolated(taken), taken.startsWith(word), whole)),
      ...aside.map(({ word, docs, hidden }) =>
        shown.search.aside(
          isolated(word),
          docs.map((doc) => isolated(this.#search.nameOf(doc))),
          hidden === true,
        ),
      ),
      shown.search.unknown(
        unknown.filter((word) => !isAside(word) && word !== begun.toLowerCase()).map(isolated),
        whole,
      ),
      atRemote ? '' : shown.search.apart(inside.reading, lacks ? inside.failed : 0),
      ...(lacks && !atRemote ? partly.slice(0, NAMED) : []).map(({ name, notes }) =>
        shown.search.unread(isolated(name), notes.map(say)),
      ),
      lacks && !atRemote && partly.length > NAMED ? shown.search.unreadMore(partly.length - NAMED) : '',
      ...missing.map(({ embedder, reason }) => shown.search.missing(embedder, reason)),
    ]
      .filter(Boolean)
      .join(' ');
  }

  #card(hit: Hit): HTMLLIElement {
    if (hit.doc === 0) return passageCard(hit);
    return hitCard(hit, shown.search.hit(hit.name, this.#search.pageOf(hit)), () => void this.#search.follow(hit));
  }
}
