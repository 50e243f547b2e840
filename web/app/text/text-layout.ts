// Lays out the text of one view: a span per sentence, and text nodes between them, in
// blocks that the browser may skip while out of sight. A block holds plain text until it
// comes into view, because the spans of a long document take too long to create at once.

import type { Link, PageSpan } from '../../lib/api.ts';
import type { Item } from '../../lib/items.ts';
import { lowest } from '../../lib/lowest.ts';
import type { Mark } from '../../lib/marks.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import { betweenCells, type Table } from '../../lib/tables.ts';
import { h, setAttribute } from '../ground/dom.ts';
import { strings } from '../words/en/page.ts';
import { MarkedWords } from './marked-words.ts';
import { lineOf, TextHosts } from './text-hosts.ts';
import { placeIn, type Place } from './text-place.ts';

/** Sentences in a block: few blocks to lay out, and little to lay out in each. */
const BLOCK = 50;
/** A block ends at a line end, or after this many sentences without one. */
const BLOCK_MOST = 200;
/** A block with a table ends after the table, unless it gets longer than this. */
const TABLE_MOST = 600;

export interface Cut {
  /** An offset into the text. */
  at: number;
  /** The reason, with its value and threshold. */
  reason: string;
  /** The same reason in words alone. */
  plain: string;
}

interface Block {
  element: HTMLElement;
  /**
   * The sentences of the block, without `last`. Text before the first one belongs to the
   * previous block.
   */
  first: number;
  last: number;
  built: boolean;
  /** Whether the block shows the cuts set last. */
  fresh: boolean;
}

export class TextLayout {
  readonly element = h('div', { class: 'blocks' });
  readonly #text: string;
  /** Start and end of each sentence in turn. */
  readonly #sentences: Int32Array;
  readonly #blocks: Block[] = [];
  readonly #indexOf = new WeakMap<Element, number>();
  readonly #spans: HTMLSpanElement[] = [];
  /** The parts of a sentence that spans several cells or only part of one. */
  readonly #parts = new Map<number, HTMLElement[]>();
  /** gaps[i] is the text before sentence i; the last entry is the text after all sentences. */
  readonly #gaps: Node[][] = [];
  readonly #words: MarkedWords;
  readonly #tables: readonly Table[];
  readonly #items: readonly Item[];
  /** Page numbers by the first sentence that begins on the page. */
  readonly #pages = new Map<number, string>();
  /** The cuts to show, ascending. */
  #wanted: readonly Cut[] = [];
  /** The cuts shown, by sentence, as strings to compare. */
  readonly #shown = new Map<number, string>();

