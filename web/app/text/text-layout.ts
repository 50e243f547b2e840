// The text of one view as elements: a span for each sentence, text nodes for
// what is between them, in blocks that the browser may skip while they are out
// of sight. A block holds plain text until somebody looks at it: the spans of a
// long document take longer to make than a person waits for.

import type { PageSpan } from '../../lib/api.ts';
import type { Item } from '../../lib/items.ts';
import { lowest } from '../../lib/lowest.ts';
import { looksIn, type Mark } from '../../lib/marks.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import { betweenCells, type Table } from '../../lib/tables.ts';
import { h } from '../ground/dom.ts';
import { strings } from '../words/en/page.ts';
import { lineOf, TextHosts } from './text-hosts.ts';

/** Sentences in a block: few blocks to lay out, little to lay out in each. */
const BLOCK = 50;
/** A block ends at a line end; where there is none for so long, anywhere. */
const BLOCK_MOST = 200;
/** A block with a table ends behind it, unless it is longer than this. */
const TABLE_MOST = 600;

/** Characters that a mark before a place may begin before it and still reach it. */
const FAR = 20_000;
/** A sentence with more marks, such as a listing of so many lines, is shown without them: each is an element. */
const MANY = 5000;

export interface Cut {
  /** Offset into the text. */
  at: number;
  reason: string;
}

export interface Place {
  node: Text;
  offset: number;
}

interface Block {
  element: HTMLElement;
  /** Its sentences, the last one excluded; the text before the first one belongs to the block before. */
  first: number;
  last: number;
  built: boolean;
  /** Shows the cuts that are wanted. */
  fresh: boolean;
}

export class TextLayout {
  readonly element = h('div', { class: 'blocks' });
  readonly #text: string;
  /** Starts and ends in turn. */
  readonly #sentences: Int32Array;
  readonly #blocks: Block[] = [];
  readonly #indexOf = new WeakMap<Element, number>();
  readonly #spans: HTMLSpanElement[] = [];
  /** What there is of a sentence that stands in several cells, or is not all of one. */
  readonly #parts = new Map<number, HTMLElement[]>();
  /** gaps[i] is the text before sentence i; the last one is the text after all. */
  readonly #gaps: Node[][] = [];
  /** What of the text is marks of its format. */
  readonly #marks: readonly Mark[];
  readonly #tables: readonly Table[];
  readonly #items: readonly Item[];
  /** Page numbers by the first sentence that begins on the page. */
  readonly #pages = new Map<number, string>();
  /** Ascending. */
  #wanted: readonly Cut[] = [];
  /** The cuts now shown, by sentence, as text to compare. */
  readonly #shown = new Map<number, string>();

  constructor(
    text: string,
    sentences: Int32Array,
    pages: readonly PageSpan[] = [],
    marks: readonly Mark[] = [],
    tables: readonly Table[] = [],
    items: readonly Item[] = [],
  ) {
    this.#text = text;
    this.#marks = [...marks, ...betweenCells(tables)].sort((a, b) => a.start - b.start || b.end - a.end);
    this.#tables = tables;
    this.#items = items;
    this.#sentences = sentences;
    this.#divide();
    if (pages.length > 1) this.#number(pages);
  }

  get count(): number {
    return this.#sentences.length >> 1;
  }

  get blocks(): number {
    return this.#blocks.length;
  }

