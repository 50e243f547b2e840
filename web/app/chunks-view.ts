// The list of the selected document's chunks, their sizes, and the way out.

import { extent, histogram, median } from '../lib/histogram.ts';
import type { Chunk } from '../lib/api.ts';
import type { Cutting, Doc, Passage } from './doc.ts';
import { button, h, setText } from './dom.ts';
import { chunksAsJson, copyText, saveFile } from './export.ts';
import type { Session } from './session.ts';
import { inSlices } from './slices.ts';
import { strings } from './strings.ts';

const BINS = 12;
/** Characters of a chunk in the list; as many as two wide lines may hold. */
const PREVIEW = 320;
/** More than these nobody reads through; the saved file has them all. */
const MOST_CARDS = 2000;
/** Chunks in one step of the work. */
const STEP = 20;

/** One chunk. Cards are used again, as most of a list stays when the threshold moves. */
class Card {
  readonly #meta = h('small');
  readonly #text = h('span', { class: 'preview', dir: 'auto' });
  readonly #button: HTMLButtonElement;
  readonly element: HTMLLIElement;
  chunk: Chunk | null = null;

  constructor(go: (card: Card) => void) {
    this.#button = button('', () => go(this), { class: 'card' });
    this.#button.append(this.#meta, this.#text);
    this.element = h('li', {}, this.#button);
  }

  update(chunk: Chunk, index: number, { text, result }: Cutting, colour: number): void {
    this.chunk = chunk;
    const pages = result.chunks.length > 0 && text.pages.length > 1 ? strings.chunks.pages(chunk.pages) : '';
    setText(this.#meta, strings.chunks.meta(index + 1, pages, chunk.tokens, chunk.reason));
    setText(this.#text, text.text.slice(chunk.start, Math.min(chunk.end, chunk.start + PREVIEW)).trim());
    this.#button.dataset['colour'] = String(colour);
  }

  focus(): void {
    this.#button.focus();
  }

  set current(on: boolean) {
    this.#button.toggleAttribute('aria-current', on);
    if (on) this.#button.setAttribute('aria-current', 'true');
  }
}

export class ChunksView {
  readonly #session: Session;
  readonly #colourOf: (start: number) => number;
  readonly #empty = h('p', { class: 'hint' }, strings.chunks.empty);
  readonly #title = h('h2', {});
  readonly #histogram = h('div', { class: 'histogram', role: 'img' });
  readonly #sizes = h('p', { class: 'sizes', 'aria-hidden': 'true' });
  readonly #list = h('ol', { class: 'cards' });
  readonly #more = h('p', { class: 'hint', hidden: true });
  readonly #copy = button(strings.chunks.copy, () => void this.#copyChunks(), { class: 'small' });
  readonly #download = button(strings.chunks.download, () => this.#saveChunks(), { class: 'small', id: 'download' });
  readonly #full = h('div', { hidden: true }, this.#histogram, this.#sizes,
    h('div', { class: 'bar' }, this.#title, this.#copy, this.#download), this.#list, this.#more);
  readonly element = h('div', {}, this.#empty, this.#full);
  readonly #cards: Card[] = [];
  #current: Card | null = null;
  #listing = new AbortController();
  /** The passage shown, as its card may come after it. */
  #passage: Passage | null = null;

  /** `colourOf` tells the colour that the text view gave to the chunk starting there. */
  constructor(session: Session, colourOf: (start: number) => number) {
    this.#session = session;
    this.#colourOf = colourOf;
    session.on('selected', (doc) => this.#show(doc));
    session.on('cut', (doc) => { if (doc === session.selected) this.#show(doc); });
    session.on('documents', () => { if (!session.selected?.cutting) this.#show(null); });
    session.on('passage', (passage) => this.#mark(passage));
  }

  #show(doc: Doc | null): void {
    const cutting = doc?.cutting ?? null;
    this.#empty.hidden = cutting !== null;
    this.#full.hidden = cutting === null;
    this.#mark(null);
    this.#listing.abort();
    if (!cutting) return;
    const { chunks } = cutting.result;
    setText(this.#title, strings.chunks.title(chunks.length));
    this.#more.hidden = chunks.length <= MOST_CARDS;
    setText(this.#more, strings.chunks.more(chunks.length - MOST_CARDS));
    this.#dropCards(Math.min(chunks.length, MOST_CARDS));
    this.#showSizes(chunks.map((chunk) => chunk.tokens));
    this.#listing = new AbortController();
    void inSlices(this.#listChunks(cutting), this.#listing.signal).then((done) => { if (done) this.#mark(this.#passage); });
  }

  /** Takes away the cards that have no chunk any more; one that has the focus hands it on. */
  #dropCards(count: number): void {
    const gone = this.#cards.slice(count, this.#list.childElementCount);
    const focused = gone.some(({ element }) => element.contains(document.activeElement));
    for (const card of gone) card.element.remove();
    if (focused) this.#cards[count - 1]?.focus();
  }

  /** The cards of the chunks, one step after another. */
  *#listChunks(cutting: Cutting): Generator<void> {
    const { chunks } = cutting.result;
    const count = Math.min(chunks.length, MOST_CARDS);
    for (let from = 0; from < count; from += STEP) {
      const to = Math.min(count, from + STEP);
      while (this.#cards.length < to) this.#cards.push(new Card((card) => this.#go(card)));
      const cards = this.#cards.slice(from, to);
      cards.forEach((card, i) => {
        const chunk = chunks[from + i];
        if (chunk) card.update(chunk, from + i, cutting, this.#colourOf(chunk.start));
      });
      if (this.#list.childElementCount < to) this.#list.append(...cards.map(({ element }) => element));
      yield;
    }
  }

  #showSizes(tokens: number[]): void {
    const bins = histogram(tokens, BINS);
    const most = Math.max(1, ...bins.map((bin) => bin.count));
    this.#histogram.replaceChildren(...bins.map((bin) => {
      const bar = h('i', { title: strings.chunks.bin(bin.from, bin.to, bin.count) });
      bar.style.blockSize = bin.count ? `${Math.max(4, (100 * bin.count) / most)}%` : '1px';
      return bar;
    }));
    const sizes = tokens.length ? strings.chunks.sizes(...extent(tokens), median(tokens)) : '';
    this.#histogram.setAttribute('aria-label', sizes);
    setText(this.#sizes, sizes);
  }

  #go({ chunk }: Card): void {
    const doc = this.#session.selected;
    if (!doc || !chunk) return;
    const page = (doc.opened?.pages ?? 0) > 1 ? strings.chunks.pages(chunk.pages) : '';
    void this.#session.reveal({ doc, start: chunk.start, end: chunk.end, page, marks: [], focus: 0 });
  }

  /** Marks the card of the passage shown, if it is a whole chunk. */
  #mark(passage: Passage | null): void {
    if (this.#current) this.#current.current = false;
    this.#passage = passage;
    this.#current = this.#cards.slice(0, this.#list.childElementCount)
      .find(({ chunk }) => chunk && chunk.start === passage?.start && chunk.end === passage.end) ?? null;
    if (!this.#current) return;
    this.#current.current = true;
    this.#current.element.scrollIntoView({ block: 'nearest' });
  }

  async #copyChunks(): Promise<void> {
    const cutting = this.#session.selected?.cutting;
    if (!cutting) return;
    const done = await copyText(chunksAsJson(cutting));
    setText(this.#copy, done ? strings.chunks.copied : strings.chunks.copyFailed);
    setTimeout(() => setText(this.#copy, strings.chunks.copy), 2000);
  }

  #saveChunks(): void {
    const doc = this.#session.selected;
    if (doc?.cutting) saveFile(`${doc.name}.chunks.json`, chunksAsJson(doc.cutting));
  }
}
