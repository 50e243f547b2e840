// Lists the passages that a question will take with it. Each can be opened, and taken out
// before anything is sent.

import type { Hit } from '../../lib/api.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { hosted } from '../words/en/hosted.ts';
import type { Chosen } from './finder.ts';

const words = hosted.ask;

/** Characters of a passage in its line. */
const BEGINNING = 200;

const lengthOf = (text: string): number => Array.from(text).length;

interface Row {
  hit: Hit;
  item: HTMLElement;
  number: HTMLElement;
  toggle: HTMLButtonElement;
}

export class ChosenView {
  readonly #toggle: (hit: Hit) => void;
  readonly #where: (hit: Hit) => string;
  readonly element = h('ol', { class: 'chosen', 'aria-label': words.passages, hidden: true });
  #shown: Chosen | null = null;
  #named = false;
  #rows: Row[] = [];

  /** `toggle` takes a passage out or puts it back; `where` names its place. */
  constructor(toggle: (hit: Hit) => void, where: (hit: Hit) => string) {
    this.#toggle = toggle;
    this.#where = where;
  }

  /** `named` is whether the lines above the passages are sent. */
  show(chosen: Chosen | null, named: boolean): void {
    if (chosen !== this.#shown || named !== this.#named) {
      this.#named = named;
      this.#rows = chosen?.hits.map((hit) => this.#row(hit, chosen)) ?? [];
      this.element.replaceChildren(...this.#rows.map(({ item }) => item));
    }
    this.#shown = chosen;
    this.element.hidden = !chosen;
    const sent = chosen?.sent ?? [];
    this.#rows.forEach(({ hit, item, number, toggle }, i) => {
      const place = sent.indexOf(hit);
      item.classList.toggle('out', place < 0);
      setText(number, place < 0 ? words.out : `[${place + 1}]`);
      setText(toggle, place < 0 ? words.putBack : words.takeOut);
      setAttribute(toggle, 'aria-label', (place < 0 ? words.putBackOf : words.takeOutOf)(i + 1, this.#where(hit)));
    });
  }

  #row(hit: Hit, chosen: Chosen): Row {
    const number = h('span', { class: 'n' });
    const text = chosen.textOf(hit);
    const part = chosen.shortened && words.shortened(lengthOf(text), lengthOf(hit.text));
    const row = {
      hit,
      number,
      toggle: button('', () => this.#toggle(hit), { class: 'link' }),
      item: h('li'),
    };
    row.item.append(
      h(
        'details',
        {},
        h(
          'summary',
          {},
          h('span', { class: 'where' }, number, ' ', this.#where(hit)),
          this.#named && hit.source ? h('span', { class: 'source' }, words.begins, h('bdi', {}, hit.source)) : null,
          part || hit.sent ? h('span', { class: 'part' }, part || words.wide) : null,
          h('span', { class: 'begin', dir: 'auto' }, (part ? text : hit.text).trim().slice(0, BEGINNING)),
        ),
        h('div', { class: 'full', dir: 'auto', tabindex: 0, role: 'group', 'aria-label': this.#where(hit) }, text),
      ),
      row.toggle,
    );
    return row;
  }
}