  /** Whether this layout shows just these sentences of just this text. */
  fits(text: string, sentences: Int32Array): boolean {
    return (
      text === this.#text &&
      sentences.length === this.#sentences.length &&
      sentences.every((value, i) => value === this.#sentences[i])
    );
  }

  block(index: number): HTMLElement | undefined {
    return this.#blocks[index]?.element;
  }

  blockOf(element: Element): number {
    return this.#indexOf.get(element) ?? -1;
  }

  /** The part of the text that a block shows. */
  blockSpan(index: number): { start: number; end: number; sentences: number } {
    const { first = 0, last = 0 } = this.#blocks[index] ?? {};
    return {
      start: index === 0 ? 0 : this.start(first),
      end: index === this.#blocks.length - 1 ? this.#text.length : this.start(last),
      sentences: last - first,
    };
  }

  span(sentence: number): HTMLSpanElement | undefined {
    this.refresh(this.#blockWith(sentence));
    return this.#spans[sentence];
  }

  /** What there is of a sentence, in order: one span, unless it stands in a table. */
  parts(sentence: number): readonly HTMLElement[] {
    const span = this.span(sentence);
    return this.#parts.get(sentence) ?? (span ? [span] : []);
  }

  /** Where the line before a sentence is, if there is one. */
  line(sentence: number): HTMLElement | undefined {
    const span = this.span(sentence);
    return span && lineOf(span);
  }

  start(sentence: number): number {
    return this.#sentences[2 * sentence] ?? this.#text.length;
  }

  end(sentence: number): number {
    return this.#sentences[2 * sentence + 1] ?? this.#text.length;
  }

  /** The sentence that holds the offset, or the next one when it is between two. */
  sentenceAt(offset: number): number {
    return sentenceAt(this.#sentences, offset);
  }

  /** Where the character at an offset is in the elements. */
  place(offset: number): Place | null {
    const sentence = this.sentenceAt(offset);
    const start = this.start(sentence);
    if (sentence >= this.count || offset < start) {
      const from = sentence === 0 ? 0 : this.end(sentence - 1);
      this.refresh(this.#blockWith(Math.max(0, sentence - 1)));
      return placeIn(this.#gaps[sentence] ?? [], Math.max(0, offset - from), true);
    }
    return placeIn(this.parts(sentence), offset - start, false);
  }

  /** The offset of a point of the elements; null where it is outside of them. */
  offsetOf(node: Node, offset: number): number | null {
    if (node === this.element) return offset < this.#blocks.length ? this.blockSpan(offset).start : this.#text.length;
    const element = (node instanceof Element ? node : node.parentElement)?.closest('.block');
    const block = element ? this.blockOf(element) : -1;
    if (!element || block < 0) return null;
    const before = new Range();
    before.setStart(element, 0);
    before.setEnd(node, offset);
    return this.blockSpan(block).start + before.toString().length;
  }

  /** A range that follows changes of the elements; each change of the page costs a look at every such range. */
  range(start: number, end: number): Range | null {
    const ends = this.staticRange(start, end);
    if (!ends) return null;
    const range = new Range();
    range.setStart(ends.startContainer, ends.startOffset);
    range.setEnd(ends.endContainer, ends.endOffset);
    return range;
  }

  /** A range that holds until the cuts of its blocks change, and costs nothing. */
  staticRange(start: number, end: number): StaticRange | null {
    if (end <= start) return null;
    // The end by its last character: what follows may be in a block that is not built.
    const last = this.place(end - 1);
    const from = this.place(start);
    if (!from || !last) return null;
    return new StaticRange({
      startContainer: from.node,
      startOffset: from.offset,
      endContainer: last.node,
      endOffset: last.offset + 1,
    });
  }

  /** These cuts, ascending, are wanted; `refresh` shows them, block by block. */
  setCuts(cuts: readonly Cut[]): void {
    this.#wanted = cuts;
    for (const block of this.#blocks) block.fresh = false;
  }

  /** The cuts wanted in a block, by sentence: of ten thousand in a text, few are looked at while the line moves. */
  #cutsIn({ first, last }: Block): Map<number, Cut[]> {
    const cuts = new Map<number, Cut[]>();
    const from = first === 0 ? 0 : this.end(first - 1);
    for (
      let i = lowest(this.#wanted.length, (at) => (this.#wanted[at]?.at ?? 0) >= from);
      i < this.#wanted.length;
      i++
    ) {
      const cut = this.#wanted[i] as Cut;
      const sentence = this.sentenceAt(cut.at);
      if (sentence >= last) break;
      const list = cuts.get(sentence);
      if (list) list.push(cut);
      else cuts.set(sentence, [cut]);
    }
    return cuts;
  }

  /** Builds a block if it is only text so far, and shows its cuts, changing only sentences whose cuts are new. */
  refresh(index: number): void {
    const block = this.#blocks[index];
    if (!block || block.fresh) return;
    if (!block.built) this.#build(block);
    block.fresh = true;
    const wanted = this.#cutsIn(block);
    for (let sentence = block.first; sentence < block.last; sentence++) {
      const cuts = wanted.get(sentence) ?? [];
      const key = cuts.map(({ at, reason }) => `${at} ${reason}`).join('\n');
      if ((this.#shown.get(sentence) ?? '') === key) continue;
      this.#shown.set(sentence, key);
      this.#cutSentence(sentence, cuts);
    }
  }

  #cutSentence(sentence: number, cuts: Cut[]): void {
    const span = this.#spans[sentence];
    if (!span) return;
    const parts = this.#parts.get(sentence) ?? [span];
    const start = this.start(sentence);
    for (const part of parts) {
      for (const inner of part.querySelectorAll('.cut')) inner.remove();
      part.normalize();
      showCut(lineOf(part), null);
    }
    // From the last to the first, so that offsets into the text hold.
    for (const { at, reason } of [...cuts].reverse()) {
      const place = at > start ? placeIn(parts, at - start, false) : null;
      if (at <= start) showCut(lineOf(span), reason);
      else if (place) cutWithin(parts, place, reason);
    }
  }

  #divide(): void {
    for (let first = 0, i = 0; i <= this.count; i++) {
      const length = i - first;
      const ends = length >= BLOCK_MOST || (length >= BLOCK && this.#gap(i).includes('\n'));
      if (i < this.count && !(ends && (length >= TABLE_MOST || !this.#inTable(i)))) continue;
      const element = h('div', { class: 'block' });
      this.#indexOf.set(element, this.#blocks.length);
      this.#blocks.push({ element, first, last: i, built: false, fresh: false });
      first = i;
    }
    this.#blocks.forEach(({ element }, i) => {
      const { start, end } = this.blockSpan(i);
      element.append(this.#text.slice(start, end));
    });
    this.element.append(...this.#blocks.map(({ element }) => element));
  }

  /** Whether a table goes on with a sentence. */
  #inTable(sentence: number): boolean {
    const start = this.start(sentence);
    const table = this.#tables[lowest(this.#tables.length, (i) => (this.#tables[i]?.end ?? 0) > start)];
    return table !== undefined && table.start < start;
  }

  #number(pages: readonly PageSpan[]): void {
    for (const { number, start, end } of pages) {
      const sentence = lowest(this.count, (i) => this.start(i) >= start);
      if (sentence < this.count && this.start(sentence) < end) this.#pages.set(sentence, strings.pagesOf([number]));
    }
  }

  #gap(sentence: number): string {
    return this.#text.slice(sentence === 0 ? 0 : this.end(sentence - 1), this.start(sentence));
  }

  #blockWith(sentence: number): number {
    return Math.min(
      this.#blocks.length - 1,
      lowest(this.#blocks.length, (i) => (this.#blocks[i]?.last ?? 0) > sentence),
    );
  }

  /** A part of the text as nodes, each with where it begins: marks are there, and not seen. */
  #looking(start: number, end: number): { at: number; node: Text | HTMLElement }[] {
    const whole = () => [{ at: start, node: document.createTextNode(this.#text.slice(start, end)) }];
    if (this.#marks.length === 0 || start >= end) return whole();
    const marks = this.#near(start, end);
    if (marks.length > MANY) return whole();
    return looksIn(marks, start, end).map(({ start: from, end: to, looks }) => {
      const words = this.#text.slice(from, to);
      return {
        at: from,
        node:
          looks.length === 0
            ? document.createTextNode(words)
            : h('span', { class: looks.map((look) => `md-${look}`).join(' ') }, words),
      };
    });
  }

  /** The marks about a part of the text: those of a line are at most so far before it. */
  #near(start: number, end: number): Mark[] {
    const near: Mark[] = [];
    for (let i = lowest(this.#marks.length, (at) => (this.#marks[at]?.start ?? 0) >= end) - 1; i >= 0; i--) {
      const mark = this.#marks[i] as Mark;
      if (mark.end > start) near.push(mark);
      else if (mark.start < start - FAR) break;
    }
    return near.reverse();
  }

  /** A sentence that is a heading is one for those who listen, too. */
  #headingOf(sentence: number): Record<string, string | number> {
    const heading = this.#near(this.start(sentence), this.end(sentence)).find(
      ({ look, start, end }) => /^h\d$/.test(look) && start <= this.start(sentence) && end >= this.end(sentence),
    );
    return heading ? { role: 'heading', 'aria-level': Number(heading.look.slice(1)) } : {};
  }

  #build(block: Block): void {
    const root = document.createDocumentFragment();
    const hosts = new TextHosts(
      root,
      this.#text,
      this.#tables,
      this.#items,
      this.blockSpan(this.blockOf(block.element)),
    );
    const addGap = (sentence: number) => {
      const end = this.start(sentence);
      const gap = this.#looking(end - this.#gap(sentence).length, end);
      for (const { at, node } of gap) hosts.hostOf(at).append(node);
      this.#gaps[sentence] = gap.map(({ node }) => node);
    };
    if (block.first === 0) addGap(0);
    for (let i = block.first; i < block.last; i++) {
      const page = this.#pages.get(i);
      if (page) hosts.hostOf(this.start(i)).append(h('span', { class: 'page-mark', 'data-page': page }));
      this.#addSentence(i, root, hosts);
      addGap(i + 1);
    }
    block.element.replaceChildren(root);
    block.built = true;
  }

  /** A span, or one in each cell with some of the sentence; what is between the cells is in none. */
  #addSentence(sentence: number, root: ParentNode, hosts: TextHosts): void {
    const props = { class: this.#gap(sentence).includes('\n') ? 's after-line' : 's', ...this.#headingOf(sentence) };
    const parts: HTMLElement[] = [];
    const add = (host: ParentNode, ...nodes: Node[]) => {
      const span = h('span', props, ...nodes);
      host.append(span);
      parts.push(span);
    };
    for (const { at, node } of this.#looking(this.start(sentence), this.end(sentence))) {
      const host = hosts.hostOf(at);
      const last = parts.at(-1);
      if (hosts.between(at) && node instanceof HTMLElement) {
        host.append(node);
        parts.push(node);
      } else if (last?.parentNode === host && isWords(last)) last.append(node);
      else add(host, node);
    }
    if (!parts.some(isWords)) add(parts[0]?.parentNode ?? root, ...parts.splice(0)); // the dashes below the head of a table
    this.#spans[sentence] = parts.find(isWords) as HTMLElement;
    if (parts.length > 1) this.#parts.set(sentence, parts);
  }
}

const isWords = (part: Element): boolean => part.classList.contains('s');

/** The line before a chunk, on what it goes before; null: there is none. */
function showCut(element: HTMLElement, reason: string | null): void {
  element.classList.toggle('cut', reason !== null);
  if (reason === null) delete element.dataset['reason'];
  else element.dataset['reason'] = reason;
}

/** A cut within a sentence. Between two cells it goes before the next one. */
function cutWithin(parts: readonly HTMLElement[], { node, offset }: Place, reason: string): void {
  const index = parts.findIndex((part) => part.contains(node));
  const part = parts.slice(Math.max(0, index)).find(isWords);
  if (!part) return;
  const within = part === parts[index];
  const begins = !within || (offset === 0 && (part.firstChild === node || part.firstChild === node.parentNode));
  const line = lineOf(part);
  if (begins && line !== part) return showCut(line, reason);
  // Within marked words it stands before them.
  const inner = begins ? part.firstChild : node.parentNode === part ? node.splitText(offset) : node.parentNode;
  part.insertBefore(h('span', { class: 'cut', 'data-reason': reason }), inner);
}

/** Where a character is among nodes; `end`: the place behind the last one counts, too. */
function placeIn(nodes: Iterable<Node>, offset: number, end: boolean): Place | null {
  let rest = offset;
  let last: Text | null = null;
  for (const text of textsIn(nodes)) {
    if (rest < text.length) return { node: text, offset: rest };
    rest -= text.length;
    last = text;
  }
  return end && last ? { node: last, offset: last.length } : null;
}

function* textsIn(nodes: Iterable<Node>): Generator<Text> {
  for (const node of nodes) {
    if (node instanceof Text) yield node;
    else yield* textsIn(node.childNodes);
  }
}
