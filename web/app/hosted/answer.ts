// Shows an answer as it arrives: plain text with a button for each passage it cites. Text
// arrives more often than frames, so each frame adds all that has come since the last.

import { Citations } from '../../lib/citations.ts';
import { button, h } from '../ground/dom.ts';
import { hosted as words } from '../words/en/hosted.ts';

export class Answer {
  readonly #follow: (index: number) => void;
  readonly element = h('div', { class: 'answer', dir: 'auto', hidden: true });
  #citations = new Citations();
  #waiting = '';
  #frame = 0;
  /** Labels of the buttons for screen readers. */
  #names: string[] = [];
  /** How many citations of passages that were not sent were left out. */
  #invented = 0;

  /** `follow` shows the passage at an index. */
  constructor(follow: (index: number) => void) {
    this.#follow = follow;
  }

  clear(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting = '';
    this.#citations = new Citations();
    this.#names = [];
    this.#invented = 0;
    this.element.replaceChildren();
    this.element.hidden = true;
    this.element.setAttribute('aria-busy', 'true');
  }

  /** Names of the passages that "[1]" and the following numbers refer to. */
  set names(names: string[]) {
    this.#names = names;
  }

  push(piece: string): void {
    this.#waiting += piece;
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#show());
  }

  /** Ends the answer. Citations beyond the `sent` passages are left out. */
  end(sent: number): void {
    cancelAnimationFrame(this.#frame);
    this.#show();
    this.#add(this.#citations.end());
    for (const cite of this.#cites.filter((each) => Number(each.textContent) > sent)) {
      cite.remove();
      this.#invented++;
    }
    this.element.setAttribute('aria-busy', 'false');
  }

  /** Returns how many citations were left out. */
  get invented(): number {
    return this.#invented;
  }

  /** Returns the numbers of the cited passages from 1, ascending. */
  get cited(): number[] {
    return [...new Set(this.#cites.map((cite) => Number(cite.textContent)))].sort((a, b) => a - b);
  }

  /** Returns the answer as plain text with its citations in brackets. */
  get text(): string {
    return [...this.element.childNodes]
      .map((node) => (node instanceof Text ? node.data : `[${node.textContent}]`))
      .join('')
      .trim();
  }

  get #cites(): Element[] {
    return [...this.element.querySelectorAll('.cite')];
  }

  #show(): void {
    this.#frame = 0;
    const piece = this.#waiting;
    this.#waiting = '';
    this.#add(this.#citations.push(piece));
  }

  #add(parts: (string | number)[]): void {
    for (const part of parts) {
      const name = typeof part === 'number' ? this.#names[part - 1] : undefined;
      if (typeof part === 'number' && name !== undefined) {
        this.element.append(
          button(String(part), () => this.#follow(part - 1), {
            class: 'cite',
            'aria-label': words.ask.passage(part, name),
            title: name,
          }),
        );
        continue;
      }
      const last = this.element.lastChild;
      if (typeof part === 'number') {
        this.#invented++;
        if (last instanceof Text) last.data = last.data.trimEnd(); // no blank before a full stop
      } else if (last instanceof Text) last.appendData(part);
      else this.element.append(part);
    }
    this.element.hidden = this.element.childNodes.length === 0;
  }
}
