// The list of all documents, in the place of the text: folders, filters, and actions for many
// documents. A bundle of its own, loaded on first use: see lazy.ts.

import css from '../../styles/folder.css';
import type { EngineClient } from '../../lib/workers.ts';
import { adopt, button, h, setAttribute, setText } from '../ground/dom.ts';
import type { NoticeAction } from '../ground/notice.ts';
import type { Doc } from '../session/doc.ts';
import { folderOf, tagsOf } from '../session/parts.ts';
import type { Session } from '../session/session.ts';
import { folder as words } from '../words/en/folder.ts';
import { FolderBar } from './folder-bar.ts';
import { FolderGrid } from './folder-grid.ts';
import { docsOf, GROUPS, groupOf, itemsOf, SORTS, type Group, type Sort } from './folder-rows.ts';
import { FolderSide } from './folder-side.ts';
import type { Intake } from './intake.ts';

export interface FolderPlaces {
  session: Session;
  engine: EngineClient;
  intake: Intake;
  /** The view goes to its end, and hides the rest. */
  main: HTMLElement;
  /** The list of documents at the side, whose rows lead back to the text. */
  list: HTMLElement;
  /** Called when the view was left with the keyboard, to move the focus. */
  left: () => void;
  search: (docs: readonly Doc[]) => void;
  /** Called after a change of tags. */
  tagged: (text: string, undo: NoticeAction) => void;
  say: (text: string) => void;
}

adopt(css);

