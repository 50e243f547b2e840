// The list of documents: select, unlock, stop, retry, remove. It has one tab stop; the arrow
// keys move through its rows.

import { needsUser, type Doc } from '../session/doc.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { number, strings } from '../words/en/page.ts';
import { chunksOf } from './folder-rows.ts';
import { EncodingChoice } from './encoding.ts';
import { canRetry, describe, notes, readsAnyway, sameKeys, stateKey } from './states.ts';
import { UnlockForm } from './unlock.ts';

/** From this number of rows on, a document that is well takes one line. */
const MANY = 7;
/** The most rows, besides the one of the shown document. The list of all documents has the others. */
const MOST = 250;

/** One row. It reuses its elements, so progress does not move the focus. */
class Row {
  readonly #state = h('span', { class: 'state' });
  /** The number of chunks, if the row has one line. */
  readonly #size = h('span', { class: 'size', 'aria-hidden': 'true' });
  readonly #notes = h('span', { class: 'notes' });
  readonly #kept = h('span', { class: 'kept' });
  readonly #bar = h('progress');
  readonly #work = h('div', { class: 'work' });
  readonly #select: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;
  readonly #name: HTMLElement;
  readonly #unlock: UnlockForm;
  readonly #encoding: EncodingChoice;
  readonly element: HTMLLIElement;
  /** The state shown now. */
  #shown: readonly unknown[] = [];
  #reached: boolean | null = null;

  constructor(doc: Doc, session: Session) {
    this.#select = button('', () => session.select(doc), { class: 'select' });
    this.#name = h('span', { class: 'name' });
    this.#select.setAttribute('aria-keyshortcuts', 'Delete');
    this.#select.append(this.#name, this.#size, ' ', this.#state, ' ', this.#kept, ' ', this.#notes); // screen readers read them as words
    this.#stop = button(strings.documents.stop, () => session.stop(doc), { class: 'small' });
    this.#retry = button(strings.documents.retry, () => this.#again(session, doc), { class: 'small' });
    this.#remove = button('', () => session.remove(doc), { class: 'remove' });
    this.#unlock = new UnlockForm(session, () => this.focus());
    this.#encoding = new EncodingChoice(session);
    this.#work.append(this.#bar, this.#stop, this.#retry);
    this.element = h(
      'li',
      { class: 'doc' },
      this.#select,
      this.#remove,
      this.#unlock.element,
      this.#encoding.element,
      this.#work,
    );
  }

