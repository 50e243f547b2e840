// The text of one view as elements, built once: a span for each sentence, text
// nodes for what is between them, in blocks that the browser may skip while
// they are out of sight. Later only cuts and classes change.

import { h } from './dom.ts';

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

export class TextLayout {
  readonly element = h('div', { class: 'blocks' });
  readonly #text: string;
  /** Starts and ends in turn. */
  readonly #sentences: Int32Array;
  readonly #spans: HTMLSpanElement[] = [];
  /** gaps[i] is the text before sentence i; the last one is the text after all. */
  readonly #gaps: Text[] = [];
  /** The cuts now shown, by sentence, as text to compare. */
  #shown = new Map<number, string>();

  constructor(text: string, sentences: Int32Array) {
    this.#text = text;
    this.#sentences = sentences;
    this.#build();
  }

  get count(): number {
    return this.#spans.length;
  }

  /** Whether this layout shows just these sentences of just this text. */
  fits(text: string, sentences: Int32Array): boolean {
    return text === this.#text && sentences.length === this.#sentences.length
      && sentences.every((value, i) => value === this.#sentences[i]);
  }

  span(sentence: number): HTMLSpanElement | undefined {
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
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end(middle) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Where an offset is in the elements. */
  place(offset: number): Place | null {
    const sentence = this.sentenceAt(offset);
    const start = this.start(sentence);
    const span = this.#spans[sentence];
    if (!span || offset < start) {
      const gap = this.#gaps[sentence];
      const from = sentence === 0 ? 0 : this.end(sentence - 1);
      return gap ? { node: gap, offset: Math.min(Math.max(0, offset - from), gap.length) } : null;
    }
    let rest = offset - start;
    for (const node of span.childNodes) {
      if (!(node instanceof Text)) continue;
      if (rest <= node.length) return { node, offset: rest };
      rest -= node.length;
    }
    return null;
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

  /** A range that holds until the next `setCuts`, and costs nothing. */
  staticRange(start: number, end: number): StaticRange | null {
    const from = this.place(start);
    const to = this.place(end);
    if (!from || !to) return null;
    return new StaticRange({ startContainer: from.node, startOffset: from.offset, endContainer: to.node, endOffset: to.offset });
  }

  /** Shows these cuts, changing only the sentences whose cuts are new. */
  setCuts(cuts: Cut[]): void {
    const wanted = new Map<number, Cut[]>();
    for (const cut of cuts) {
      const sentence = this.sentenceAt(cut.at);
      if (sentence >= this.count) continue;
      const list = wanted.get(sentence);
      if (list) list.push(cut);
      else wanted.set(sentence, [cut]);
    }
    const shown = new Map<number, string>();
    for (const [sentence, list] of wanted) {
      const key = JSON.stringify(list);
      shown.set(sentence, key);
      if (this.#shown.get(sentence) !== key) this.#cutSentence(sentence, list);
    }
    for (const sentence of this.#shown.keys()) {
      if (!shown.has(sentence)) this.#cutSentence(sentence, []);
    }
    this.#shown = shown;
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

  #build(): void {
    let block = h('div', { class: 'block' });
    let inBlock = 0;
    let at = 0;
    for (let i = 0; 2 * i < this.#sentences.length; i++) {
      const start = this.start(i);
      const end = this.end(i);
      const gap = this.#text.slice(at, start);
      const lineEnd = gap.includes('\n');
      const gapNode = document.createTextNode(gap);
      this.#gaps.push(gapNode);
      block.append(gapNode);
      if (inBlock >= BLOCK_MOST || (inBlock >= BLOCK && lineEnd)) {
        this.element.append(block);
        block = h('div', { class: 'block' });
        inBlock = 0;
      }
      const span = h('span', { class: lineEnd ? 's after-line' : 's' }, this.#text.slice(start, end));
      this.#spans.push(span);
      block.append(span);
      inBlock++;
      at = end;
    }
    const rest = document.createTextNode(this.#text.slice(at));
    this.#gaps.push(rest);
    block.append(rest);
    this.element.append(block);
  }
}
