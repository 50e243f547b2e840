// Lists the selected document's chunks, with their sizes and the buttons that save them.

import { SeamError } from '../../lib/seam-error.ts';
import { lowest } from '../../lib/lowest.ts';
import type { Chunk, ViewText } from '../../lib/api.ts';
import { topicParts, type TopicPart } from '../../lib/topic-parts.ts';
import type { Chunking, Doc, Passage } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import { ChunkSizes } from './chunk-sizes.ts';
import { BundledView } from './bundled-view.ts';
import type { BundleSaver } from '../kept/bundle-saver.ts';
import type { Editor } from '../hand/editor.ts';
import { EditTools } from '../hand/edit-tools.ts';
import { ChunkFiles } from './chunk-files.ts';
import { copyText, saveFile } from '../session/export.ts';
import type { Tried } from '../grid/tried.ts';
import { reportOf, type Compared } from '../compare/report.ts';
import type { Session } from '../session/session.ts';
import { Menu } from '../ground/menu.ts';
import { inSlices } from '../ground/slices.ts';
import { explained, strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';
import { Card, isLong } from './chunk-card.ts';

/** The most cards in the list. A saved file has all chunks. */
const MOST_CARDS = 2000;
/** Chunks listed per step of work, more than any screen shows. */
const STEP = 20;

export class ChunksView {
  readonly #session: Session;
  readonly #colourOf: (start: number) => number;
  readonly #empty = h('p', { class: 'hint' }, shown.chunks.empty);
  readonly #title = h('h2', {});
  readonly #sizes = new ChunkSizes(
    () => this.#filter(),
    () => this.#order(),
  );
  readonly #list = h('ol', { class: 'cards' });
  readonly #more = h('p', { class: 'hint', hidden: true });
  readonly #copy = button(shown.chunks.copy, () => void this.#copyChunks(), { class: 'small' });
  readonly #bundle = button(shown.bundles.save, () => void this.#saveBundle(), { id: 'save-bundle' });
  readonly #saving = h('p', { class: 'hint', 'aria-live': 'polite' });
  readonly #files: ChunkFiles;
  readonly #save: Menu;
  readonly #saver: BundleSaver;
  readonly #full: HTMLElement;
  readonly element: HTMLElement;
  readonly #cards: Card[] = [];
  #current: Card | null = null;
  /** Called with the index of the marked chunk, or −1. */
  onMark: (chunk: number) => void = () => {};
  /** Returns the methods compared with the one in use, for the report. */
  compared: () => readonly Compared[] = () => [];
  /** Returns the settings tried over a text, for the report. */
  tried: (text: ViewText) => Tried | null = () => null;
  #listing = new AbortController();
  /** The topic part of each chunk, or null. */
  #parts: (TopicPart | null)[] = [];
  #longest = 0;
  /**
   * The cards in view when the line began to move. Measuring them at each step would lay
   * the page out twice a frame.
   */
  #inView: [from: number, to: number] | null = null;
  /** The passage shown. Its card may be listed later. */
  #passage: Passage | null = null;

  /**
   * `colourOf` returns the colour of the chunk that starts at an offset, as the text view
   * assigned it.
   */
  constructor(session: Session, editor: Editor, saver: BundleSaver, colourOf: (start: number) => number) {
    this.#session = session;
    this.#saver = saver;
    this.#files = new ChunkFiles(session, (text) => setText(this.#saving, text));
    this.#save = new Menu({
      id: 'save',
      opener: [shown.chunks.save, 'list'],
      title: shown.chunks.saveTitle,
      items: [
        ...this.#files.items,
        button(shown.chunks.report, () => void this.#saveReport(), { id: 'save-report' }),
        this.#bundle,
      ],
      choice: this.#files.unit,
    });
    this.#colourOf = colourOf;
    this.#full = h(
      'div',
      { hidden: true },
      this.#sizes.element,
      h('div', { class: 'bar' }, this.#title, this.#copy, this.#save.element),
      this.#saving,
      new BundledView(session).element,
      editor.element,
      this.#list,
      this.#more,
    );
    this.element = h('div', {}, this.#empty, this.#full);
    session.on('selected', (doc) => this.#show(doc));
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#show(doc);
    });
    session.on('moved', (doc) => {
      if (doc.chunking) this.#follow(doc.chunking);
    });
    session.on('documents', () => {
      if (!session.selected?.chunking) this.#show(null);
    });
    session.on('passage', (passage) => this.#mark(passage));
    new EditTools(session, editor, this.#list, (item) => this.#cards.findIndex(({ element }) => element === item));
  }

  #show(doc: Doc | null): void {
    const chunking = doc?.chunking ?? null;
    this.#empty.hidden = chunking !== null;
    this.#full.hidden = chunking === null;
    this.#mark(null);
    this.#listing.abort();
    if (!chunking) return;
    this.#inView = null;
    this.#count(chunking);
    this.#dropCards(Math.min(chunking.result.chunks.length, MOST_CARDS));
    this.#listing = new AbortController();
    void inSlices(this.#listChunks(chunking), this.#listing.signal).then((done) => {
      if (!done) return;
      this.#order();
      this.#mark(this.#passage);
    });
  }

  /**
   * Updates the numbers and the cards in view while the line moves. The whole list follows
   * when the line rests.
   */
  #follow(chunking: Chunking): void {
    this.#listing.abort();
    if (this.#current) this.#mark(null);
    if (!this.#sizes.all || !this.#sizes.asInText) {
      this.#sizes.reset(); // each card must be at its chunk's index
      this.#filter();
      this.#order();
    }
    this.#inView ??= this.#cardsInView();
    this.#count(chunking);
    const count = Math.min(chunking.result.chunks.length, MOST_CARDS);
    if (count < this.#list.childElementCount) this.#dropCards(count);
    const [from, to] = this.#inView;
    for (let at = Math.min(from, Math.max(0, count - STEP)); at < Math.min(to, count); at += STEP)
      this.#listStep(chunking, at, Math.min(at + STEP, to, count));
  }

  /**
   * Returns the first card in view and the one after the last. If the list is shorter than
   * a screen, returns the first screen.
   */
  #cardsInView(): [from: number, to: number] {
    const below = (edge: number) =>
      lowest(this.#list.childElementCount, (i) => (this.#cards[i]?.element.getBoundingClientRect().bottom ?? 0) > edge);
    if (this.#list.getClientRects().length === 0) return [0, 0]; // another tab is selected
    const from = below(0);
    return [from, Math.max(STEP, below(innerHeight) + 1)];
  }

  #count(chunking: Chunking): void {
    const { chunks } = chunking.result;
    this.#parts = topicParts(chunks);
    this.#longest = chunks.reduce((most, { tokens }) => Math.max(most, tokens), 0);
    this.#more.hidden = chunks.length <= MOST_CARDS;
    setText(this.#more, shown.chunks.more(chunks.length - MOST_CARDS));
    this.#sizes.show(chunking);
    this.#tellCount(chunks);
  }

  /**
   * Removes the cards beyond `count`. If one of them has the focus, the last remaining card
   * gets it.
   */
  #dropCards(count: number): void {
    const gone = this.#cards.slice(count, this.#list.childElementCount);
    const focused = gone.some(({ element }) => element.contains(document.activeElement));
    for (const card of gone) card.element.remove();
    if (focused) this.#cards[count - 1]?.focus();
  }

  /** Lists the chunks step by step. */
  *#listChunks(chunking: Chunking): Generator<void> {
    const count = Math.min(chunking.result.chunks.length, MOST_CARDS);
    for (let from = 0; from < count; from += STEP) {
      this.#listStep(chunking, from, Math.min(count, from + STEP));
      yield;
    }
  }

  #listStep(chunking: Chunking, from: number, to: number): void {
    while (this.#cards.length < to) this.#cards.push(new Card((card) => this.#go(card)));
    const cards = this.#cards.slice(from, to);
    cards.forEach((card, i) => {
      const chunk = chunking.result.chunks[from + i];
      if (chunk) {
        const block = from + i + 1 < chunking.result.chunks.length && this.#sizes.warns(chunk.end);
        const warning = [block ? shown.chunks.block : '', isLong(chunk, chunking) ? shown.edits.long : '']
          .filter(Boolean)
          .join(' ');
        card.update(chunk, from + i, chunking, {
          colour: this.#colourOf(chunk.start),
          topic: this.#parts[from + i] ?? null,
          warning,
          longest: this.#longest,
        });
      }
      card.element.hidden = chunk !== undefined && !this.#sizes.matches(chunk);
    });
    const there = this.#list.childElementCount;
    if (there < to) this.#list.append(...this.#cards.slice(there, to).map(({ element }) => element));
  }

  /** Shows the cards that match, and their number. */
  #filter(): void {
    const { chunking } = this.#session.selected ?? {};
    if (!chunking) return;
    for (const { chunk, element } of this.#cards.slice(0, this.#list.childElementCount))
      if (chunk) element.hidden = !this.#sizes.matches(chunk);
    this.#tellCount(chunking.result.chunks);
  }

  /** Sorts the cards. A card that has the focus keeps it. */
  #order(): void {
    const there = this.#cards.slice(0, this.#list.childElementCount);
    const compare = this.#sizes.order;
    const wanted = there
      .toSorted((a, b) => (a.chunk && b.chunk ? compare(a.chunk, b.chunk) : 0))
      .map(({ element }) => element);
    if (wanted.every((element, i) => element === this.#list.children[i])) return;
    const focused = document.activeElement;
    this.#list.append(...wanted);
    if (focused instanceof HTMLElement && this.#list.contains(focused)) focused.focus();
  }

  #tellCount(chunks: readonly Chunk[]): void {
    const listed = this.#sizes.all ? chunks.length : chunks.filter((chunk) => this.#sizes.matches(chunk)).length;
    setText(
      this.#title,
      listed === chunks.length ? shown.chunks.title(listed) : shown.chunks.some(listed, chunks.length),
    );
  }

  #go({ chunk }: Card): void {
    const doc = this.#session.selected;
    if (!doc || !chunk) return;
    const page = (doc.opened?.pages ?? 0) > 1 || chunk.labels ? strings.pagesOf(chunk.pages, chunk.labels) : '';
    void this.#session.reveal({ doc, start: chunk.start, end: chunk.end, page, marks: [], passage: null, focus: 0 });
  }

  /** Marks the card of the shown passage if it is a whole chunk. */
  #mark(passage: Passage | null): void {
    if (this.#current) this.#current.current = false;
    this.#passage = passage;
    this.#current =
      this.#cards
        .slice(0, this.#list.childElementCount)
        .find(({ chunk }) => chunk && chunk.start === passage?.start && chunk.end === passage.end) ?? null;
    this.#markCurrent();
  }

  /** Marks the card of the chunk at an offset of the text. */
  markAt(offset: number): void {
    const card = this.#cards
      .slice(0, this.#list.childElementCount)
      .find(({ chunk }) => chunk && chunk.start <= offset && offset < chunk.end);
    if (!card || card === this.#current) return;
    if (this.#current) this.#current.current = false;
    this.#current = card;
    this.#markCurrent();
  }

  #markCurrent(): void {
    this.onMark(this.#current ? this.#cards.indexOf(this.#current) : -1);
    if (!this.#current) return;
    this.#current.current = true;
    this.#current.element.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Waits for the engine, because saved chunks need ids and a line that has only now come
   * to rest has none.
   */
  async #underWay(): Promise<{ doc: Doc; chunking: Chunking } | null> {
    const doc = this.#session.selected;
    if (doc) await this.#session.refresh(doc);
    return doc?.chunking ? { doc, chunking: doc.chunking } : null;
  }

  async #copyChunks(): Promise<void> {
    const json = await this.#files.json();
    if (json === null) return;
    const done = await copyText(json);
    setText(this.#copy, done ? shown.chunks.copied : shown.chunks.copyFailed);
    setTimeout(() => setText(this.#copy, shown.chunks.copy), 2000);
  }

  async #saveBundle(): Promise<void> {
    const doc = this.#session.selected;
    if (!doc || this.#bundle.disabled) return;
    this.#bundle.disabled = true;
    await this.#saver
      .save(doc.name, [doc], (text) => setText(this.#saving, text))
      .catch((cause: unknown) => setText(this.#saving, explained(SeamError.from(cause))));
    this.#bundle.disabled = false;
  }

  async #saveReport(): Promise<void> {
    const { doc, chunking } = (await this.#underWay()) ?? {};
    if (!doc || !chunking) return;
    const { method: used, embedder } = chunking.result;
    const method = this.#session.choices.hello?.methods.find(({ name }) => name === used)?.label ?? used;
    const report = reportOf({
      doc,
      chunking,
      method,
      embedder,
      compared: this.compared(),
      tried: this.tried(chunking.text),
      made: Date.now(),
    });
    saveFile(`${doc.name}.report.html`, new Blob([report], { type: 'text/html' }));
  }
}
