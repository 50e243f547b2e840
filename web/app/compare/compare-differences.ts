// Lists the places where the compared methods differ, one row each, with a link into the
// text.

import type { Place } from '../../lib/compare.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { Chunking } from '../session/doc.ts';
import { button, h } from '../ground/dom.ts';
import { strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

const words = shown.compare;
/** The most differences listed, and the most characters of text quoted at each. */
const LISTED = 200;
const QUOTED = 60;

export class DifferenceList {
  readonly #goTo: (sentence: number) => void;
  readonly element = h('ol', { class: 'differences' });

  constructor(goTo: (sentence: number) => void) {
    this.#goTo = goTo;
  }

  show(chunking: Chunking, differences: readonly Place[]): void {
    const focused = [...this.element.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
    const more = differences.length - LISTED;
    this.element.replaceChildren(
      ...differences.slice(0, LISTED).map((place) => this.#row(chunking, place)),
      ...(more > 0 ? [h('li', { class: 'hint' }, words.more(more))] : []),
    );
    if (focused >= 0) this.element.querySelectorAll('button')[focused]?.focus();
  }

  #row(chunking: Chunking, { at, cuts }: Place): HTMLElement {
    const quote = chunking.text.text
      .slice(at, at + QUOTED)
      .replace(/\s+/g, ' ')
      .trim();
    const letters = words.letters.filter((_, i) => typeof cuts[i] === 'number');
    const moved = cuts.some((cut) => cut !== null && cut !== at);
    const item = button('', () => this.#goTo(sentenceAt(chunking.sentences, at)), { class: 'difference' });
    item.append(
      h('span', {}, words.before(pageAt(chunking, at), quote)),
      h(
        'span',
        {
          class: 'badges',
          role: 'img',
          'aria-label': [words.cutsHere(letters), moved ? words.moved : ''].filter(Boolean).join(', '),
        },
        ...cuts.map((cut, i) =>
          h('b', { class: cut === null ? 'not' : cut === at ? '' : 'moved' }, words.letters[i] ?? ''),
        ),
      ),
    );
    return h('li', {}, item);
  }
}

/** Describes the page of a place, or returns an empty string if there is only one. */
export function pageAt({ text: { pages } }: Chunking, at: number): string {
  const page = pages.findLast(({ start }) => start <= at);
  return page && pages.length > 1 ? strings.pagesOf([page.number], page.label ? [page.label] : undefined) : '';
}
