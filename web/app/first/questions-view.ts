// Suggests three questions after the user has opened the sample or an example. They
// disappear after the user's own first question.

import { button, h, setAttribute } from '../ground/dom.ts';
import type { Example } from './gallery.ts';
import { language } from '../words/language.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { first } from '../words/en/first.ts';

export class QuestionsView {
  readonly #session: Session;
  readonly #examples: readonly Example[];
  readonly #sample: string;
  /** At the top of the search, and below the field of the tab Ask. */
  readonly #places: HTMLElement[] = [];
  #own = false;

  /** `sample` is the beginning of the sample's name. */
  constructor(session: Session, search: Search, examples: readonly Example[], sample: string) {
    this.#sample = sample;
    this.#session = session;
    this.#examples = examples;
    for (const event of ['selected', 'chunked'] as const) session.on(event, () => this.#show());
    for (const event of ['asked', 'typed'] as const) {
      search.on(event, (query) => {
        this.#own ||= !this.#all().includes(query);
        this.#show();
      });
    }
  }

  /** Adds a place for the questions; `ask` is called with a pressed one. */
  add(ask: (question: string) => void): HTMLElement {
    const place = h('div', { class: 'questions', hidden: true });
    place.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLButtonElement) ask(target.textContent ?? '');
    });
    this.#places.push(place);
    this.#show();
    return place;
  }

  #all(): string[] {
    return [...first.questions.sample, ...this.#examples.flatMap(({ questions }) => questions)];
  }

  #show(): void {
    const { selected } = this.#session;
    const example = this.#examples.find(({ name }) => name === selected?.name);
    const list =
      this.#own || !selected?.chunking
        ? []
        : (example?.questions ?? (selected.name.startsWith(this.#sample) ? first.questions.sample : []));
    for (const place of this.#places) {
      place.hidden = list.length === 0;
      if (list.join() === [...place.querySelectorAll('button')].map(({ textContent }) => textContent).join()) continue; // one of them has the focus
      setAttribute(place, 'lang', example?.language ?? 'en');
      place.replaceChildren(
        h('p', { class: 'hint', lang: language }, first.questions.title),
        ...list.map((question) => button(question, () => undefined, { class: 'small' })),
      );
    }
  }
}
