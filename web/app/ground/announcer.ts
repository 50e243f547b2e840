// The page's only live region. Rapid changes, such as a slider's, are announced once they
// pause: the newest of each subject.

import { h } from './dom.ts';

const REST_MS = 700;

export class Announcer {
  readonly element = h('div', { class: 'said', role: 'status', 'aria-live': 'polite' });
  readonly #waiting = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Announces a sentence. It replaces a pending one on the same subject. */
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

/** Joins texts, some of which are sentences, with one full stop between two. */
export function together(texts: readonly string[]): string {
  return texts.map((each, i) => (i === texts.length - 1 || /[.!?…]$/.test(each) ? each : `${each}.`)).join(' ');
}
