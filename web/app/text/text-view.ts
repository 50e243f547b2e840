// Shows the text of the selected document with its chunks.

import type { Chunk, ViewText } from '../../lib/api.ts';
import { cutKindOf } from '../../lib/cut-kinds.ts';
import { assignColours } from '../../lib/colours.ts';
import { elementMarks } from '../../lib/element-marks.ts';
import { partsOf, type Part } from '../../lib/overlap.ts';
import { elementItems } from '../../lib/items.ts';
import { elementTables } from '../../lib/tables.ts';
import { caretAt } from '../ground/caret.ts';
import type { Chunking, Doc, Passage } from '../session/doc.ts';
import { h, setText } from '../ground/dom.ts';
import { Highlights } from './highlights.ts';
import type { Session } from '../session/session.ts';
import { shown, shownReason } from '../words/en/views.ts';
import { TextLayout, type Cut } from './text-layout.ts';
import { blocksInView, Tints, type Tinted } from './tints.ts';

/** If the first match is further into its passage than this, it would be out of sight. */
const FAR = 250;

/** About how many sentences are built at once. More are built as they approach the screen. */
const AT_ONCE = 1000;

/**
 * Builds blocks within two screens. scrollMargin applies to scrollers inside the page,
 * where the browser supports it.
 */
const NEAR = { rootMargin: '200%', scrollMargin: '200%' };

/** The frames in which blocks get their heights after a jump. */
const SETTLING = 4;

/** Layouts kept, so that returning to a document or a method is immediate. */
const KEPT = 6;

const motion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * A cut that computes its reason on demand: while the line moves, only the cuts in view
 * need one.
 */
class CutAfter implements Cut {
  readonly at: number;
  readonly #before: Chunk | undefined;

  constructor(at: number, before: Chunk | undefined) {
    this.at = at;
    this.#before = before;
  }

  get reason(): string {
    return this.#before ? shownReason(this.#before.reason) : '';
  }

  get plain(): string {
    return this.#before ? shown.cutBy[cutKindOf(this.#before.reason)] : '';
  }
}

