// Makes the words of a text into nodes: marks of its format, such as the stars of Markdown,
// become elements that the stylesheet hides or sets.

import type { Link } from '../../lib/api.ts';
import { linksIn, outside } from '../../lib/links.ts';
import { lowest } from '../../lib/lowest.ts';
import { looksIn, type Look, type Mark } from '../../lib/marks.ts';
import { h } from '../ground/dom.ts';

/** The most characters before a place at which a mark that reaches it may begin. */
const FAR = 20_000;
/**
 * A sentence with more marks, such as a very long listing, is shown without them, because
 * each mark is an element.
 */
const MANY = 5000;

export class MarkedWords {
  readonly #text: string;
  /** Ascending by start; of two with one start, the longer one first. */
  readonly #marks: readonly Mark[];
  readonly #links: readonly Link[];

  constructor(text: string, marks: readonly Mark[], links: readonly Link[]) {
    this.#text = text;
    this.#marks = [...marks].sort((a, b) => a.start - b.start || b.end - a.end);
    this.#links = links;
  }

  /**
   * Returns a part of the text as nodes with their offsets. Marks become elements that the
   * stylesheet hides.
   */
  looking(start: number, end: number): { at: number; node: Text | HTMLElement }[] {
    const whole = () => [{ at: start, node: document.createTextNode(this.#text.slice(start, end)) }];
    if (this.#marks.length === 0 || start >= end) return whole();
    const marks = this.#near(start, end);
    if (marks.length > MANY) return whole();
    return looksIn(marks, start, end).map(({ start: from, end: to, looks }) => {
      const words = this.#text.slice(from, to);
      return {
        at: from,
        node: looks.length === 0 ? document.createTextNode(words) : this.#marked(words, looks, from, to),
      };
    });
  }

  /** Returns the element of some words with looks. A link to the web has its address as its title. */
  #marked(words: string, looks: readonly Look[], start: number, end: number): HTMLElement {
    const link = looks.includes('link') && linksIn(this.#links, start, end)[0];
    const title = link && outside(link)?.href;
    return h('span', { class: looks.map((look) => `md-${look}`).join(' '), title: title || null }, words);
  }

  /**
   * Returns the marks around a part of the text. A mark begins at most FAR characters
   * before it.
   */
  #near(start: number, end: number): Mark[] {
    const near: Mark[] = [];
    for (let i = lowest(this.#marks.length, (at) => (this.#marks[at]?.start ?? 0) >= end) - 1; i >= 0; i--) {
      const mark = this.#marks[i] as Mark;
      if (mark.end > start) near.push(mark);
      else if (mark.start < start - FAR) break;
    }
    return near.reverse();
  }

  /** Returns heading attributes for a part of the text that is a heading, for screen readers. */
  headingOf(from: number, to: number): Record<string, string | number> {
    const heading = this.#near(from, to).find(
      ({ look, start, end }) => /^h\d$/.test(look) && start <= from && end >= to,
    );
    return heading ? { role: 'heading', 'aria-level': Number(heading.look.slice(1)) } : {};
  }
}
