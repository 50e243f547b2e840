// An answer while it comes: plain text, with a button where it names a passage.
// Pieces come faster than frames; each frame adds what has come since the last.

import { Citations } from '../lib/citations.ts';
import { button, h } from './dom.ts';
import { hosted as words } from './strings-hosted.ts';

export class Answer {
  readonly #follow: (index: number) => void;
  readonly element = h('div', { class: 'answer', dir: 'auto', hidden: true });
  #citations = new Citations();
  #waiting = '';
  #frame = 0;
  /** Names of the passages, for those who hear the buttons. */
  #names: string[] = [];

  /** `follow` goes to the passage at an index. */
  constructor(follow: (index: number) => void) {
    this.#follow = follow;
  }

  clear(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting = '';
    this.#citations = new Citations();
    this.#names = [];
    this.element.replaceChildren();
    this.element.hidden = true;
    this.element.setAttribute('aria-busy', 'true');
  }

  /** What "[1]" and the numbers after it stand for. */
  set names(names: string[]) {
    this.#names = names;
  }

  push(piece: string): void {
    this.#waiting += piece;
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#show());
  }

  /** Nothing more comes. */
  end(): void {
    cancelAnimationFrame(this.#frame);
    this.#show();
    this.#add(this.#citations.end());
    this.element.setAttribute('aria-busy', 'false');
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
        this.element.append(button(String(part), () => this.#follow(part - 1), { class: 'cite', 'aria-label': words.ask.passage(part, name), title: name }));
        continue;
      }
      const text = typeof part === 'number' ? `[${part}]` : part;
      const last = this.element.lastChild;
      if (last instanceof Text) last.appendData(text);
      else this.element.append(text);
    }
    this.element.hidden = this.element.childNodes.length === 0;
  }
}
