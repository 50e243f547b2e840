// A list of the links of a chunk, by which the keyboard follows them.

import type { Link } from '../../lib/api.ts';
import { h, setAttribute } from '../ground/dom.ts';
import { placeBy } from '../ground/menu.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { linkOpener } from '../text/link-opener.ts';
import { shown } from '../words/en/views.ts';

/** A list of more would not be read. */
const MOST = 50;
/** Characters of a link's words. */
const WORDS = 60;

export class LinkList {
  readonly #list = h('div', { role: 'list' }); // no <li>, because the tools of a card find theirs by it
  readonly element = h('div', { popover: 'auto', class: 'menu link-list', role: 'dialog' }, this.#list);

  constructor() {
    this.element.addEventListener('keydown', (event) => this.#walk(event));
    // A press in the list is not one on the card around it.
    this.element.addEventListener('click', (event) => event.stopPropagation());
  }

  contains(target: EventTarget | null): boolean {
    return target instanceof Node && this.element.contains(target);
  }

  show(opener: HTMLElement, session: Session, doc: Doc, links: readonly Link[], chunk: number): void {
    const text = doc.chunking?.text.text ?? '';
    const items = links.slice(0, MOST).map((link) => {
      const words = text.slice(link.start, link.end).replace(/\s+/g, ' ').slice(0, WORDS);
      return h(
        'div',
        { role: 'listitem' },
        h('span', { dir: 'auto' }, words),
        linkOpener(session, doc, link, () => this.element.hidePopover()),
      );
    });
    const left = links.length - items.length;
    this.#list.replaceChildren(...items, ...(left > 0 ? [h('div', { role: 'listitem' }, shown.links.more(left))] : []));
    setAttribute(this.element, 'aria-label', shown.links.list(chunk + 1));
    this.element.showPopover();
    placeBy(opener, this.element);
    this.#openers[0]?.focus();
  }

  get #openers(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('.follow')];
  }

  #walk(event: KeyboardEvent): void {
    const all = this.#openers;
    const at = all.findIndex((each) => each === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[to % all.length]?.focus();
  }
}
