// The rows of the list of all documents: folders, and documents with their states and controls.

import { h, setAttribute, setText } from '../ground/dom.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { explain, number, say, strings } from '../words/en/page.ts';
import { folder as words } from '../words/en/folder.ts';
import { chunksOf, fileOf, groupOf, pagesOf, type FolderItem } from './folder-rows.ts';
import { FolderControls, needsControls } from './folder-controls.ts';
import { describe, sameKeys, stateKey } from './states.ts';

/** The position of a row in the list, and whether it is chosen and has the tab stop. */
export interface Place {
  index: number;
  level: number;
  chosen: boolean;
  active: boolean;
}

export interface GridRow {
  readonly element: HTMLElement;
  readonly box: HTMLInputElement;
  place(place: Place): void;
  /** Moves the focus into the row, if it has something to fill in. */
  enter(): boolean;
}

const cell = (kind: string, ...children: (Node | string)[]) => h('div', { role: 'gridcell', class: kind }, ...children);

/** Puts a row at its place. Its controls can be reached by Tab if it has the tab stop. */
function put(element: HTMLElement, box: HTMLInputElement, { index, level, chosen, active }: Place): void {
  element.style.setProperty('--at', String(index));
  setAttribute(element, 'aria-rowindex', index + 2); // the first row is the head
  setAttribute(element, 'aria-level', level);
  setAttribute(element, 'aria-selected', String(chosen));
  element.tabIndex = active ? 0 : -1;
  box.checked = chosen;
  for (const control of element.querySelectorAll<HTMLElement>('button, input'))
    control.tabIndex = active && control !== box ? 0 : -1;
}

export class FolderRow implements GridRow {
  readonly box = h('input', { type: 'checkbox' });
  readonly #name = h('span', { class: 'name' });
  readonly #count = h('span', { class: 'soft' });
  readonly element = h(
    'div',
    { role: 'row', class: 'frow folder' },
    cell('pick', this.box),
    cell('what', h('span', { class: 'fold', 'aria-hidden': 'true' }), this.#name, ' ', this.#count),
  );

  constructor() {
    this.element.lastElementChild?.setAttribute('aria-colspan', '4');
  }

  update({ path, docs, folded }: FolderItem, chosen: ReadonlySet<Doc>): void {
    setText(this.#name, path);
    this.#name.title = path;
    setText(this.#count, number.format(docs.length));
    setAttribute(this.element, 'aria-expanded', String(!folded));
    setAttribute(this.box, 'aria-label', words.chooseFolder(path));
    const n = docs.filter((doc) => chosen.has(doc)).length;
    this.box.indeterminate = n > 0 && n < docs.length;
  }

  place(place: Place): void {
    put(this.element, this.box, place);
  }

  enter(): boolean {
    return false;
  }
}

export class DocRow implements GridRow {
  readonly #doc: Doc;
  readonly #session: Session;
  readonly box = h('input', { type: 'checkbox' });
  readonly #name = h('span', { class: 'name' });
  readonly #tags = h('ul', { class: 'tags', 'aria-label': words.tags });
  readonly #pages = cell('number');
  readonly #chunks = cell('number');
  readonly #says = h('span', { class: 'says' });
  readonly #state = cell('state', this.#says);
  #controls: FolderControls | null = null;
  /** The state shown now. */
  #shown: readonly unknown[] = [];
  readonly element = h(
    'div',
    { role: 'row', class: 'frow doc-row' },
    cell('pick', this.box),
    cell('what', this.#name, this.#tags),
    this.#pages,
    this.#chunks,
    this.#state,
  );

  constructor(doc: Doc, session: Session) {
    this.#doc = doc;
    this.#session = session;
  }

  update(): void {
    const doc = this.#doc;
    const shown = stateKey(doc);
    if (sameKeys(shown, this.#shown)) return;
    this.#shown = shown;
    const name = fileOf(doc);
    this.element.dataset['group'] = groupOf(doc);
    setText(this.#name, name);
    this.#name.title = doc.name;
    this.#tags.hidden = doc.tags.length === 0;
    this.#tags.replaceChildren(...doc.tags.map((tag) => h('li', { dir: 'auto', title: tag }, tag)));
    setAttribute(this.box, 'aria-label', words.choose(name));
    const pages = pagesOf(doc);
    setText(this.#pages, pages > 1 || (pages === 1 && /\.pdf$/i.test(name)) ? number.format(pages) : ''); // a text has none
    setText(this.#chunks, chunksOf(doc) > 0 ? number.format(chunksOf(doc)) : '');
    setText(this.#says, stateOf(doc));
    this.#says.title = whyOf(doc);
    if (needsControls(doc))
      this.#controls ??= new FolderControls(doc, this.#session, this.#state, () => this.element.focus());
    this.#controls?.update();
  }

  place(place: Place): void {
    put(this.element, this.box, place);
  }

  enter(): boolean {
    if (this.#doc.state !== 'locked') return false;
    this.#controls?.focusPassword();
    return true;
  }
}

/** The state of a document in one line. The chunks are in another column. */
function stateOf(doc: Doc): string {
  if (doc.state === 'kept') return words.states.saved;
  if (doc.state !== 'ready' || doc.progress) return describe(doc);
  const [note] = doc.opened?.notes ?? [];
  return [words.states.ready, doc.kept?.state === 'failed' ? strings.documents.kept.failed : '', note ? say(note) : '']
    .filter(Boolean)
    .join(' · ');
}

/** All of it, for a line that is too short. */
function whyOf(doc: Doc): string {
  if (doc.state === 'failed' && doc.error) return Object.values(explain(doc.error)).filter(Boolean).join(' ');
  return [doc.kept?.state === 'failed' ? doc.kept.reason : '', ...(doc.opened?.notes ?? []).map(say)]
    .filter(Boolean)
    .join(' ');
}
