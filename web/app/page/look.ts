// Builds DOM nodes for a text with its elements: headings, lists, tables. Only the element
// types named here are created, and all words become text nodes. Markup from a file is
// never parsed.

import type { ViewText } from '../../lib/api.ts';
import { elementsOf, ITEM, KIND } from '../../lib/element-marks.ts';
import { lowest } from '../../lib/lowest.ts';
import { h } from '../ground/dom.ts';

/** Kinds in addition to element kinds. */
const ROOT = -1;
const HEADING = 0;

const IN_LINE = new Map<number, 'code' | 'strong' | 'em'>([
  [KIND.code, 'code'],
  [KIND.strong, 'strong'],
  [KIND.emphasis, 'em'],
  [KIND.image, 'em'],
]);
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

/** The separator that the HTML reader writes between two cells. */
const BETWEEN = ' | ';

interface Part {
  kind: number;
  start: number;
  end: number;
  level: number;
}

/** A node being filled. */
interface Open {
  kind: number;
  end: number;
  node: HTMLElement;
  /**
   * The element for its words: the node itself or a paragraph in it; null before the first
   * word.
   */
  line: HTMLElement | null;
  /** Line ends since the last words. */
  breaks: number;
}

export class Look {
  readonly element = h('div', { class: 'own-text', dir: 'auto' });
  readonly #text: string;
  /** The text nodes in the order of the text, and their offsets. */
  readonly #words: Text[] = [];
  readonly #starts: number[] = [];
  readonly #startOf = new WeakMap<Node, number>();
  /** The open nodes, outermost first. */
  readonly #open: Open[] = [];
  /** The offset up to which text has been added. */
  #at = 0;

  constructor({ text, headings, elements }: Pick<ViewText, 'text' | 'headings' | 'elements'>) {
    this.#text = text;
    this.#open.push({ kind: ROOT, end: text.length, node: this.element, line: null, breaks: 0 });
    for (const part of partsOf(headings, elements)) {
      this.#endAt(part.start);
      this.#write(part.start);
      this.#begin(part);
    }
    this.#endAt(text.length);
    this.#write(text.length);
  }

  /** Returns the text offset of a point in the nodes, or null outside the text. */
  offsetOf(node: Node, offset: number): number | null {
    const start = this.#startOf.get(node);
    return start === undefined ? null : start + offset;
  }

