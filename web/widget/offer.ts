// Offers an answer from the results if the site has a proxy. The part that asks is a script
// of its own.

import { button, node } from './parts.ts';
import type { Ask } from './ask/ask.ts';
import type { Results } from './site.ts';
import type { Strings } from './strings.ts';

declare const __ASK__: string;

export class Offer {
  readonly element = node('div', 'asking');
  #ask: Promise<Ask> | undefined;

  /** `said` announces to screen readers, `fail` shows why there is no answer. */
  constructor(
    readonly host: HTMLElement & { language: string },
    readonly strings: Strings,
    readonly said: HTMLElement,
    readonly fail: (line: string) => void,
  ) {}

  /** Removes the answer, and offers one from new results. */
  show(r?: Results): void {
    void this.#ask?.then(
      (ask) => ask.clear(),
      () => undefined,
    );
    this.element.replaceChildren();
    if (!r || !this.host.hasAttribute('endpoint')) return;
    const offer = button('offer', this.strings.ask);
    const box = node('div', 'answers');
    offer.addEventListener('click', () => {
      this.#ask = (import(new URL(__ASK__, import.meta.url).href) as Promise<typeof import('./ask/ask.ts')>).then(
        ({ Ask: Part }) =>
          new Part(this.host, box, this.strings, (text) => {
            this.said.textContent = text;
          }),
      );
      this.#ask.then(
        (ask) => {
          offer.remove();
          ask.begin(r);
        },
        () => this.fail(this.strings.network),
      );
    });
    this.element.append(offer, box);
  }
}
