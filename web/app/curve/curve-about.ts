// Replaces the curve's caption on a narrow screen: a button next to the curve explains it,
// shows how the text was cut, and opens the table.

import { button, h, setText } from '../ground/dom.ts';
import { shown } from '../words/en/views.ts';
import type { Term } from '../words/en/terms.ts';
import { Explain } from '../ground/terms.ts';

export class CurveAbout {
  readonly #explain: Explain;
  readonly #counts = h('p', { class: 'help' });
  readonly element: HTMLElement;

  constructor(which: () => Term, table: () => void) {
    this.#explain = new Explain('curve-about', which);
    this.element = h('div', { class: 'about-curve' }, this.#explain.element);
    const [opener, note] = [
      this.element.querySelector<HTMLElement>('button'),
      this.element.querySelector<HTMLElement>('[popover]'),
    ];
    note?.append(
      this.#counts,
      button(
        shown.curve.table.open,
        () => {
          note.hidePopover();
          opener?.focus(); // restores it when the table is closed
          table();
        },
        { class: 'small', title: shown.curve.table.openTitle, 'aria-haspopup': 'dialog' },
      ),
    );
  }

  /** `counts` are the numbers of cuts and the other parts of the caption. */
  update(counts: readonly string[]): void {
    this.#explain.update();
    setText(this.#counts, counts.join(' · '));
  }
}
