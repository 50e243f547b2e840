// The page's one live region. What comes in quick succession, as from a
// slider, is said once, when it has come to rest: the newest of each subject.

import { h } from './dom.ts';

const REST_MS = 700;

export class Announcer {
  readonly element = h('div', { class: 'said', role: 'status', 'aria-live': 'polite' });
  readonly #waiting = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Another sentence on the same subject takes the place of one that has not been said yet. */
  say(subject: string, text: string): void {
    this.#waiting.delete(subject);
    this.#waiting.set(subject, text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.element.textContent = together([...this.#waiting.values()]);
      this.#waiting.clear();
    }, REST_MS);
  }
}

/** One text of several, with one full stop between two: some are sentences, some are not. */
export function together(texts: readonly string[]): string {
  return texts.map((each, i) => (i === texts.length - 1 || /[.!?…]$/.test(each) ? each : `${each}.`)).join(' ');
}
