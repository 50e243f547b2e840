// Shows the pages of the selected PDF below one another, with the chunks marked. A separate
// bundle with pdf.js that page-switch.ts loads on first use.

import style from '../../styles/page.css';
import type { EngineClient } from '../../lib/workers.ts';
import { lowest } from '../../lib/lowest.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { Doc, Passage } from '../session/doc.ts';
import { adopt, h, setText } from '../ground/dom.ts';
import type { AskPassword } from '../ground/dialogs.ts';
import type { Session } from '../session/session.ts';
import { original } from '../kept/originals.ts';
import { kindOf } from '../session/kind.ts';
import { Drawing, Locked, Lost, Unreadable } from './drawing.ts';
import { Markings } from './markings.ts';
import { pageAt, wordAt } from './marks.ts';
import { Sheet } from './sheet.ts';
import { strings } from '../words/en/page.ts';
import { words as said } from '../words/en/pages.ts';
import { boxOf, wordsOf, type Words } from './words.ts';

export interface PagePlaces {
  session: Session;
  engine: EngineClient;
  /** Creates the worker of pdf.js. */
  spawn: () => Worker;
  ask: AskPassword;
  /** Returns the colour of the chunk that starts at an offset. */
  colourOf: (start: number) => number;
}

/** Pages are drawn one screen before they come into view. */
const NEAR = '100%';
/**
 * If the first match is further into its passage than this, the match itself is scrolled
 * into view, as in the text.
 */
const FAR = 250;

adopt(style);

const motion = matchMedia('(prefers-reduced-motion: reduce)');

/** The document shown, as opened from one file. */
interface Shown {
  doc: Doc;
  opened: Doc['opened'];
  source: Doc['source'];
  stop: AbortController;
}

export class PageView {
  readonly #places: PagePlaces;
  readonly #message = h('p', { class: 'message', role: 'status' });
  readonly #list = h('div');
  readonly element = h(
    'div',
    { class: 'pages', role: 'region', tabindex: 0, 'aria-describedby': 'pages-note', hidden: true },
    h('p', { class: 'said', id: 'pages-note' }, said.note),
    this.#message,
    this.#list,
  );
  #on = false;
  #shown: Shown | null = null;
  #words: { words: Words; view: string } | null = null;
  #markings: Markings | null = null;
  #drawing: Drawing | null = null;
  #sheets: Sheet[] = [];
  readonly #near = new Set<Sheet>();
  readonly #sheetOf = new WeakMap<Element, Sheet>();
  #drawn: { sheet: Sheet; stop: AbortController } | null = null;
  #passage: Passage | null = null;
  /** The page at the top and the share of it above the edge, kept when the width changes. */
  #anchor: { doc: Doc | null; index: number; part: number } = { doc: null, index: 0, part: 0 };
  #width = 0;
  readonly #watch: IntersectionObserver;

