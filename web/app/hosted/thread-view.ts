// Lists the earlier turns of a thread, oldest first: one question per line that expands to
// its answer. An answer is built when it is opened, because most never are.

import { isRefusal, type Place, type Turn } from '../../lib/thread.ts';
import { Answer } from './answer.ts';
import { h } from '../ground/dom.ts';
import { hosted } from '../words/en/hosted.ts';

export class ThreadView {
  readonly #follow: (place: Place) => void;
  readonly #rows = new Map<Turn, HTMLElement>();
  readonly element = h('div', { class: 'thread', role: 'group', 'aria-label': hosted.ask.earlier, hidden: true });

  /** `follow` shows a passage in its document. */
  constructor(follow: (place: Place) => void) {
    this.#follow = follow;
  }

  show(turns: readonly Turn[]): void {
    for (const [turn, row] of this.#rows)
      if (!turns.includes(turn)) {
        row.remove();
        this.#rows.delete(turn);
      }
    for (const turn of turns)
      if (!this.#rows.has(turn)) {
        const row = this.#row(turn);
        this.#rows.set(turn, row);
        this.element.append(row);
      }
    this.element.hidden = turns.length === 0;
  }

  #row({ question, answer, places, sent }: Turn): HTMLElement {
    const row = h('details', { class: 'turn' }, h('summary', { dir: 'auto' }, question));
    row.addEventListener(
      'toggle',
      () => {
        if (isRefusal(answer)) {
          row.append(h('p', { class: 'refusal' }, hosted.ask.refused(sent)));
          return;
        }
        const shown = new Answer((index) => {
          if (places[index]) this.#follow(places[index]);
        });
        shown.names = places.map(({ name, page }) => [name, page].filter(Boolean).join(' · '));
        shown.push(answer);
        shown.end(sent);
        row.append(shown.element);
      },
      { once: true },
    );
    return row;
  }
}
