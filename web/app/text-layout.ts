// The text of one view as elements: a span for each sentence, text nodes for
// what is between them, in blocks that the browser may skip while they are out
// of sight. A block holds plain text until somebody looks at it: the spans of a
// long document take longer to make than a person waits for.

import type { PageSpan } from '../lib/api.ts';
import { lowest } from '../lib/lowest.ts';
import { h } from './dom.ts';
import { strings } from './strings.ts';

/** Sentences in a block: few blocks to lay out, little to lay out in each. */
const BLOCK = 50;
/** A block ends at a line end; where there is none for so long, anywhere. */
const BLOCK_MOST = 200;

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
  /** gaps[i] is the text before sentence i; the last one is the text after all. */
  readonly #gaps: Text[] = [];
  /** Page numbers by the first sentence that begins on the page. */
  readonly #pages = new Map<number, string>();
  /** Ascending. */
  #wanted: readonly Cut[] = [];
  /** The cuts now shown, by sentence, as text to compare. */
  readonly #shown = new Map<number, string>();

  constructor(text: string, sentences: Int32Array, pages: readonly PageSpan[] = []) {
    this.#text = text;
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
    return text === this.#text && sentences.length === this.#sentences.length
      && sentences.every((value, i) => value === this.#sentences[i]);
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

  start(sentence: number): number {
    return this.#sentences[2 * sentence] ?? this.#text.length;
  }

  end(sentence: number): number {
    return this.#sentences[2 * sentence + 1] ?? this.#text.length;
  }

  /** The sentence that holds the offset, or the next one when it is between two. */
  sentenceAt(offset: number): number {
    return lowest(this.count, (sentence) => this.end(sentence) > offset);
  }

  /** Where the character at an offset is in the elements. */
  place(offset: number): Place | null {
    const sentence = this.sentenceAt(offset);
    const start = this.start(sentence);
    if (sentence >= this.count || offset < start) {
      const from = sentence === 0 ? 0 : this.end(sentence - 1);
      this.refresh(this.#blockWith(Math.max(0, sentence - 1)));
      const gap = this.#gaps[sentence];
      return gap ? { node: gap, offset: Math.min(Math.max(0, offset - from), gap.length) } : null;
    }
    let rest = offset - start;
    for (const node of this.span(sentence)?.childNodes ?? []) {
      if (!(node instanceof Text)) continue;
      if (rest < node.length) return { node, offset: rest };
      rest -= node.length;
    }
    return null;
  }

  /** The offset of a point of the elements; null where it is outside of them. */
  offsetOf(node: Node, offset: number): number | null {
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
    return new StaticRange({ startContainer: from.node, startOffset: from.offset, endContainer: last.node, endOffset: last.offset + 1 });
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
    for (let i = lowest(this.#wanted.length, (at) => (this.#wanted[at]?.at ?? 0) >= from); i < this.#wanted.length; i++) {
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
    const start = this.start(sentence);
    for (const inner of span.querySelectorAll('.cut')) inner.remove();
    span.normalize();
    span.classList.remove('cut');
    delete span.dataset['reason'];
    // From the last to the first, so that offsets into the one text node hold.
    for (const { at, reason } of [...cuts].reverse()) {
      if (at <= start) {
        span.classList.add('cut');
        span.dataset['reason'] = reason;
      } else if (span.firstChild instanceof Text) {
        const rest = span.firstChild.splitText(at - start);
        span.insertBefore(h('span', { class: 'cut', 'data-reason': reason }), rest);
      }
    }
  }

  #divide(): void {
    for (let first = 0, i = 0; i <= this.count; i++) {
      const length = i - first;
      const ends = i === this.count || length >= BLOCK_MOST || (length >= BLOCK && this.#gap(i).includes('\n'));
      if (!ends) continue;
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
    return Math.min(this.#blocks.length - 1, lowest(this.#blocks.length, (i) => (this.#blocks[i]?.last ?? 0) > sentence));
  }

  #build(block: Block): void {
    const nodes: Node[] = [];
    const addGap = (sentence: number) => {
      const node = document.createTextNode(this.#gap(sentence));
      this.#gaps[sentence] = node;
      nodes.push(node);
    };
    if (block.first === 0) addGap(0);
    for (let i = block.first; i < block.last; i++) {
      const page = this.#pages.get(i);
      if (page) nodes.push(h('span', { class: 'page-mark', 'data-page': page }));
      const span = h('span', { class: this.#gap(i).includes('\n') ? 's after-line' : 's' }, this.#text.slice(this.start(i), this.end(i)));
      this.#spans[i] = span;
      nodes.push(span);
      addGap(i + 1);
    }
    block.element.replaceChildren(...nodes);
    block.built = true;
  }
}
