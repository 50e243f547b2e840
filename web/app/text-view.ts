// The text of the selected document with its chunks.

import { assignColours } from '../lib/colours.ts';
import type { Cutting, Doc, Passage } from './doc.ts';
import { h } from './dom.ts';
import { Highlights, type Coloured } from './highlights.ts';
import type { Session } from './session.ts';
import { strings } from './strings.ts';
import { TextLayout } from './text-layout.ts';

/** A first match further into its passage than this would be out of sight. */
const FAR = 700;

/** Sentences built at once, about; more are as they come near the screen. */
const AT_ONCE = 1000;

/** How near: two screens. The second is for what scrolls inside the page, where the browser knows it. */
const NEAR = { rootMargin: '200%', scrollMargin: '200%' };

/** Layouts kept, so that going back to a document or a method is at once. */
const KEPT = 6;

const motion = matchMedia('(prefers-reduced-motion: reduce)');

export class TextView {
  readonly element = h('div', { class: 'text', id: 'text', tabindex: 0, role: 'region', 'aria-label': strings.text.label });
  readonly #highlights = new Highlights();
  readonly #layouts: { doc: Doc; layout: TextLayout }[] = [];
  #shown: { doc: Doc; layout: TextLayout } | null = null;
  /** By chunk start, of the document shown. */
  #colours = new Map<number, number>();
  #chunks: Coloured[] = [];
  /** Blocks that have their cuts and colours. */
  #painted = new Set<number>();
  readonly #near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.#paint(target);
  }, NEAR);

  constructor(session: Session) {
    session.on('selected', (doc) => this.#select(doc));
    session.on('cut', (doc) => { if (doc === session.selected) this.#show(doc); });
    session.on('passage', (passage) => this.#mark(passage));
    session.on('removed', (doc) => this.#forget(doc));
    session.on('documents', () => { if (!session.selected?.cutting) this.#clear(); });
  }

  /** The colour of the chunk that starts here. */
  colourOf(start: number): number {
    return this.#colours.get(start) ?? 0;
  }

  /** Brings a sentence into view and marks it. */
  goTo(sentence: number): void {
    if (!this.#shown) return;
    const { doc, layout } = this.#shown;
    const start = layout.start(sentence);
    this.#mark({ doc, start, end: layout.end(sentence), page: '', marks: [], focus: 0 });
  }

  #select(doc: Doc | null): void {
    this.#clear();
    if (doc?.cutting) this.#show(doc);
  }

  #clear(): void {
    if (!this.#shown) return;
    this.#highlights.clearChunks();
    this.#near.disconnect();
    this.#highlights.clearPassage(this.#shown.layout);
    this.#shown.layout.element.remove();
    this.#shown = null;
    this.#colours.clear();
  }

  #show(doc: Doc): void {
    const { cutting } = doc;
    if (!cutting) return;
    const layout = this.#layoutOf(doc, cutting);
    if (this.#shown?.layout !== layout) {
      this.#clear();
      this.#painted = new Set();
      this.element.replaceChildren(layout.element);
      this.element.scrollTop = 0;
      this.element.dir = 'auto';
      this.#shown = { doc, layout };
      for (let i = 0; i < layout.blocks; i++) this.#near.observe(layout.block(i) as HTMLElement);
    }
    const { chunks } = cutting.result;
    // The cut before a chunk is the end of the one before it.
    layout.setCuts(chunks.slice(1).map((chunk, i) => ({ at: chunk.start, reason: chunks[i]?.reason ?? '' })));
    const starts = chunks.map((chunk) => chunk.start);
    const colours = assignColours(starts, this.#colours);
    this.#colours = new Map(starts.map((start, i) => [start, colours[i] ?? 0]));
    this.#chunks = chunks.map(({ start, end }, i) => ({ start, end, colour: colours[i] ?? 0 }));
    this.#repaint(layout);
  }

  /** What is in view first, then a little around it; the rest when it comes near. */
  #repaint(layout: TextLayout): void {
    this.#highlights.clearChunks();
    const before = this.#painted;
    this.#painted = new Set();
    let built = 0;
    for (let i = this.#firstInView(layout); i < layout.blocks && built < AT_ONCE; i++) built += this.#paintBlock(layout, i);
    for (let i = 0; i < layout.blocks && built < AT_ONCE; i++) built += this.#paintBlock(layout, i);
    // The observer tells only of changes: what it has told before, it tells again when watched anew.
    for (const i of before) {
      const element = layout.block(i);
      if (!element || this.#painted.has(i)) continue;
      this.#near.unobserve(element);
      this.#near.observe(element);
    }
  }

  #firstInView(layout: TextLayout): number {
    let low = 0;
    let high = layout.blocks - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((layout.block(middle)?.getBoundingClientRect().bottom ?? 0) > 0) high = middle;
      else low = middle + 1;
    }
    return Math.max(0, low);
  }

  #paint(block: Element): void {
    const { layout } = this.#shown ?? {};
    const index = layout?.blockOf(block) ?? -1;
    if (layout && index >= 0) this.#paintBlock(layout, index);
  }

  /** How many sentences that was. */
  #paintBlock(layout: TextLayout, index: number): number {
    if (this.#painted.has(index)) return 0;
    this.#painted.add(index);
    layout.refresh(index);
    this.#highlights.addChunks(layout, index, this.#chunks);
    return layout.blockSpan(index).sentences;
  }

  #layoutOf(doc: Doc, { text, sentences }: Cutting): TextLayout {
    const at = this.#layouts.findIndex((kept) => kept.doc === doc && kept.layout.fits(text.text, sentences));
    const kept = at >= 0 ? this.#layouts.splice(at, 1)[0] : undefined;
    const entry = kept ?? { doc, layout: new TextLayout(text.text, sentences, text.pages) };
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
    if (!passage) {
      this.#highlights.clearPassage(this.#shown?.layout ?? null);
      return;
    }
    if (this.#shown?.doc !== passage.doc) return;
    const { layout } = this.#shown;
    this.#highlights.setPassage(layout, passage.start, passage.end, passage.marks);
    const match = passage.focus;
    this.#scrollTo(layout, match > FAR ? passage.start + match : passage.start);
  }

  /** A span's own box begins at its cut mark, which should be in view with it. */
  #scrollTo(layout: TextLayout, offset: number): void {
    const span = layout.span(layout.sentenceAt(offset));
    const inner = layout.place(offset)?.node.previousSibling;
    const target = inner instanceof HTMLElement && inner.classList.contains('cut') ? inner : span;
    if (!target) return;
    // A long way is jumped: what lies between has not been laid out, so that a glide would miss.
    const way = Math.abs(target.getBoundingClientRect().top - this.element.getBoundingClientRect().top);
    const glide = !motion.matches && way < 2 * innerHeight;
    target.scrollIntoView({ block: 'start', behavior: glide ? 'smooth' : 'instant' });
  }
}
