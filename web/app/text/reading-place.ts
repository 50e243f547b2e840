// The line above the text that names the section and page in view.

import { lowest } from '../../lib/lowest.ts';
import type { Doc } from '../session/doc.ts';
import { h, setText } from '../ground/dom.ts';
import { shown } from '../words/en/views.ts';

export class ReadingPlace {
  readonly #page = h('span', { class: 'page' });
  readonly #section = h('span', { class: 'section', dir: 'auto' });
  readonly element = h('div', { class: 'reading-place', hidden: true }, this.#page, this.#section);

  /** `offset` is where the first visible words start in the text, or null if nothing is shown. */
  show(doc: Doc | null, offset: number | null): void {
    const chunking = doc?.chunking ?? null;
    this.element.hidden = !chunking || offset === null;
    if (!chunking || offset === null) return;
    const {
      text: { pages },
      result: { chunks },
    } = chunking;
    const page = pages[lowest(pages.length, (i) => (pages[i]?.end ?? 0) > offset)];
    const of = doc?.opened?.pages ?? 0;
    setText(this.#page, page && pages.length > 1 ? shown.text.page(page.number, of, page.label) : '');
    const chunk = chunks[lowest(chunks.length, (i) => (chunks[i]?.end ?? 0) > offset)];
    setText(this.#section, chunk?.section ?? '');
  }
}