  constructor(
    text: string,
    sentences: Int32Array,
    pages: readonly PageSpan[] = [],
    marks: readonly Mark[] = [],
    tables: readonly Table[] = [],
    items: readonly Item[] = [],
    links: readonly Link[] = [],
  ) {
    this.#text = text;
    this.#words = new MarkedWords(text, [...marks, ...betweenCells(tables)], links);
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

  /** Reports whether this layout shows exactly these sentences of this text. */
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

  /** Returns the part of the text that a block shows. */
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

  /** Returns the spans of a sentence in order. There is one, except in tables. */
  parts(sentence: number): readonly HTMLElement[] {
    const span = this.span(sentence);
    return this.#parts.get(sentence) ?? (span ? [span] : []);
  }

  /** Returns the element that carries the line before a sentence, if any. */
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

  /** Returns the sentence at an offset, or the next one if the offset is between two. */
  sentenceAt(offset: number): number {
    return sentenceAt(this.#sentences, offset);
  }

  /** Returns the node and position of the character at an offset. */
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

  /** Returns the text offset of a point in the elements, or null if it is outside. */
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

  /**
   * Returns a live range, which follows changes of the elements. Each change of the page
   * updates every live range.
   */
  range(start: number, end: number): Range | null {
    const ends = this.staticRange(start, end);
    if (!ends) return null;
    const range = new Range();
    range.setStart(ends.startContainer, ends.startOffset);
    range.setEnd(ends.endContainer, ends.endOffset);
    return range;
  }

  /** Returns a static range, which holds until the cuts of its blocks change and costs nothing. */
  staticRange(start: number, end: number): StaticRange | null {
    if (end <= start) return null;
    // The end is found by its last character, because the next one may be in a block not
    // built so far.
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

  /** Sets the cuts to show, ascending; `refresh` shows them block by block. */
  setCuts(cuts: readonly Cut[]): void {
    this.#wanted = cuts;
    for (const block of this.#blocks) block.fresh = false;
  }

  /**
   * Returns the cuts of one block by sentence. While the line moves, only a few of
   * thousands of cuts are visible.
   */
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

  /**
   * Builds a block that is plain text, and shows its cuts. Only sentences with changed cuts
   * are touched.
   */
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
    // From last to first, so that offsets stay valid.
    for (const cut of [...cuts].reverse()) {
      const place = cut.at > start ? placeIn(parts, cut.at - start, false) : null;
      if (cut.at <= start) showCut(lineOf(span), cut);
      else if (place) cutWithin(parts, place, cut);
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

  /** Reports whether a sentence starts inside a table. */
  #inTable(sentence: number): boolean {
    const start = this.start(sentence);
    const table = this.#tables[lowest(this.#tables.length, (i) => (this.#tables[i]?.end ?? 0) > start)];
    return table !== undefined && table.start < start;
  }

  #number(pages: readonly PageSpan[]): void {
    for (const { number, label, start, end } of pages) {
      const sentence = lowest(this.count, (i) => this.start(i) >= start);
      if (sentence < this.count && this.start(sentence) < end)
        this.#pages.set(sentence, strings.pagesOf([number], label ? [label] : undefined));
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
      const gap = this.#words.looking(end - this.#gap(sentence).length, end);
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

  /**
   * Adds the span of a sentence, or one span in each cell that has some of it. Text between
   * cells gets no span.
   */
  #addSentence(sentence: number, root: ParentNode, hosts: TextHosts): void {
    const props = {
      class: this.#gap(sentence).includes('\n') ? 's after-line' : 's',
      ...this.#words.headingOf(this.start(sentence), this.end(sentence)),
    };
    const parts: HTMLElement[] = [];
    const add = (host: ParentNode, ...nodes: Node[]) => {
      const span = h('span', props, ...nodes);
      host.append(span);
      parts.push(span);
    };
    for (const { at, node } of this.#words.looking(this.start(sentence), this.end(sentence))) {
      const host = hosts.hostOf(at);
      const last = parts.at(-1);
      if (hosts.between(at) && node instanceof HTMLElement) {
        host.append(node);
        parts.push(node);
      } else if (last?.parentNode === host && isWords(last)) last.append(node);
      else add(host, node);
    }
    if (!parts.some(isWords)) add(parts[0]?.parentNode ?? root, ...parts.splice(0)); // the dashes below a table header
    this.#spans[sentence] = parts.find(isWords) as HTMLElement;
    if (parts.length > 1) this.#parts.set(sentence, parts);
  }
}

const isWords = (part: Element): boolean => part.classList.contains('s');

/** Shows the line of a cut before an element. Null removes the line. */
function showCut(element: HTMLElement, cut: Cut | null): void {
  element.classList.toggle('cut', cut !== null);
  setAttribute(element, 'data-reason', cut && cut.reason);
  setAttribute(element, 'data-plain', cut && cut.plain);
}

/** Shows a cut inside a sentence. Between two cells it goes before the next one. */
function cutWithin(parts: readonly HTMLElement[], { node, offset }: Place, cut: Cut): void {
  const index = parts.findIndex((part) => part.contains(node));
  const part = parts.slice(Math.max(0, index)).find(isWords);
  if (!part) return;
  const within = part === parts[index];
  const begins = !within || (offset === 0 && (part.firstChild === node || part.firstChild === node.parentNode));
  const line = lineOf(part);
  if (begins && line !== part) return showCut(line, cut);
  // Inside marked words, the cut goes before them.
  const inner = begins ? part.firstChild : node.parentNode === part ? node.splitText(offset) : node.parentNode;
  part.insertBefore(h('span', { class: 'cut', 'data-reason': cut.reason, 'data-plain': cut.plain }), inner);
}
