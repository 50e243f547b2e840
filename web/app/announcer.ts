// The page's one live region. What comes in quick succession, as from a
// slider, is said once, when it has come to rest.

import { h } from './dom.ts';

const REST_MS = 700;

export class Announcer {
  readonly element = h('div', { class: 'said', role: 'status', 'aria-live': 'polite' });
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.element.textContent = text; }, REST_MS);
  }
}