  /** Shows the state of the document, if it has changed: a list may have thousands of rows. */
  update(doc: Doc, selected: boolean): void {
    const { progress, state } = doc;
    const shown = [selected, ...stateKey(doc)];
    if (sameKeys(shown, this.#shown)) return;
    this.#shown = shown;
    const focused = document.activeElement;
    this.element.dataset['state'] = state;
    setAttribute(this.#select, 'aria-current', selected ? 'true' : null);
    if (this.#name.textContent !== doc.name) this.#call(doc.name);
    setText(this.#state, describe(doc));
    const chunks = chunksOf(doc);
    setText(this.#size, chunks > 0 ? number.format(chunks) : '');
    setText(
      this.#kept,
      doc.kept && !needsUser(doc)
        ? [strings.documents.kept[doc.kept.state], doc.kept.reason].filter(Boolean).join(': ')
        : '',
    );
    this.#kept.dataset['state'] = doc.kept?.state ?? '';
    setText(this.#notes, notes(doc));
    this.#bar.hidden = !doc.stop;
    if (progress && progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = progress.done;
    } else {
      this.#bar.removeAttribute('value');
    }
    this.#stop.hidden = !doc.stop;
    this.#retry.hidden = !canRetry(doc);
    const asks = readsAnyway(doc);
    setText(this.#retry, asks ? strings.documents.readAnyway : strings.documents.retry);
    const named = asks ? strings.documents.readAnywayNamed : strings.documents.retryNamed;
    setAttribute(this.#retry, 'aria-label', named(doc.name));
    this.#work.hidden = !doc.stop && this.#retry.hidden;
    this.#unlock.update(doc);
    this.#encoding.update(doc);
    // If a focused button disappears, its row gets the focus.
    if ((focused === this.#stop && !doc.stop) || (focused === this.#retry && state !== 'failed')) this.focus();
  }

  /** Sets the name in all labels of the row. A document can be renamed. */
  #call(name: string): void {
    const file = name.lastIndexOf('/') + 1;
    this.#name.replaceChildren(h('span', { class: 'path' }, name.slice(0, file)), name.slice(file));
    this.#name.title = name;
    this.#remove.title = strings.documents.remove(name);
    setAttribute(this.#remove, 'aria-label', this.#remove.title);
    setAttribute(this.#bar, 'aria-label', strings.documents.progressOf(name));
    setAttribute(this.#stop, 'aria-label', strings.documents.stopNamed(name));
  }

  /** Opens the document again. A text that looks like no language is then read. */
  #again(session: Session, doc: Doc): void {
    if (readsAnyway(doc)) doc.anyText = true;
    session.retry(doc);
  }

  focus(): void {
    this.#select.focus();
  }

  /** Gives the row the tab stop, or takes it. */
  reach(on: boolean): void {
    if (this.#reached === on) return;
    this.#reached = on;
    for (const control of this.element.querySelectorAll<HTMLElement>('button, input, select'))
      control.tabIndex = on ? 0 : -1;
  }
}

export class DocumentsView {
  readonly #session: Session;
  readonly #rows = new Map<Doc, Row>();
  readonly #list = h('ul', { class: 'docs' });
  readonly #all: HTMLButtonElement;
  readonly element: HTMLElement;
  #frame = 0;
  /** The document whose row has the tab stop. */
  #active: Doc | null = null;

  /** The heading. The buttons that open more come with the first document. */
  readonly head = h('div', { class: 'head' }, h('h2', { id: 'documents-title' }, strings.documents.title));

  /** `below` goes below the list; `showAll` shows all documents in the place of the text. */
  constructor(session: Session, below: Node, showAll: () => void) {
    this.#session = session;
    this.#all = button('', showAll, { class: 'link all' });
    this.element = h(
      'section',
      { class: 'documents', 'aria-labelledby': 'documents-title' },
      this.head,
      this.#list,
      this.#all,
      below,
    );
    this.#list.addEventListener('keydown', (event) => this.#walk(event));
    this.#list.addEventListener('focusin', ({ target }) => {
      const [docs, at] = this.#at(target as Element);
      this.#active = docs[at] ?? this.#active;
      this.#reach();
    });
    for (const event of ['documents', 'selected', 'chunked', 'moved', 'questions', 'statements'] as const)
      session.on(event, () => this.#schedule());
    session.on('removed', (doc) => this.#remove(doc));
    this.#update();
  }

  /** Focuses the row of the selected document. */
  focusSelected(): void {
    this.#update();
    const { selected } = this.#session;
    if (selected) this.#rows.get(selected)?.focus();
  }

  /** Focuses the button that shows all documents. */
  focusAll(): void {
    this.#all.focus();
  }

  /** Updates once per frame, because progress comes more often. */
  #schedule(): void {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#update());
  }

  #update(): void {
    this.#frame = 0;
    const { length } = this.#session.docs;
    this.#list.hidden = length === 0;
    this.#list.classList.toggle('many', length >= MANY);
    this.#all.hidden = length < 2;
    setText(this.#all, strings.documents.all(length));
    let newest: HTMLElement | null = null;
    for (const [i, doc] of this.#session.docs.entries()) {
      let row = this.#rows.get(doc);
      if (!row && i >= MOST && doc !== this.#session.selected) continue;
      if (!row) {
        row = new Row(doc, this.#session);
        this.#rows.set(doc, row);
        this.#list.append(row.element);
        newest = row.element;
      }
      row.update(doc, doc === this.#session.selected);
    }
    newest?.scrollIntoView({ block: 'nearest' });
    if (!this.#list.contains(document.activeElement)) this.#active = this.#session.selected;
    this.#reach();
  }

  /** Gives the tab stop to one row. */
  #reach(): void {
    const active = this.#active && this.#rows.has(this.#active) ? this.#active : this.#rows.keys().next().value;
    for (const [doc, row] of this.#rows) row.reach(doc === active);
  }

  /** Returns the documents of the rows in their order, and the place of an element's row. */
  #at(target: Element): [docs: Doc[], at: number] {
    const docs = [...this.#rows.keys()];
    return [docs, docs.findIndex((doc) => this.#rows.get(doc)?.element.contains(target))];
  }

  #walk(event: KeyboardEvent): void {
    const target = event.target as Element;
    if (!target.matches('.select')) return;
    const [docs, at] = this.#at(target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: docs.length - 1 }[event.key];
    const doc = docs[to ?? at];
    if (!doc || (to === undefined && event.key !== 'Delete')) return;
    event.preventDefault();
    if (to === undefined) this.#session.remove(doc);
    else this.#rows.get(doc)?.focus();
  }

  #remove(doc: Doc): void {
    const row = this.#rows.get(doc);
    const hadFocus = row?.element.contains(document.activeElement);
    const next = row?.element.nextElementSibling ?? row?.element.previousElementSibling;
    row?.element.remove();
    this.#rows.delete(doc);
    // The focus goes to a neighbour, or to the button that opens the next document.
    if (hadFocus) (next ?? this.head).querySelector<HTMLElement>('button')?.focus();
  }
}
