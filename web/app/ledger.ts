// The pill at the top that counts requests, and the list behind it. The page's
// own files are told apart by their place: below the page's own address.

import { h, setText } from './dom.ts';
import { strings } from './strings.ts';

export class Ledger {
  readonly #base = new URL('.', document.baseURI).href;
  readonly #own = new Set<string>();
  readonly #other: string[] = [];
  readonly #text = h('span', {}, strings.ledger.none);
  readonly #ownTitle = h('p');
  readonly #ownList = h('ul');
  readonly #otherTitle = h('p');
  readonly #otherList = h('ul');
  readonly #panel = h('div', { id: 'ledger', popover: 'auto', class: 'ledger', role: 'dialog', 'aria-labelledby': 'ledger-title' },
    h('h2', { id: 'ledger-title' }, strings.ledger.title),
    this.#otherTitle, this.#otherList, this.#ownTitle, this.#ownList);
  readonly element = h('div', {},
    h('button', { type: 'button', class: 'seal', popovertarget: 'ledger' }, h('b', { 'aria-hidden': 'true' }, '●'), ' ', this.#text),
    this.#panel);

  constructor() {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.add(entry.name);
    }).observe({ type: 'resource', buffered: true });
    this.#update();
  }

  /** A request of the page, or one that a worker has told of. */
  add(url: string): void {
    if (url.startsWith('blob:')) return; // memory of this browser
    if (url.startsWith(this.#base)) this.#own.add(url.slice(this.#base.length));
    else this.#other.push(url);
    this.#update();
  }

  #update(): void {
    const sent = this.#other.length;
    setText(this.#text, sent === 0 ? strings.ledger.none : strings.ledger.some(sent));
    this.element.classList.toggle('sent', sent > 0);
    setText(this.#otherTitle, strings.ledger.other(sent));
    setText(this.#ownTitle, strings.ledger.own(this.#own.size));
    this.#otherList.replaceChildren(...this.#other.map((url) => h('li', {}, url)));
    this.#ownList.replaceChildren(...[...this.#own].map((file) => h('li', {}, file)));
  }
}
