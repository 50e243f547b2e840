// Shows the curve above the text. The line can be dragged, and pressing a bar shows its
// place in the text.

import type { Bar } from '../../lib/downsample.ts';
import { gapsOf, type Gaps } from '../../lib/gaps.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import { typedNumber } from '../../lib/typed-number.ts';
import { CurveAbout } from './curve-about.ts';
import { CurveAxis } from './curve-axis.ts';
import { CurvePainter } from './curve-painter.ts';
import { CurveFoot } from './curve-foot.ts';
import { CurveSummary } from './curve-summary.ts';
import { showCurveTable } from './curve-table.ts';
import { CurveTip } from './curve-tip.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';
import { Explain } from '../ground/terms.ts';
import { UnknownView } from './unknown-view.ts';

/** The factor of one zoom step. */
const ZOOM = 4;
/** The fewest gaps to zoom in to. */
const LEAST = 40;
/** How far a press may move, in pixels, and still count as a press. */
const STRAY = 4;
export class CurveView {
  readonly #session: Session;
  readonly #goTo: (sentence: number) => void;
  readonly #colourOf: (start: number) => number;
  readonly #foot = new CurveFoot();
  readonly #summary = new CurveSummary();
  /** Space next to its sentence for the presets. */
  readonly choices = h('div', { class: 'cut-choices' });
  readonly #title = h('span');
  readonly #table = button(shown.curve.table.open, () => this.#showTable(), {
    class: 'link',
    title: shown.curve.table.openTitle,
    'aria-haspopup': 'dialog',
  });
  readonly #out = button('', () => this.#zoom(ZOOM), {
    class: 'small',
    'data-icon': 'minus',
    'aria-label': shown.curve.out,
  });
  readonly #in = button('', () => this.#zoom(1 / ZOOM), {
    class: 'small',
    'data-icon': 'plus',
    'aria-label': shown.curve.in,
  });
  /** Zoom buttons, for curves with more values than pixels. */
  readonly #zooms = h('span', { class: 'zooms', hidden: true }, this.#out, this.#in);
  #doc: Doc | null = null;
  readonly #explain = new Explain('curve-explained', () => this.#doc?.chunking?.result.curve || 'distance');
  readonly #about = new CurveAbout(
    () => this.#doc?.chunking?.result.curve || 'boundaries',
    () => this.#showTable(),
  );
  readonly #canvas = h('canvas', { role: 'img' });
  readonly #painter = new CurvePainter(this.#canvas);
  /** On its own layer, so moving it redraws nothing. It is also the handle to drag. */
  readonly #line = h('div', { class: 'line' });
  readonly #tip = new CurveTip(this.#painter, () => this.#doc?.chunking ?? null);
  /** Steps through the gaps by keyboard. Visible only while it has the focus. */
  readonly #walk = h('input', {
    type: 'range',
    min: 0,
    step: 1,
    value: 0,
    class: 'walk',
    'aria-label': shown.curve.walk,
  });
  readonly #plot = h(
    'div',
    { class: 'plot' },
    this.#foot.window,
    this.#canvas,
    this.#line,
    this.#tip.element,
    this.#walk,
  );
  readonly #axis = new CurveAxis(this.#painter);
  readonly #frame = h('div', { class: 'frame' }, this.#plot, this.#axis.element, this.#foot.element);
  readonly element = h(
    'section',
    { class: 'curve', 'aria-label': shown.curve.title('distance'), hidden: true },
    h('div', { class: 'cut-line' }, this.#summary.sentence, this.choices),
    h('p', { class: 'caption' }, this.#title, this.#zooms, this.#summary.element, this.#table, this.#explain.element),
    this.#frame,
    this.#about.element,
  );
  /** The offsets of the search results, and the index of the one shown or −1. */
  #found: readonly number[] = [];
  #shownAt = -1;
  /**
   * The line being dragged, and the top of the plot on the screen. The pointer runs ahead
   * of the engine's answers.
   */
  #held: { threshold: number; top: number; moved: boolean } | null = null;
  /** A press that may become a pan: its start, and the first gap shown then. */
  #pressed: { x: number; from: number; pulled: boolean } | null = null;

  /** `colourOf` returns the colour of the chunk that starts at an offset. */
  constructor(session: Session, goTo: (sentence: number) => void, colourOf: (start: number) => number) {
    this.#session = session;
    this.#goTo = goTo;
    this.#colourOf = colourOf;
    this.element.prepend(new UnknownView(session).element);
    session.on('selected', (doc) => {
      this.#show(doc);
      if (this.#count > 0) this.#look(0, this.#count);
      else this.#painter.show(null); // the next curve is shown as a whole
    });
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#show(doc);
    });
    session.on('moved', (doc) => this.#follow(doc));
    session.on('documents', () => {
      if (!session.selected?.chunking) this.#show(null);
    });
    new ResizeObserver(([entry]) => {
      if (!entry) return;
      this.#painter.resize(entry.contentRect.width, entry.contentRect.height);
      this.#tellPart();
      this.#putLine();
    }).observe(this.#plot);
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => {
        this.#painter.recolour();
        this.#foot.recolour();
      });
    }
    this.#listen();
  }

  #show(doc: Doc | null): void {
    const chunking = doc?.chunking ?? null;
    this.#doc = chunking && doc;
    this.element.hidden = !chunking;
    document.body.classList.toggle('has-curve', chunking !== null);
    this.#tip.show(null);
    if (!chunking) return;
    const { result, curve } = chunking;
    const gaps = gapsOf(chunking);
    this.element.setAttribute('aria-label', shown.curve.title(result.curve));
    this.#frame.classList.toggle('none', curve.length === 0);
    this.#explain.element.hidden = curve.length === 0;
    this.#explain.update();
    this.#foot.show(chunking, this.#colourOf);
    this.#walk.max = String(Math.max(0, curve.length - 1));
    this.#painter.show(
      curve.length > 0
        ? { kind: result.curve, values: curve, states: gaps.states, threshold: result.threshold ?? 0 }
        : null,
    );
    this.#markFound();
    this.#tellPart();
    this.#sumUp(chunking, gaps);
    this.#describeWalk();
  }

  #follow(doc: Doc): void {
    const { chunking } = doc;
    if (!chunking) return;
    this.#doc = doc;
    const gaps = gapsOf(chunking);
    this.#painter.move(gaps.states, chunking.result.threshold ?? 0);
    this.#foot.show(chunking, this.#colourOf);
    this.#foot.draw();
    this.#sumUp(chunking, gaps);
  }

  /** Shows the number of cuts of each kind and the chunk lengths, as in the list below. */
  #sumUp(chunking: Chunking, gaps: Gaps): void {
    const { result, curve } = chunking;
    this.#summary.update(chunking, gaps);
    setText(this.#axis.knob, shown.curve.chunks(result.chunks.length));
    this.#about.update(this.#summary.words);
    const cuts = Math.max(0, result.chunks.length - 1);
    this.#canvas.setAttribute('aria-label', shown.curve.label(result.curve, curve.length, cuts, result.threshold ?? 0));
    this.#putLine();
  }

  #showTable(): void {
    if (this.#doc?.chunking) showCurveTable(this.#doc.chunking, this.#goTo);
  }

  #putLine(): void {
    const threshold = this.#held?.threshold ?? this.#doc?.chunking?.result.threshold;
    this.#line.hidden = typeof threshold !== 'number';
    if (typeof threshold !== 'number') return;
    const y = Math.round(Math.min(this.#painter.height - 2, Math.max(0, this.#painter.y(threshold) - 1)));
    this.#line.style.transform = `translateY(${y}px)`;
    this.#axis.put(this.#doc?.chunking?.result.curve ?? '', threshold, y);
  }

  /** Shows which sentences of the text are in view; null for none. */
  see(seen: [first: number, last: number] | null): void {
    this.#foot.see(seen);
  }

  /** Marks the offsets of the passages found, and the one shown; −1 means none. */
  find(found: readonly number[], current: number): void {
    this.#found = found;
    this.#shownAt = current;
    this.#markFound();
  }

  #markFound(): void {
    const { sentences } = this.#doc?.chunking ?? {};
    if (!sentences) return this.#painter.find([], -1);
    this.#painter.find(
      this.#found.map((offset) => sentenceAt(sentences, offset)),
      this.#shownAt < 0 ? -1 : sentenceAt(sentences, this.#shownAt),
    );
  }

  /** Marks the chunk that is marked in the list; −1 marks none. */
  mark(chunk: number): void {
    this.#foot.mark(chunk);
  }

  #listen(): void {
    this.#plot.addEventListener('pointermove', (event) => this.#move(event));
    this.#plot.addEventListener('pointerdown', (event) => this.#press(event));
    this.#plot.addEventListener('pointerup', (event) => this.#release(event));
    this.#plot.addEventListener('pointercancel', () => this.#release(null));
    this.#plot.addEventListener('wheel', (event) => this.#wheel(event));
    this.#plot.addEventListener('pointerleave', () => this.#point(null));
    this.#axis.number.addEventListener('change', () => {
      const typed = typedNumber(this.#axis.number.value);
      const logarithmic = this.#doc?.chunking?.result.curve === 'strength';
      if (!Number.isFinite(typed) || (logarithmic && typed <= 0)) this.#putLine();
      else {
        this.#session.moveThreshold(logarithmic ? Math.log2(typed) : typed);
        this.#session.rest();
      }
    });
    this.#axis.number.addEventListener('blur', () => this.#putLine());
    this.#walk.addEventListener('input', () => this.#walkTo());
    this.#walk.addEventListener('focus', () => this.#walkTo());
    this.#walk.addEventListener('blur', () => this.#point(null));
    this.#walk.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#goTo(this.#place + 1);
      if (event.key === '+' || event.key === '-') {
        this.#zoom(event.key === '+' ? 1 / ZOOM : ZOOM);
        this.#walkTo();
      }
    });
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (event.target === this.#line) {
      const { top } = this.#plot.getBoundingClientRect();
      this.#held = { threshold: this.#thresholdAt(event.clientY - top), top, moved: false };
      this.#line.setPointerCapture(event.pointerId);
      this.#point(null);
      return;
    }
    this.#pressed = { x: event.clientX, from: this.#painter.from, pulled: false };
  }

  /** Ends a press. If it moved nothing, shows the place in the text. */
  #release(event: PointerEvent | null): void {
    const [held, pressed] = [this.#held, this.#pressed];
    this.#held = this.#pressed = null;
    if (held?.moved) this.#session.rest();
    const bar = event && pressed && !pressed.pulled ? this.#barUnder(event) : undefined;
    if (!bar) return;
    const gap = this.#painter.gapOf(bar);
    this.#walk.value = String(gap); // the keyboard and the zoom continue from there
    this.#describeWalk();
    this.#goTo(gap + 1);
  }

  #move(event: PointerEvent): void {
    if (!this.#held) {
      this.#pull(event);
      this.#point(this.#barUnder(event) ?? null);
      return;
    }
    const threshold = this.#thresholdAt(event.clientY - this.#held.top);
    this.#held = { ...this.#held, threshold, moved: true };
    this.#putLine();
    this.#session.moveThreshold(threshold);
  }

  /**
   * Returns the threshold at a height. Below the least value of a logarithmic setting, the
   * line would cut nothing more.
   */
  #thresholdAt(y: number): number {
    const { setting } = this.#session.choices.method ?? {};
    return Math.max(this.#painter.value(y), setting?.logarithmic ? Math.log2(setting.min) : -Infinity);
  }

  // ---- zooming and panning a long curve

  /** The gap reached by keyboard or pressed last; 0 before. */
  get #place(): number {
    return Number(this.#walk.value);
  }

  /**
   * Zooms in by `factor` around `gap`, which keeps its position. Without `gap`, zooms
   * around the current place.
   */
  #zoom(factor: number, gap?: number): void {
    const { from, to } = this.#painter;
    const here = this.#place > 0 && this.#place >= from && this.#place < to ? this.#place : (from + to) / 2;
    const about = gap ?? here;
    const length = Math.min(this.#count, Math.max(LEAST, Math.round((to - from) * factor)));
    this.#look(about - ((about - from) / Math.max(1, to - from)) * length, length);
  }

  #look(first: number, length = this.#painter.to - this.#painter.from): void {
    const from = Math.round(Math.min(Math.max(0, first), this.#count - length));
    this.#painter.look(from, from + length);
    this.#tellPart();
  }

  get #count(): number {
    return this.#doc?.chunking?.curve.length ?? 0;
  }

  #tellPart(): void {
    const { result, curve, sentences } = this.#doc?.chunking ?? {};
    if (!result || !curve || !sentences) return;
    const { from, to, dense, width } = this.#painter;
    this.#foot.look(from, curve.length > 0 ? to : sentences.length / 2 - 1);
    const part = to - from < curve.length;
    const title = curve.length > 0 ? shown.curve.title(result.curve) : shown.curve.none;
    setText(this.#title, part ? shown.curve.titleOf(result.curve, from, to) : title);
    this.#zooms.hidden = (!dense || width === 0) && !part; // unknown before the layout
    this.#plot.classList.toggle('part', part);
    setAttribute(this.#out, 'aria-disabled', part ? null : 'true');
    setAttribute(this.#in, 'aria-disabled', to - from > LEAST ? null : 'true');
  }

  /** Pans with the pointer. */
  #pull({ buttons, clientX, pointerId }: PointerEvent): void {
    if (buttons === 0) this.#pressed = null; // released outside
    const { from, to } = this.#painter;
    if (
      !this.#pressed ||
      (!this.#pressed.pulled && Math.abs(clientX - this.#pressed.x) < STRAY) ||
      to - from === this.#count
    )
      return;
    this.#pressed.pulled = true;
    this.#plot.setPointerCapture(pointerId);
    this.#look(this.#pressed.from - ((clientX - this.#pressed.x) / Math.max(1, this.#painter.width)) * (to - from));
  }

  /**
   * Zooms on a pinch or on the wheel with Ctrl, and pans on a sideways wheel. A vertical
   * wheel scrolls the page as usual.
   */
  #wheel(event: WheelEvent): void {
    const { from, to, dense } = this.#painter;
    const part = to - from < this.#count;
    const sideways = event.deltaX || (event.shiftKey ? event.deltaY : 0);
    if (event.ctrlKey ? !dense && !part : !sideways || !part) return;
    event.preventDefault();
    if (event.ctrlKey) this.#zoom(1.01 ** Math.max(-50, Math.min(50, event.deltaY)), this.#barUnder(event)?.gap);
    else this.#look(from + (sideways / Math.max(1, this.#painter.width)) * (to - from));
    this.#point(this.#barUnder(event) ?? null);
  }

  #barUnder(event: MouseEvent): Bar | undefined {
    return this.#painter.barAt(event.clientX - this.#plot.getBoundingClientRect().left);
  }

  #point(bar: Bar | null): void {
    this.#painter.draw(bar);
    this.#tip.show(bar);
  }

  #describeWalk(): void {
    this.#walk.setAttribute('aria-valuetext', this.#tip.describe(this.#place));
  }

  #walkTo(): void {
    this.#describeWalk();
    const gap = this.#place;
    const { from, to } = this.#painter;
    if (gap < from || gap >= to) this.#look(gap - (to - from) / 2);
    const bar = this.#painter.bars.find(({ first, last }) => first <= gap && gap < last);
    this.#point(bar ?? null);
    this.#tip.showGap(gap);
  }
}
