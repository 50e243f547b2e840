// The documents that need the user, and the files left out, by name and reason.

import { formatNamed } from '../../lib/formats.ts';
import type { LeftFile } from '../../lib/named-blob.ts';
import { button, h, setText } from '../ground/dom.ts';
import { narrow } from '../ground/narrow.ts';
import { needsUser, type Doc } from '../session/doc.ts';
import { explained, strings } from '../words/en/page.ts';
import { folder as words } from '../words/en/folder.ts';

/** The most entries of each list. */
const MOST = 100;

interface Entry {
  name: string;
  why: string;
  /** Its document, to show the row. */
  doc: Doc | null;
}

export class FolderSide {
  readonly #go: (doc: Doc) => void;
  readonly element = h('div', { class: 'folder-side' });
  /** The entries shown, to notice changes. */
  #shown = '';

  /** `go` shows the row of a document. */
  constructor(go: (doc: Doc) => void) {
    this.#go = go;
  }

  update(docs: readonly Doc[], left: { files: readonly LeftFile[]; more: number }): void {
    const needs = docs.filter(needsUser);
    const lists = [
      { title: words.needs(needs.length), entries: needs.slice(0, MOST).map(entryOf), all: needs.length },
      {
        title: words.left(left.files.length + left.more),
        entries: left.files.slice(0, MOST).map((each) => ({ name: each.path, why: reasonOf(each), doc: null })),
        all: left.files.length + left.more,
      },
    ].filter(({ all }) => all > 0);
    const shown = JSON.stringify(
      lists.map(({ entries, all }) => [entries.map(({ name, why }) => [name, why]), all > MOST]),
    );
    if (shown === this.#shown) {
      lists.forEach(({ title, all }, i) => {
        const list = this.element.children[i];
        if (list?.firstElementChild) setText(list.firstElementChild, title);
        if (all > MOST && list?.lastElementChild) setText(list.lastElementChild, words.more(all - MOST));
      });
      return;
    }
    this.#shown = shown;
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.element.hidden = lists.length === 0;
    const opened = [...this.element.querySelectorAll('details')].map(({ open }) => open);
    this.element.replaceChildren(
      ...lists.map(({ title, entries, all }, i) =>
        h(
          'details',
          { open: opened[i] ?? !narrow.matches },
          h('summary', {}, title),
          h('ul', {}, ...entries.map((entry) => this.#item(entry))),
          all > MOST ? h('p', {}, words.more(all - MOST)) : null,
        ),
      ),
    );
    if (focused)
      [...this.element.querySelectorAll('button')].find(({ textContent }) => textContent === focused)?.focus();
  }

  #item({ name, why, doc }: Entry): HTMLLIElement {
    const file = name.slice(name.lastIndexOf('/') + 1);
    const title = doc
      ? button(file, () => this.#go(doc), { class: 'link', title: name })
      : h('b', { title: name }, file);
    return h('li', {}, title, h('p', {}, why));
  }
}

function entryOf(doc: Doc): Entry {
  const why = doc.state === 'locked' ? words.locked : doc.error ? explained(doc.error) : '';
  return { name: doc.name, why, doc };
}

function reasonOf({ path, why }: LeftFile): string {
  const format = why === 'kind' ? formatNamed(path) : undefined;
  return format ? strings.trouble.foreign(format.one) : words.leftWhy[why];
}
