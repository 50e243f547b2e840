// The rows of all documents, with one tab stop. Only the rows in view are in the page, so
// thousands of documents scroll as fast as ten.

import { h, setAttribute } from '../ground/dom.ts';
import { narrow } from '../ground/narrow.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { folder as words } from '../words/en/folder.ts';
import { DocRow, FolderRow, type GridRow } from './folder-row.ts';
import { docsOf, isFolder, type Item } from './folder-rows.ts';

/** The height of a row in pixels. On a phone its state has a line of its own. */
const height = () => (narrow.matches ? 60 : 28);
/** The rows drawn above and below the visible ones. */
const SPARE = 4;

export interface GridOptions {
  session: Session;
  open: (doc: Doc) => void;
  fold: (path: string) => void;
  /** Other documents are chosen. */
  chosen: () => void;
  remove: (docs: readonly Doc[]) => void;
}

export class FolderGrid {
  readonly #options: GridOptions;
  readonly #all = h('input', { type: 'checkbox', tabindex: -1, 'aria-label': words.chooseAll });
  readonly #space = h('div', { class: 'space', role: 'rowgroup' });
  readonly #view = h('div', { class: 'view', role: 'presentation' }, this.#space);
  readonly element: HTMLElement;
  readonly chosen = new Set<Doc>();
  #items: readonly Item[] = [];
  readonly #rows = new Map<Doc | string, GridRow>();
  /** The key of the row with the tab stop, and its last index. */
  #active: Doc | string | null = null;
  #at = 0;
  /** Where a range of chosen rows begins. */
  #anchor = 0;
  #frame = 0;