export class FolderView {
  readonly #places: FolderPlaces;
  readonly #title = h('h2', { id: 'folder-title' });
  readonly #counts = h('p', { class: 'soft' });
  readonly #filter = h('input', { type: 'search', 'aria-label': words.filter, placeholder: words.filter });
  readonly #chips = new Map<Group | null, HTMLButtonElement>();
  readonly #sort = h(
    'select',
    { id: 'folder-sort' },
    ...SORTS.map((name) => h('option', { value: name }, words.sorts[name])),
  );
  readonly #tag = h('select', { id: 'folder-tag' });
  readonly #tagField = h(
    'div',
    { class: 'field inline', hidden: true },
    h('label', { for: 'folder-tag' }, words.tagFilter),
    this.#tag,
  );
  readonly #none = h('p', { class: 'soft none', hidden: true }, words.none);
  readonly #grid: FolderGrid;
  readonly #bar: FolderBar;
  readonly #side: FolderSide;
  readonly element: HTMLElement;
  readonly #folded = new Set<string>();
  #group: Group | null = null;
  #frame = 0;

  constructor(places: FolderPlaces) {
    this.#places = places;
    const { session, engine, list, main, search, tagged, say } = places;
    const remove = (docs: readonly Doc[]) => this.#remove(docs);
    this.#grid = new FolderGrid({
      session,
      open: (doc) => this.#open(doc),
      fold: (path) => this.#fold(path),
      chosen: () => this.#bar.update(),
      remove,
    });
    const chosen = () => this.#chosen();
    this.#bar = new FolderBar({ session, engine, chosen, search, remove, tagged, say });
    this.#side = new FolderSide((doc) => this.#goTo(doc));
    this.element = h(
      'section',
      { class: 'all-documents', 'aria-labelledby': 'folder-title', hidden: true },
      h('div', { class: 'folder-main' }, this.#head(), this.#grid.element, this.#none, this.#bar.element),
      this.#side.element,
    );
    main.append(this.element);
    this.#listen();
    list.addEventListener('click', ({ target }) => {
      if ((target as Element).closest('.select')) this.hide();
    });
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  show(): void {
    this.element.hidden = false;
    document.body.classList.add('lists-all');
    this.#update();
    this.#grid.focus();
  }

  /** Shows the text again. */
  hide(): void {
    if (!this.shown) return;
    this.element.hidden = true;
    document.body.classList.remove('lists-all');
  }

  /** Leaves the view and returns the focus to where the user came from. */
  #leave(): void {
    this.hide();
    this.#places.left();
  }

  #head(): HTMLElement {
    const chips = h('div', { class: 'chips', role: 'group', 'aria-label': words.byState });
    for (const group of [null, ...GROUPS]) {
      const chip = button('', () => this.#filterBy(group), { class: 'chip' });
      this.#chips.set(group, chip);
      chips.append(chip);
    }
    return h(
      'div',
      { class: 'folder-head' },
      h(
        'div',
        { class: 'line' },
        this.#title,
        this.#counts,
        button(words.add, () => this.#places.intake.choose(), { class: 'primary' }),
        button(words.close, () => this.#leave(), { class: 'plain' }),
      ),
      h(
        'div',
        { class: 'line' },
        this.#filter,
        chips,
        this.#tagField,
        h('div', { class: 'field inline' }, h('label', { for: 'folder-sort' }, words.sort), this.#sort),
      ),
    );
  }

  #listen(): void {
    const { session } = this.#places;
    for (const event of ['documents', 'chunked', 'removed'] as const) session.on(event, () => this.#later());
    session.on('passage', (passage) => {
      if (passage) this.hide();
    });
    this.#filter.addEventListener('input', () => this.#filtered());
    this.#sort.addEventListener('change', () => this.#update());
    this.#tag.addEventListener('change', () => this.#filtered());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (event.target === this.#filter && this.#filter.value) return; // it clears the field
      if ((event.target as Element).closest('[popover]')) return;
      this.#leave();
    });
    this.#filter.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.#grid.focus();
    });
  }

  #items() {
    return itemsOf(this.#places.session.docs, {
      filter: this.#filter.value,
      group: this.#group,
      tag: this.#tag.value,
      sort: this.#sort.value as Sort,
      folded: this.#folded,
    });
  }

  /** Updates once per frame, because progress comes more often. */
  #later(): void {
    if (!this.shown) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#update();
    });
  }

  #update(): void {
    const { session, intake } = this.#places;
    const { docs } = session;
    if (docs.length === 0) return this.hide();
    const counts = { ready: 0, saved: 0, reading: 0, needs: 0 };
    for (const doc of docs) counts[groupOf(doc)]++;
    setText(this.#title, words.title(docs.length));
    setText(this.#counts, `${words.counts(counts)}.${counts.reading > 0 ? ` ${words.goesOn}` : ''}`);
    for (const [group, chip] of this.#chips) {
      const n = group ? counts[group] : docs.length;
      setText(chip, `${words.groups[group ?? 'all']} ${n}`);
      setAttribute(chip, 'aria-pressed', String(group === this.#group));
      chip.hidden = n === 0 && group !== this.#group;
    }
    this.#showTags(tagsOf(docs));
    const items = this.#items();
    this.#grid.show(items);
    this.#none.hidden = items.length > 0;
    this.#bar.update();
    this.#side.update(docs, intake.left);
  }

  /** Offers the tags of the list. A filter by a tag that is gone ends. */
  #showTags(tags: readonly string[]): void {
    this.#tagField.hidden = tags.length === 0;
    const values = ['', ...tags];
    if (JSON.stringify(values) === JSON.stringify([...this.#tag.options].map(({ value }) => value))) return;
    const { value } = this.#tag;
    this.#tag.replaceChildren(...values.map((tag) => h('option', { value: tag }, tag || words.anyTag)));
    this.#tag.value = values.includes(value) ? value : '';
  }

  #filterBy(group: Group | null): void {
    this.#group = group;
    this.#filtered();
  }

  #filtered(): void {
    this.#update();
    this.#places.say(words.shown(docsOf(this.#items()).length));
  }

  #fold(path: string): void {
    if (!this.#folded.delete(path)) this.#folded.add(path);
    this.#update();
  }

  #chosen(): Doc[] {
    return docsOf(this.#items()).filter((doc) => this.#grid.chosen.has(doc));
  }

  #open(doc: Doc): void {
    this.hide();
    this.#places.session.select(doc);
    document.getElementById('text')?.focus();
  }

  /** Shows the row of a document, and drops a filter that hides it. */
  #goTo(doc: Doc): void {
    this.#folded.delete(folderOf(doc));
    if (!this.#items().includes(doc)) {
      this.#filter.value = this.#tag.value = '';
      this.#group = null;
    }
    this.#update();
    this.#grid.focus(doc);
  }

  #remove(docs: readonly Doc[]): void {
    if (docs.length === 0) return;
    this.#places.session.removeAll(docs);
    this.#update();
    if (docs.length > 1) this.#places.say(words.removed(docs.length));
    if (this.shown) this.#grid.focus();
  }
}
