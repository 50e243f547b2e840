// The tags of the chosen documents: a field for another one, and all tags of the list, each to be
// given to all of the chosen or taken from them.

import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { isolated } from '../../lib/isolated.ts';
import { placeBy } from '../ground/menu.ts';
import type { NoticeAction } from '../ground/notice.ts';
import type { Doc } from '../session/doc.ts';
import { retagged, TAG_LENGTH, tagNamed, tagsOf } from '../session/parts.ts';
import type { Session } from '../session/session.ts';
import { folder as words } from '../words/en/folder.ts';

export interface TagOptions {
  session: Session;
  chosen: () => readonly Doc[];
  /** Called after a change. */
  tagged: (text: string, undo: NoticeAction) => void;
}

export class FolderTags {
  readonly #options: TagOptions;
  readonly #input = h('input', {
    type: 'text',
    dir: 'auto',
    maxlength: TAG_LENGTH,
    autocomplete: 'off',
    autofocus: true, // has the focus at once when the popover opens
    placeholder: words.newTag,
    'aria-label': words.newTag,
  });
  readonly #add = h('button', { type: 'submit', class: 'small' });
  readonly #list = h('ul', { 'aria-label': words.tags });
  readonly #none = h('p', { class: 'hint' });
  readonly #popover = h(
    'div',
    { id: 'tags', popover: 'auto', class: 'menu tag-choice', role: 'dialog', 'aria-label': words.tagTitle },
    h('form', {}, this.#input, this.#add),
    this.#list,
    this.#none,
  );
  readonly #open = button(words.tag, () => undefined, {
    class: 'small',
    popovertarget: 'tags',
    'aria-haspopup': 'dialog',
    title: words.tagTitle,
  });
  readonly element = h('div', {}, this.#open, this.#popover);
  readonly #boxes = new Map<string, { item: HTMLElement; box: HTMLInputElement }>();

  constructor(options: TagOptions) {
    this.#options = options;
    this.#popover.addEventListener('beforetoggle', () => {
      this.#input.value = '';
    });
    this.#popover.addEventListener('toggle', ({ newState }) => {
      if (newState !== 'open') return;
      this.update();
      placeBy(this.#open, this.#popover);
    });
    this.#input.addEventListener('input', () => this.update());
    this.#popover.addEventListener('submit', (event) => {
      event.preventDefault();
      const tag = this.#typed;
      if (!tag) return;
      this.#input.value = '';
      this.#set(tag, true);
      this.#input.focus();
    });
  }

  get #typed(): string {
    return tagNamed(this.#input.value, tagsOf(this.#options.session.docs));
  }

  /** Shows the tags that contain the typed text, while the popover is open. */
  update(): void {
    if (!this.#popover.matches(':popover-open')) return;
    const chosen = this.#options.chosen();
    if (chosen.length === 0) return this.#popover.hidePopover();
    const all = tagsOf(this.#options.session.docs);
    const typed = this.#typed;
    const shown = all.filter((tag) => tag.toLowerCase().includes(typed.toLowerCase()));
    for (const [tag, { item }] of this.#boxes) {
      if (shown.includes(tag)) continue;
      if (item.contains(document.activeElement)) this.#input.focus();
      item.remove();
      this.#boxes.delete(tag);
    }
    shown.forEach((tag, i) => {
      const { item, box } = this.#row(tag);
      if (this.#list.children[i] !== item) this.#list.insertBefore(item, this.#list.children[i] ?? null);
      const n = chosen.filter(({ tags }) => tags.includes(tag)).length;
      box.checked = n === chosen.length;
      box.indeterminate = n > 0 && n < chosen.length;
    });
    setText(this.#add, typed && !all.includes(typed) ? words.makeTag : words.addTag);
    setAttribute(this.#add, 'disabled', !typed);
    this.#list.hidden = shown.length === 0;
    setText(this.#none, all.length === 0 ? words.noTags : '');
    this.#none.hidden = all.length > 0;
  }

  #row(tag: string): { item: HTMLElement; box: HTMLInputElement } {
    let row = this.#boxes.get(tag);
    if (row) return row;
    const box = h('input', { type: 'checkbox' });
    box.addEventListener('change', () => this.#set(tag, box.checked));
    row = { item: h('li', {}, h('label', {}, box, h('span', { dir: 'auto' }, tag))), box };
    this.#boxes.set(tag, row);
    return row;
  }

  #set(tag: string, on: boolean): void {
    const { session, chosen, tagged } = this.#options;
    const changes = retagged(chosen(), tag, on);
    const before = new Map([...changes.keys()].map((doc) => [doc, doc.tags]));
    session.tag(changes);
    if (changes.size > 0)
      tagged((on ? words.tagged : words.untagged)(isolated(tag), changes.size), {
        label: words.undo,
        act: () => session.tag(before),
        over: () => undefined,
      });
    this.update();
  }
}