  /** Returns the range of a part of the text, or null if none of it is there. */
  range(start: number, end: number): StaticRange | null {
    const first = lowest(this.#words.length, (i) => (this.#starts[i] ?? 0) + (this.#words[i]?.length ?? 0) > start);
    const last = lowest(this.#words.length, (i) => (this.#starts[i] ?? 0) >= end) - 1;
    const [startContainer, endContainer] = [this.#words[first], this.#words[last]];
    if (!startContainer || !endContainer || first > last) return null;
    return new StaticRange({
      startContainer,
      startOffset: Math.max(0, start - (this.#starts[first] ?? 0)),
      endContainer,
      endOffset: Math.min(endContainer.length, end - (this.#starts[last] ?? 0)),
    });
  }

  get #top(): Open {
    return this.#open[this.#open.length - 1] as Open;
  }

  /** Closes the nodes that end at or before an offset. */
  #endAt(place: number): void {
    while (this.#open.length > 1 && this.#top.end <= place) {
      this.#write(this.#top.end);
      this.#open.pop();
    }
  }

  #begin({ kind, start, end, level }: Part): void {
    const { kind: around } = this.#top;
    const inLine = IN_LINE.get(kind);
    if (inLine) return this.#push(kind, end, this.#line().appendChild(h(inLine)));
    switch (kind) {
      case HEADING:
        return this.#block(kind, end, HEADINGS[level - 1] ?? 'h6');
      case KIND.list:
        return this.#block(kind, end, 'ul');
      case KIND.ordered:
        return this.#block(kind, end, 'ol');
      case KIND.quote:
        return this.#block(kind, end, 'blockquote');
      case KIND.listing:
        return this.#block(kind, end, 'pre');
      case KIND.item:
        return this.#item(start, end, around === KIND.ordered);
      // A table inside a table stays plain text, because browsers take long to compute
      // widths of deeply nested tables.
      case KIND.table:
        return this.#open.some((each) => each.kind === KIND.table) ? undefined : this.#block(kind, end, 'table');
      case KIND.row:
        return around === KIND.table ? this.#block(kind, end, 'tr') : undefined;
      default:
        return around === KIND.row ? this.#block(kind, end, kind === KIND.headCell ? 'th' : 'td') : undefined;
    }
  }

  #block(kind: number, end: number, tag: keyof HTMLElementTagNameMap): void {
    const top = this.#top;
    top.line = null;
    top.breaks = 0;
    this.#push(kind, end, top.node.appendChild(h(tag)));
  }

  #push(kind: number, end: number, node: HTMLElement): void {
    this.#open.push({ kind, end: Math.min(end, this.#top.end), node, line: null, breaks: 0 });
  }

  /**
   * Adds a list item. The browser draws its bullet; an ordered item keeps the number in the
   * text.
   */
  #item(start: number, end: number, ordered: boolean): void {
    const [mark = ''] = ITEM.exec(this.#text.slice(start, start + 12)) ?? [];
    this.#block(KIND.item, end, 'li');
    if (ordered && mark) this.#top.node.setAttribute('value', String(parseInt(mark, 10) || 0));
    this.#at = Math.max(this.#at, start + mark.length);
  }

  /** Adds the text up to an offset. */
  #write(to: number): void {
    const from = this.#at;
    if (to <= from) return;
    this.#at = to;
    const { kind } = this.#top;
    if (kind === KIND.listing || kind === HEADING || IN_LINE.has(kind)) this.#add(from, to);
    else if (kind === KIND.row) this.#between(from, to);
    else this.#lines(from, to);
  }

  #lines(from: number, to: number): void {
    const top = this.#top;
    for (let at = from; at <= to; ) {
      const newline = this.#text.indexOf('\n', at);
      const end = newline < 0 || newline >= to ? to : newline;
      const blank = this.#text.slice(at, end).trim() === '';
      if (!blank || (end > at && top.line && top.breaks === 0)) this.#add(at, end);
      if (end < to) top.breaks++;
      at = end + 1;
    }
  }

  /**
   * Handles the text between two cells or before the first. If it has separators only, adds
   * the empty cells that they imply.
   */
  #between(from: number, to: number): void {
    const { node } = this.#top;
    const parts = this.#text.slice(from, to).split(BETWEEN);
    if (parts.some((part) => part.trim() !== '')) return this.#lines(from, to);
    const empty = parts.length - (node.childElementCount > 0 ? 2 : 1);
    for (let i = 0; i < empty; i++) node.append(h('td'));
  }

  #add(start: number, end: number): void {
    const words = new Text(this.#text.slice(start, end));
    this.#line().append(words);
    this.#words.push(words);
    this.#starts.push(start);
    this.#startOf.set(words, start);
  }

  /** Returns the element for the next words. */
  #line(): HTMLElement {
    const top = this.#top;
    const paragraphs = top.kind === ROOT || top.kind === KIND.quote;
    if (!top.line || (paragraphs && top.breaks > 1)) top.line = newLine(top);
    else if (top.breaks > 0) top.line.append(h('br'));
    top.breaks = 0;
    return top.line;
  }
}

/**
 * Returns all parts in ascending order, outer ones first. With equal spans, a heading goes
 * inside a block and contains inline elements.
 */
function partsOf(headings: ViewText['headings'], elements: Int32Array): Part[] {
  const all = [...elementsOf(elements)].map((element) => ({ ...element, level: 0 }));
  const inLine = ({ kind }: Part) => IN_LINE.has(kind);
  const titles = headings.map(({ level, start, end }) => ({ kind: HEADING, start, end, level }));
  return [...all.filter((part) => !inLine(part)), ...titles, ...all.filter(inLine)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
}

/**
 * Creates the element for words outside any item or cell: in a list or a table they get an
 * item or a cell of their own.
 */
function newLine({ kind, node }: Open): HTMLElement {
  switch (kind) {
    case ROOT:
    case KIND.quote:
      return node.appendChild(h('p'));
    case KIND.list:
    case KIND.ordered:
      return node.appendChild(h('li', { class: 'beside' }));
    case KIND.table:
      return node.appendChild(h('tr')).appendChild(h('td'));
    case KIND.row:
      return node.appendChild(h('td'));
    default:
      return node;
  }
}