  constructor(places: PagePlaces) {
    this.#places = places;
    const { session } = places;
    this.#watch = new IntersectionObserver((entries) => this.#moved(entries), {
      root: this.element,
      rootMargin: `${NEAR} 0px`,
    });
    for (const event of ['selected', 'documents'] as const) session.on(event, () => void this.#update());
    session.on('chunked', (doc) => {
      if (doc === this.#shown?.doc) this.#remark();
      else void this.#update();
    });
    session.on('moved', (doc) => {
      if (doc === this.#shown?.doc) this.#remark();
    });
    session.on('passage', (passage) => this.goTo(passage));
    this.element.addEventListener('scroll', () => this.#remember());
    new ResizeObserver(() => this.#resized()).observe(this.element);
    this.#list.addEventListener('click', (event) => this.#press(event));
  }

  show(): void {
    this.element.hidden = false;
    if (this.#on) return;
    this.#on = true;
    void this.#update();
  }

  /** Hides the view and frees its memory. */
  hide(): void {
    this.element.hidden = true;
    this.#on = false;
    this.#close();
  }

  /** Marks a passage and scrolls to it; null clears the mark. */
  goTo(passage: Passage | null): void {
    this.#passage = passage;
    this.#remark();
    if (passage) this.#bring(passage);
  }

  // ---- the document

  async #update(): Promise<void> {
    if (!this.#on) return;
    const doc = this.#places.session.selected;
    const ready = doc?.state === 'ready' && doc.chunking ? doc : null;
    if (
      ready &&
      this.#shown?.doc === ready &&
      this.#shown.opened === ready.opened &&
      this.#shown.source === ready.source
    )
      return;
    this.#close();
    if (!ready) {
      this.#say(doc ? said.waiting : '');
      return;
    }
    const shown = { doc: ready, opened: ready.opened, source: ready.source, stop: new AbortController() };
    this.#shown = shown;
    this.element.setAttribute('aria-label', said.pages(ready.name));
    try {
      await this.#open(shown);
    } catch (cause) {
      if (shown === this.#shown) this.#fail(cause);
    }
  }

  async #open({ doc, source, stop: { signal } }: Shown): Promise<void> {
    if ((await kindOf(doc)) !== 'pdf') return this.#say(said.otherFormat(doc.name));
    const file = source ?? (await original(doc.kept?.record));
    signal.throwIfAborted();
    if (!file) return this.#say(said.notKept);
    this.#say(said.loading);
    await this.#readWords(doc, signal);
    this.#lay(doc);
    this.#remark(); // drops the words if the view has changed meanwhile
    const drawing = await Drawing.open(
      file,
      this.#places.spawn,
      {
        password: doc.password,
        ask: (wrong) => this.#places.ask(doc.name, wrong),
        opened: (password) => {
          doc.password = password;
        },
        failed: (cause) => {
          if (!signal.aborted) this.#fail(cause);
        },
      },
      signal,
    );
    this.#drawing = drawing;
    this.#say('');
    this.#draw();
  }

  #close(): void {
    this.#shown?.stop.abort();
    this.#shown = null;
    this.#drawn?.stop.abort();
    this.#drawn = null; // pending requests to its worker may never be answered
    this.#drawing?.close();
    this.#drawing = null;
    this.#words = this.#markings = null;
    this.#watch.disconnect();
    for (const each of this.#near) each.free();
    this.#near.clear();
    this.#sheets = [];
    this.#list.replaceChildren();
  }

  /**
   * Shows the error. Opening is tried again when the user returns to the pages or another
   * file comes, not with each event.
   */
  #fail(cause: unknown): void {
    const shown = this.#shown;
    this.#close();
    this.#shown = shown;
    this.#say(
      cause instanceof Locked
        ? said.locked
        : cause instanceof Unreadable
          ? said.unreadable
          : cause instanceof Lost
            ? said.lost
            : said.damaged,
    );
  }

  #say(text: string): void {
    setText(this.#message, text);
    this.#message.hidden = !text;
  }

  // ---- the pages

  /** Creates empty sheets in the size of each page. */
  #lay(doc: Doc): void {
    const { pages } = this.#words?.words ?? { pages: [] };
    const printed = printedOf(doc);
    this.#sheets = pages.map((size, i) => new Sheet(i, pages.length, printed.get(i + 1) ?? '', size));
    this.#list.replaceChildren(...this.#sheets.map(({ element }) => element));
    for (const each of this.#sheets) {
      this.#sheetOf.set(each.element, each);
      this.#watch.observe(each.element);
    }
    if (this.#anchor.doc === doc) this.#hold();
    else this.element.scrollTop = 0;
    this.#remember();
    if (this.#passage?.doc === doc) this.#bring(this.#passage);
  }

  #moved(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const found = this.#sheetOf.get(target);
      if (!found || !this.#sheets.includes(found)) continue;
      if (isIntersecting) {
        this.#near.add(found);
        this.#markSheet(found);
      } else if (this.#near.delete(found)) {
        if (this.#drawn?.sheet === found) this.#drawn.stop.abort();
        found.free();
      }
    }
    this.#draw();
  }

  /** Draws the pages near the screen one by one, those in view first. */
  #draw(): void {
    const drawing = this.#drawing;
    if (!drawing || this.#drawn) return;
    const middle = this.element.scrollTop + this.element.clientHeight / 2;
    const far = ({ element }: Sheet) => Math.abs(element.offsetTop + element.offsetHeight / 2 - middle);
    const [next] = [...this.#near].filter(({ stale }) => stale).sort((a, b) => far(a) - far(b));
    if (!next) return;
    const stop = new AbortController();
    this.#drawn = { sheet: next, stop };
    const canvas = h('canvas');
    const width = next.wanted;
    drawing
      .draw(this.#sheets.indexOf(next), next.size, canvas, width, stop.signal)
      .then(
        () => {
          if (!stop.signal.aborted) next.take(canvas, width);
        },
        () => {
          if (!stop.signal.aborted) next.fail();
        },
      )
      .finally(() => {
        if (stop.signal.aborted) canvas.width = canvas.height = 0;
        if (this.#drawn?.stop !== stop) return;
        this.#drawn = null;
        this.#draw();
      });
  }

  #resized(): void {
    const { clientWidth } = this.element;
    if (clientWidth !== this.#width && this.#width > 0 && clientWidth > 0) this.#hold();
    this.#width = clientWidth;
    this.#draw();
  }

  #remember(): void {
    const top = this.element.scrollTop;
    const index = Math.max(0, lowest(this.#sheets.length, (i) => (this.#sheets[i]?.element.offsetTop ?? 0) > top) - 1);
    const at = this.#sheets[index]?.element;
    if (at && at.offsetHeight > 0)
      this.#anchor = { doc: this.#shown?.doc ?? null, index, part: (top - at.offsetTop) / at.offsetHeight };
  }

  #hold(): void {
    const at = this.#sheets[this.#anchor.index]?.element;
    if (at) this.element.scrollTop = at.offsetTop + this.#anchor.part * at.offsetHeight;
  }

  // ---- the marks

  #remark(): void {
    const chunking = this.#shown?.doc.chunking;
    if (!this.#shown || !chunking || !this.#words) return;
    if (this.#words.view !== chunking.text.view) return void this.#changeView(this.#shown);
    const { words } = this.#words;
    const passage = this.#passage?.doc === this.#shown?.doc ? this.#passage : null;
    this.#markings = new Markings(words, chunking, passage, this.#places.colourOf);
    for (const each of this.#near) this.#markSheet(each);
  }

  /** Reloads the words after the document was cut in its other view. The marks wait for them. */
  async #changeView({ doc, stop: { signal } }: Shown): Promise<void> {
    this.#words = null;
    try {
      await this.#readWords(doc, signal);
    } catch (cause) {
      if (!signal.aborted) this.#fail(cause);
      return;
    }
    this.#remark();
    if (this.#passage) this.#bring(this.#passage);
  }

  async #readWords(doc: Doc, signal: AbortSignal): Promise<void> {
    const view = doc.chunking?.text.view ?? 'reading';
    const {
      result: { pages },
      blobs: [places, boxes],
    } = await this.#places.engine.call('words', { doc: doc.id, view }, { signal });
    signal.throwIfAborted();
    this.#words = {
      view,
      words: wordsOf(pages, new Int32Array(places as ArrayBuffer), new Float32Array(boxes as ArrayBuffer)),
    };
  }

  #markSheet(each: Sheet): void {
    if (this.#markings) each.mark(this.#markings.of(this.#sheets.indexOf(each)));
  }

  /** Scrolls to the passage, or to its best place, unless it is in view. */
  #bring({ doc, start, passage, focus }: Passage): void {
    const { words } = this.#words ?? {};
    if (!words || doc !== this.#shown?.doc) return;
    const offset = focus > FAR ? start + focus : start + (passage?.[0] ?? 0);
    const page = pageAt(words, offset);
    const found = this.#sheets[page];
    const first = lowest(words.count, (i) => (words.ends[i] ?? 0) > offset);
    if (!found) return;
    const top = found.below(boxOf(words, first).y0);
    const { scrollTop, clientHeight } = this.element;
    if (top >= scrollTop && top < scrollTop + 0.8 * clientHeight) {
      this.#bringPane(top - scrollTop);
      return;
    }
    // Long distances jump, so the pages between are not drawn.
    const glide = !motion.matches && Math.abs(top - scrollTop) < 2 * clientHeight;
    this.element.scrollTo({ top: top - clientHeight / 4, behavior: glide ? 'smooth' : 'instant' });
    this.#bringPane(clientHeight / 4);
  }

  /** Scrolls the whole page if a place of the pane is out of sight. */
  #bringPane(below: number): void {
    const y = this.element.getBoundingClientRect().top + below;
    if (y < 0 || y > 0.9 * innerHeight) this.element.scrollIntoView({ block: 'nearest' });
  }

  /** Selects the sentence at a press. */
  #press(event: MouseEvent): void {
    const element = event.target instanceof Element ? event.target.closest('.sheet') : null;
    const found = element && this.#sheetOf.get(element);
    const { doc } = this.#shown ?? {};
    const words = this.#words?.words;
    if (!found || !doc?.chunking || !words) return;
    const page = this.#sheets.indexOf(found);
    const { x, y } = found.point(event);
    const word = wordAt(words, page, x, y);
    if (word < 0) return;
    const { sentences } = doc.chunking;
    const at = sentenceAt(sentences, words.starts[word] ?? 0);
    const start = sentences[2 * at];
    const end = sentences[2 * at + 1];
    if (start === undefined || end === undefined) return;
    const printed = printedOf(doc).get(page + 1);
    const label = this.#sheets.length > 1 ? strings.pagesOf([page + 1], printed ? [printed] : undefined) : '';
    void this.#places.session.reveal({ doc, start, end, page: label, marks: [], passage: null, focus: 0 });
  }
}

/** Returns the printed numbers of pages with text, by the numbers of their sheets. */
function printedOf({ chunking }: Doc): Map<number, string> {
  return new Map(chunking?.text.pages.map(({ number, label = '' }) => [number, label]));
}
