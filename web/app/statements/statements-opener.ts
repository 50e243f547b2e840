// Opens the statements of a model. They are a separate bundle.

import { SeamError } from '../../lib/seam-error.ts';
import type { Doc } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import { loader } from '../ground/loader.ts';
import type { StatementsPlaces } from './statements-dialog.ts';
import type { StatementsView } from './statements-view.ts';
import { explain } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

declare const __STATEMENTS__: string;
declare const __STATEMENTS_INTEGRITY__: string;

const load = loader<{ StatementsView: new (places: StatementsPlaces) => StatementsView }>(
  __STATEMENTS__,
  __STATEMENTS_INTEGRITY__,
);
const words = shown.statements;

export class StatementsOpener {
  readonly #places: StatementsPlaces;
  /** Remembers the replies paid for in this visit. */
  #view: StatementsView | null = null;
  readonly #button = button('', () => void this.#open(), { class: 'link', title: words.title });
  /** The document that lost statements, until another is shown. */
  #lost: Doc | null = null;
  readonly #note = h('span', { class: 'hint' });
  readonly #trouble = h('span', { class: 'error', role: 'alert' });
  readonly element = h('p', { class: 'to-statements', hidden: true }, this.#button, ' ', this.#note, this.#trouble);

  constructor(places: StatementsPlaces) {
    this.#places = places;
    for (const event of ['chunked', 'statements', 'selected', 'documents'] as const)
      places.session.on(event, () => this.#show());
    this.#show();
  }

  /** Without a model, the button appears only if there are statements. */
  #show(): void {
    const {
      session: { selected },
      hosted,
    } = this.#places;
    const { chunking, statements = [] } = selected ?? {};
    if (selected !== this.#lost) setText(this.#note, '');
    this.element.hidden = !chunking || (!hosted && statements.length === 0 && !this.#note.textContent);
    setText(this.#button, words.open(statements.length));
  }

  /** Shows how many statements were dropped with the text they described. */
  tell(doc: Doc, n: number): void {
    this.#lost = doc;
    setText(this.#note, words.gone(n));
    this.#places.say(words.gone(n));
    this.#show();
  }

  async #open(): Promise<void> {
    setText(this.#trouble, '');
    try {
      const { StatementsView } = await load();
      this.#view ??= new StatementsView(this.#places);
      this.#view.open();
    } catch (cause) {
      setText(this.#trouble, explain(SeamError.from(cause)).message);
    }
  }
}