export class TextView {
  readonly element = h('div', {
    class: 'text',
    id: 'text',
    tabindex: 0,
    role: 'region',
    'aria-label': shown.text.label,
  });
  readonly #highlights = new Highlights();
  readonly #tints = new Tints();
  #frame = 0;
  readonly #layouts: { doc: Doc; layout: TextLayout }[] = [];
  #shown: { doc: Doc; layout: TextLayout } | null = null;
  /** Colours of the shown document by chunk start. */
  #colours = new Map<number, number>();
  #chunks: Tinted[] = [];
  /** The parts that two overlapping chunks share. */
  #shared: readonly Part[] = [];
  readonly #legend = h('p', { class: 'legend', hidden: true });
  /** The blocks with current cuts and colours. */
  #painted = new Set<number>();
  /** The blocks painted before the line began to move. */
  readonly #left = new Set<number>();
  /**
   * The blocks in view when the line began to move. Measuring at each step would lay the
   * page out twice a frame.
   */
  #inView: [from: number, to: number] | null = null;
  readonly #near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.#paint(target);
  }, NEAR);

  constructor(session: Session) {
    this.element.addEventListener('copy', (event) => this.#copy(event));
    addEventListener('beforeprint', () => this.#paintAll()); // in print, everything is in view
    session.on('selected', (doc) => this.#select(doc));
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#show(doc);
    });
    session.on('moved', (doc) => {
      if (doc === this.#shown?.doc) this.#follow(doc);
    });
    session.on('passage', (passage) => this.#mark(passage));
    session.on('removed', (doc) => this.#forget(doc));
    session.on('documents', () => {
      if (!session.selected?.chunking) this.#clear();
    });
  }

  /** Returns the colour of the chunk that starts at an offset. */
  colourOf(start: number): number {
    return this.#colours.get(start) ?? 0;
  }

  /** Returns the offset of a point of the elements in the shown text, or null if it is outside. */
  offsetOf(node: Node, offset: number): number | null {
    return this.#shown?.layout.offsetOf(node, offset) ?? null;
  }

  /**
   * The selected part of the text, even if the selection extends beyond it; null if there
   * is none.
   */
  get selected(): Part | null {
    const { layout, doc } = this.#shown ?? {};
    return layout ? selectedIn(layout, doc?.chunking?.text.text.length ?? 0) : null;
  }

  /** Copies the document's own text, with its markup and without additions of the display. */
  #copy(event: ClipboardEvent): void {
    const part = this.selected;
    const text = this.#shown?.doc.chunking?.text.text;
    if (
      !part ||
      text === undefined ||
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement
    )
      return;
    event.clipboardData?.setData('text/plain', text.slice(part.start, part.end));
    event.preventDefault();
  }

  /** The first and the last sentence in view, or null without a text. */
  get inView(): [first: number, last: number] | null {
    const { layout } = this.#shown ?? {};
    const { left, right, top, bottom } = this.element.getBoundingClientRect();
    if (!layout || bottom <= top) return null;
    const at = (y: number) => {
      const offset = this.offsetAt((left + right) / 2, y);
      return offset === null ? null : layout.sentenceAt(offset);
    };
    const [first, last] = [at(Math.max(0, top) + 6), at(Math.min(innerHeight, bottom) - 6)];
    return first === null || last === null ? null : [first, last];
  }

  /** Returns the start of the sentence that contains a node, or null outside the text. */
  sentenceStart(node: Node): number | null {
    const offset = this.offsetOf(node, 0);
    const { layout } = this.#shown ?? {};
    return offset === null || !layout ? null : layout.start(layout.sentenceAt(offset));
  }

  /** Returns the text offset at a point of the window, or null. */
  offsetAt(x: number, y: number): number | null {
    const place = caretAt(x, y);
    return place && this.offsetOf(place.node, place.offset);
  }

  /** Scrolls to a sentence and marks it. */
  goTo(sentence: number): void {
    if (!this.#shown) return;
    const { doc, layout } = this.#shown;
    const start = layout.start(sentence);
    this.#mark({ doc, start, end: layout.end(sentence), page: '', marks: [], passage: null, focus: 0 });
  }

  /** Draws the chunks in view behind the text. */
  tint(): void {
    const { layout } = this.#shown ?? {};
    if (!layout || layout.element.getClientRects().length === 0) return;
    let [from, to] = blocksInView(layout);
    // Building a block would move the text.
    while (from < to && !this.#painted.has(from)) from++;
    while (to > from && !this.#painted.has(to - 1)) to--;
    if (this.#painted.has(from - 1)) from--;
    if (this.#painted.has(to)) to++;
    const above = this.element.getBoundingClientRect().top - this.element.scrollTop;
    this.#tints.show(layout, this.#chunks, [from, to], above);
  }

  /** Draws them before the next frame is painted. */
  #tintSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.tint();
    });
  }

  #select(doc: Doc | null): void {
    this.#clear();
    if (doc?.chunking) this.#show(doc);
  }

  #clear(): void {
    if (!this.#shown) return;
    this.#highlights.clearChunks();
    this.#near.disconnect();
    this.#highlights.clearPassage(this.#shown.layout);
    this.#shown.layout.element.remove();
    this.#legend.remove();
    this.#tints.clear();
    this.#shown = null;
    this.#colours.clear();
  }

  #show(doc: Doc): void {
    const { chunking } = doc;
    if (!chunking) return;
    const layout = this.#layoutOf(doc, chunking);
    if (this.#shown?.layout !== layout) {
      this.#clear();
      this.#painted = new Set();
      this.#left.clear();
      this.element.replaceChildren(this.#legend, this.#tints.element, layout.element);
      this.element.scrollTop = 0;
      layout.element.dir = 'auto'; // not of the legend, which has the page's language
      this.#tints.element.dir = getComputedStyle(layout.element).direction;
      this.#shown = { doc, layout };
      for (let i = 0; i < layout.blocks; i++) this.#near.observe(layout.block(i) as HTMLElement);
    }
    this.#inView = null;
    this.#cut(layout, chunking);
    this.#repaint(layout);
  }

  /** Updates the blocks in view while the line moves. The others follow when it rests. */
  #follow({ chunking }: Doc): void {
    const { layout } = this.#shown ?? {};
    if (!layout || !chunking) return;
    this.#inView ??= blocksInView(layout);
    this.#cut(layout, chunking);
    this.#highlights.clearChunks();
    for (const block of this.#painted) this.#left.add(block);
    this.#painted = new Set();
    const [from, to] = this.#inView;
    for (let i = from; i < to; i++) this.#paintBlock(layout, i);
  }

  #cut(layout: TextLayout, { result: { chunks }, text: { text } }: Chunking): void {
    const { own, shared } = partsOf(chunks, text);
    // The cut before a chunk is the end of the previous one, drawn where the chunk's own
    // text begins.
    layout.setCuts(own.slice(1).map(({ start }, i) => new CutAfter(start, chunks[i])));
    const starts = chunks.map((chunk) => chunk.start);
    const colours = assignColours(starts, this.#colours);
    this.#colours = new Map(starts.map((start, i) => [start, colours[i] ?? 0]));
    this.#chunks = own.map(({ start, end }, i) => ({
      start,
      end,
      colour: colours[i] ?? 0,
      size: chunks[i]?.tokens ?? 0,
    }));
    this.#shared = shared;
    this.#legend.hidden = shared.length === 0;
    setText(this.#legend, shown.text.shared(shared.length));
  }

  /**
   * Paints the blocks in view first, then a few around them. The others are painted as they
   * come near.
   */
  #repaint(layout: TextLayout): void {
    this.#highlights.clearChunks();
    const before = new Set([...this.#painted, ...this.#left]);
    this.#painted = new Set();
    this.#left.clear();
    let built = 0;
    for (let i = blocksInView(layout)[0]; i < layout.blocks && built < AT_ONCE; i++)
      built += this.#paintBlock(layout, i);
    for (let i = 0; i < layout.blocks && built < AT_ONCE; i++) built += this.#paintBlock(layout, i);
    // The observer reports only changes, so blocks painted before must be observed anew to
    // be reported again.
    for (const i of before) {
      const element = layout.block(i);
      if (!element || this.#painted.has(i)) continue;
      this.#near.unobserve(element);
      this.#near.observe(element);
    }
  }

  #paint(block: Element): void {
    const { layout } = this.#shown ?? {};
    const index = layout?.blockOf(block) ?? -1;
    if (layout && index >= 0 && this.#paintBlock(layout, index) > 0) this.#tintSoon();
  }

  #paintAll(): void {
    const { layout } = this.#shown ?? {};
    for (let i = 0; layout && i < layout.blocks; i++) this.#paintBlock(layout, i);
  }

  /** Paints a block and returns its number of sentences, or 0 if it was painted already. */
  #paintBlock(layout: TextLayout, index: number): number {
    if (this.#painted.has(index)) return 0;
    this.#painted.add(index);
    layout.refresh(index);
    this.#highlights.addChunks(layout, index, this.#chunks, this.#shared);
    return layout.blockSpan(index).sentences;
  }

  #layoutOf(doc: Doc, { text, sentences }: Chunking): TextLayout {
    const at = this.#layouts.findIndex((kept) => kept.doc === doc && kept.layout.fits(text.text, sentences));
    const kept = at >= 0 ? this.#layouts.splice(at, 1)[0] : undefined;
    const entry = kept ?? { doc, layout: layoutOf(text, sentences) };
    this.#layouts.unshift(entry);
    this.#layouts.length = Math.min(this.#layouts.length, KEPT);
    return entry.layout;
  }

  #forget(doc: Doc): void {
    for (let i = this.#layouts.length - 1; i >= 0; i--) {
      if (this.#layouts[i]?.doc === doc) this.#layouts.splice(i, 1);
    }
  }

  #mark(passage: Passage | null): void {
    if (passage && this.#shown?.doc !== passage.doc) return;
    // A whole chunk is marked by its block.
    const chunk = this.#chunks.find(({ start, end }) => start === passage?.start && end === passage.end);
    this.#tints.current = chunk?.start ?? -1;
    this.element.classList.toggle('marks-chunk', chunk !== undefined);
    this.#tintSoon();
    if (!passage || !this.#shown) {
      this.#highlights.clearPassage(this.#shown?.layout ?? null);
      return;
    }
    const { layout } = this.#shown;
    this.#highlights.setPassage(layout, passage.start, passage.end, passage.passage, passage.marks);
    const match = passage.focus;
    this.#scrollTo(layout, match > FAR ? passage.start + match : passage.start);
  }

  /**
   * Scrolls to the cut mark of an offset if there is one, because a span's own box begins
   * at its mark.
   */
  #scrollTo(layout: TextLayout, offset: number): void {
    const span = layout.line(layout.sentenceAt(offset));
    const inner = layout.place(offset)?.node.previousSibling;
    const target = inner instanceof HTMLElement && inner.classList.contains('cut') ? inner : span;
    if (!target) return;
    // Long distances jump: the blocks between are not laid out, so a smooth scroll would
    // miss the target.
    const way = Math.abs(target.getBoundingClientRect().top - this.element.getBoundingClientRect().top);
    const glide = !motion.matches && way < 2 * innerHeight;
    target.scrollIntoView({ block: 'start', behavior: glide ? 'smooth' : 'instant' });
    if (!glide) this.#keepInView(target, SETTLING);
  }

  /**
   * Scrolls to a place again if it leaves the view within some frames. After a jump the
   * blocks around it get their heights, and the browser keeps the first one in view in place.
   */
  #keepInView(target: Element, frames: number): void {
    if (frames === 0 || !target.isConnected) return;
    requestAnimationFrame(() => {
      const { top, bottom } = this.element.getBoundingClientRect();
      const at = target.getBoundingClientRect().top;
      if (at < top || at > bottom - 1) target.scrollIntoView({ block: 'start', behavior: 'instant' });
      this.#keepInView(target, frames - 1);
    });
  }
}

/** Returns the selected part of a layout, whose text has `length` characters. */
export function selectedIn(layout: TextLayout, length: number): Part | null {
  const selection = getSelection();
  const range = selection && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  if (!range?.intersectsNode(layout.element)) return null;
  const whole = new Range();
  whole.selectNodeContents(layout.element);
  const before = range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0;
  const behind = range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0;
  const start = before ? 0 : layout.offsetOf(range.startContainer, range.startOffset);
  const end = behind ? length : layout.offsetOf(range.endContainer, range.endOffset);
  return start !== null && end !== null && start < end ? { start, end } : null;
}

export function layoutOf(text: ViewText, sentences: Int32Array): TextLayout {
  return new TextLayout(
    text.text,
    sentences,
    text.pages,
    elementMarks(text),
    elementTables(text),
    elementItems(text.text, text.elements),
    text.links,
  );
}