  constructor(options: GridOptions) {
    this.#options = options;
    const head = (kind: string, name: string) => h('div', { role: 'columnheader', class: kind }, name);
    this.element = h(
      'div',
      {
        role: 'treegrid',
        class: 'folder-grid',
        'aria-label': words.label,
        'aria-multiselectable': 'true',
        'aria-colcount': 5,
      },
      h(
        'div',
        { role: 'rowgroup' },
        h(
          'div',
          { role: 'row', class: 'frow head-row', 'aria-rowindex': 1 },
          h('div', { role: 'columnheader', class: 'pick', 'aria-label': words.columns.pick }, this.#all),
          head('what', words.columns.name),
          head('number', words.columns.pages),
          head('number', words.columns.chunks),
          head('state', words.columns.state),
        ),
      ),
      this.#view,
    );
    this.#all.addEventListener('click', () => this.#choose(docsOf(this.#items), this.#all.checked));
    this.#view.addEventListener('scroll', () => this.#later(), { passive: true });
    this.#space.addEventListener('keydown', (event) => this.#key(event));
    this.#space.addEventListener('click', (event) => this.#click(event));
    this.#space.addEventListener('focusin', ({ target }) => this.#focused(target as Element));
    new ResizeObserver(() => this.draw()).observe(this.#view);
  }

  /** Shows other rows. Documents that are no longer among them are no longer chosen. */
  show(items: readonly Item[]): void {
    this.#items = items;
    const shown = new Set(docsOf(items));
    let fewer = false;
    for (const doc of this.chosen) if (!shown.has(doc)) fewer = this.chosen.delete(doc) || fewer;
    const at = items.findIndex((item) => keyOf(item) === this.#active);
    this.#at = at >= 0 ? at : Math.max(0, Math.min(this.#at, items.length - 1));
    const item = items[this.#at];
    this.#active = item ? keyOf(item) : null;
    if (at < 0) this.#anchor = this.#at;
    this.draw();
    if (fewer) this.#options.chosen();
  }

  /** Moves the focus to a row, by default to the one with the tab stop. */
  focus(item?: Item): void {
    const at = item ? this.#items.indexOf(item) : this.#at;
    if (at >= 0 && this.#items.length > 0) this.#go(at);
  }

  /** Chooses nothing. */
  clear(): void {
    this.#choose([...this.chosen], false);
  }

  /** Draws the rows in view, and the one with the tab stop, which may have the focus. */
  draw(): void {
    const high = height();
    const { scrollTop, clientHeight } = this.#view;
    this.element.style.setProperty('--row', `${high}px`);
    this.#space.style.blockSize = `${this.#items.length * high}px`;
    setAttribute(this.element, 'aria-rowcount', this.#items.length + 1);
    const first = Math.max(0, Math.floor(scrollTop / high) - SPARE);
    const last = Math.min(this.#items.length, Math.ceil((scrollTop + clientHeight) / high) + SPARE);
    const wanted = [...Array(Math.max(0, last - first)).keys()].map((i) => first + i);
    if (this.#items[this.#at] && (this.#at < first || this.#at >= last)) wanted.push(this.#at);
    wanted.sort((a, b) => a - b);
    const focused = document.activeElement;
    const had = this.#space.contains(focused);
    this.#arrange(wanted);
    if (had && focused !== document.activeElement)
      if (focused?.isConnected) (focused as HTMLElement).focus({ preventScroll: true });
      else this.#rowAt(this.#at)?.element.focus({ preventScroll: true });
    const docs = docsOf(this.#items);
    this.#all.checked = docs.length > 0 && this.chosen.size === docs.length;
    this.#all.indeterminate = this.chosen.size > 0 && this.chosen.size < docs.length;
  }

  /** Puts rows into the page in their order, so that screen readers read them in turn. */
  #arrange(wanted: readonly number[]): void {
    const keys = new Set(wanted.map((at) => keyOf(this.#items[at] as Item)));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
    wanted.forEach((index, n) => {
      const item = this.#items[index] as Item;
      const row = this.#row(item);
      if (this.#space.children[n] !== row.element)
        this.#space.insertBefore(row.element, this.#space.children[n] ?? null);
      row.place({
        index,
        level: isFolder(item) || !item.name.includes('/') ? 1 : 2,
        chosen: isFolder(item) ? item.docs.every((doc) => this.chosen.has(doc)) : this.chosen.has(item),
        active: index === this.#at,
      });
    });
  }

  /** Returns the row of an item, up to date. */
  #row(item: Item): GridRow {
    let row = this.#rows.get(keyOf(item));
    if (!row)
      this.#rows.set(keyOf(item), (row = isFolder(item) ? new FolderRow() : new DocRow(item, this.#options.session)));
    if (row instanceof FolderRow) row.update(item as Exclude<Item, Doc>, this.chosen);
    else (row as DocRow).update();
    return row;
  }

  #rowAt(at: number): GridRow | undefined {
    const item = this.#items[at];
    return item && this.#rows.get(keyOf(item));
  }

  #later(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.draw();
    });
  }

  // ---- moving and choosing

  /** Moves the tab stop and the focus to a row. */
  #go(at: number): void {
    this.#at = Math.max(0, Math.min(at, this.#items.length - 1));
    const item = this.#items[this.#at];
    if (!item) return;
    this.#active = keyOf(item);
    const [top, high] = [this.#at * height(), height()];
    const { scrollTop, clientHeight } = this.#view;
    if (top < scrollTop) this.#view.scrollTop = top;
    else if (top + high > scrollTop + clientHeight) this.#view.scrollTop = top + high - clientHeight;
    this.draw();
    this.#rowAt(this.#at)?.element.focus({ preventScroll: true });
  }

  #choose(docs: readonly Doc[], on: boolean): void {
    for (const doc of docs)
      if (on) this.chosen.add(doc);
      else this.chosen.delete(doc);
    this.draw();
    this.#options.chosen();
  }

  /** Chooses from the anchor to a row, and nothing else. */
  #chooseTo(at: number): void {
    const [from, to] = at < this.#anchor ? [at, this.#anchor] : [this.#anchor, at];
    this.chosen.clear();
    this.#choose(docsOf(this.#items.slice(from, to + 1)), true);
  }

  #toggle(at: number): void {
    const item = this.#items[at];
    if (!item) return;
    this.#anchor = at;
    const docs = docsOf([item]);
    this.#choose(docs, !docs.every((doc) => this.chosen.has(doc)));
  }

  /** A row or a control in it has received the focus: it gets the tab stop. */
  #focused(target: Element): void {
    const at = this.#indexOf(target);
    if (at === this.#at || !this.#items[at]) return;
    this.#at = at;
    this.#active = keyOf(this.#items[at]);
    this.draw();
  }

  #indexOf(target: Element): number {
    return Number(target.closest('[aria-rowindex]')?.getAttribute('aria-rowindex') ?? 1) - 2;
  }

  #click(event: MouseEvent): void {
    const target = event.target as Element;
    const at = this.#indexOf(target);
    const item = this.#items[at];
    const picks = target.closest('.pick');
    if (!item || (!picks && target.closest('button, input, form'))) return;
    this.#go(at);
    if (event.shiftKey) this.#chooseTo(at);
    else if (picks || event.ctrlKey || event.metaKey) this.#toggle(at);
    else if (isFolder(item)) this.#options.fold(item.path);
    else if (target.closest('.name')) this.#options.open(item);
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as Element;
    if (target.getAttribute('role') !== 'row') {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      return this.#go(this.#at);
    }
    const page = Math.max(1, Math.floor(this.#view.clientHeight / height()) - 1);
    const moves: Record<string, number> = {
      ArrowDown: this.#at + 1,
      ArrowUp: this.#at - 1,
      PageDown: this.#at + page,
      PageUp: this.#at - page,
      Home: 0,
      End: this.#items.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      this.#go(to);
      if (event.shiftKey) this.#chooseTo(this.#at);
      else this.#anchor = this.#at;
    } else if (!this.#act(event)) return;
    event.preventDefault();
  }

  /** Handles the keys that do something with the row. Returns whether the key is one. */
  #act({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const item = this.#items[this.#at];
    if (!item) return false;
    const modified = ctrlKey || metaKey;
    if (modified && key.toLowerCase() === 'a') this.#choose(docsOf(this.#items), true);
    else if (modified) return false;
    else if (key === ' ') this.#toggle(this.#at);
    else if (key === 'Delete')
      this.#options.remove(this.chosen.size > 0 ? [...this.chosen] : isFolder(item) ? [] : [item]);
    else if (isFolder(item)) {
      const folds = key === 'Enter' || key === (item.folded ? 'ArrowRight' : 'ArrowLeft');
      if (!folds) return false;
      this.#options.fold(item.path);
    } else if (key === 'Enter') {
      if (!this.#rowAt(this.#at)?.enter()) this.#options.open(item);
    } else if (key === 'ArrowLeft') {
      const parent = this.#items.findLastIndex((each, i) => i < this.#at && isFolder(each) && each.docs.includes(item));
      if (parent >= 0) this.#go(parent);
    } else return false;
    return true;
  }
}

const keyOf = (item: Item): Doc | string => (isFolder(item) ? item.path : item);
