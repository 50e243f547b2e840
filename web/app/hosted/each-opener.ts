// Opens the table of answers by document. It is a separate bundle.

import { SeamError } from '../../lib/seam-error.ts';
import { button, h, setText } from '../ground/dom.ts';
import { loader } from '../ground/loader.ts';
import { hosted } from '../words/en/hosted.ts';
import { explain } from '../words/en/page.ts';
import type { EachPlaces } from './each-run.ts';
import type { EachView } from './each-view.ts';

declare const __EACH__: string;
declare const __EACH_INTEGRITY__: string;

const loadEach = loader<{ EachView: new (places: EachPlaces) => EachView }>(__EACH__, __EACH_INTEGRITY__);
const words = hosted.ask;

export class EachOpener {
  readonly #places: EachPlaces;
  /** Remembers the last table of this visit. */
  #view: EachView | null = null;
  readonly #trouble = h('span', { class: 'error', role: 'alert' });
  readonly element = h(
    'p',
    { class: 'each', hidden: true },
    button(words.each, () => void this.#open(), { class: 'link', title: words.eachTitle }),
    this.#trouble,
  );
  /** Returns the question that the user is typing. */
  question = (): string => '';

  constructor(places: EachPlaces) {
    this.#places = places;
  }

  /** `alone`: no model can answer. */
  show(alone: boolean): void {
    this.element.hidden = alone;
  }

  async #open(): Promise<void> {
    setText(this.#trouble, '');
    try {
      const { EachView } = await loadEach();
      this.#view ??= new EachView(this.#places);
      this.#view.open(this.question().trim());
    } catch (cause) {
      setText(this.#trouble, explain(SeamError.from(cause)).message);
    }
  }
}
