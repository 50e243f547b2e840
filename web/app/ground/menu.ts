// A button that opens a list of actions. The arrow keys move through it.

import { h } from './dom.ts';

export interface MenuOptions {
  /** The ID of the list, and the prefix of the button's. */
  id: string;
  /** The label of the button, and its icon from styles/icons.css; or a button that is there. */
  opener: [label: string, icon: 'plus' | 'list'] | HTMLButtonElement;
  /** The title of the list. */
  title: string;
  items: readonly HTMLButtonElement[];
  /** Shown below the items. */
  hint?: string;
  /** A choice below the items that applies to them. */
  choice?: HTMLElement;
  class?: string;
}

export class Menu {
  readonly #list: HTMLElement;
  readonly #open: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor({ id, opener, title, items, hint = '', choice, class: kind = 'small' }: MenuOptions) {
    this.#open = Array.isArray(opener)
      ? h('button', { type: 'button', class: kind, id: `${id}-open`, 'data-icon': opener[1] }, opener[0])
      : opener;
    this.#open.setAttribute('aria-haspopup', 'menu');
    this.#open.setAttribute('popovertarget', id);
    for (const item of items) {
      item.setAttribute('role', 'menuitem');
      item.className = 'item';
      item.addEventListener('click', () => this.#list.hidePopover());
    }
    this.#list = h(
      'div',
      { id, popover: 'auto', class: 'menu' },
      h('div', { role: 'menu', 'aria-label': title }, ...items),
      choice ?? null,
      hint ? h('p', { class: 'hint' }, hint) : null,
    );
    this.element = h('div', {});
    this.#open.replaceWith(this.element);
    this.element.append(this.#open, this.#list);
    this.#list.addEventListener('toggle', ({ newState }) => {
      if (newState !== 'open') return;
      placeBy(this.#open, this.#list);
      items[0]?.focus();
    });
    this.#list.addEventListener('keydown', (event) => walk(event, items));
  }

  open(): void {
    this.#list.showPopover();
  }
}

/** Places a popover below its button, or above it if only that has room. */
export function placeBy(opener: HTMLElement, popover: HTMLElement): void {
  const at = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const start = getComputedStyle(opener).direction === 'rtl' ? at.left : at.right - width;
  popover.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  const above = at.bottom + height + 12 > innerHeight && at.top > height + 12;
  const top = above ? at.top - height - 4 : Math.min(at.bottom + 4, innerHeight - height - 8);
  popover.style.top = `${Math.max(8, top)}px`;
}

function walk(event: KeyboardEvent, items: readonly HTMLButtonElement[]): void {
  if (event.target instanceof HTMLSelectElement) return; // the keys move through its options
  const at = items.findIndex((item) => item === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[to % items.length]?.focus();
}
