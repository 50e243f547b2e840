// The curve above the text: shows it, lets the line be dragged, leads from a
// bar to its place in the text.

import type { Bar } from '../lib/downsample.ts';
import { median } from '../lib/histogram.ts';
import { CurvePainter } from './curve-painter.ts';
import type { Doc } from './doc.ts';
import { h, setText } from './dom.ts';
import type { Session } from './session.ts';
import { strings } from './strings.ts';

/** How near to the line a press counts as taking hold of it, in CSS pixels. */
const GRIP = 10;

export class CurveView {
  readonly #session: Session;
  readonly #goTo: (sentence: number) => void;
  readonly #title = h('span');
  readonly #summary = h('span', { class: 'summary' });
  readonly #canvas = h('canvas', { role: 'img' });
  readonly #tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  /** Walks along the gaps by keyboard; seen only while it has the focus. */
  readonly #walk = h('input', { type: 'range', min: 0, step: 1, value: 0, class: 'walk', 'aria-label': strings.curve.walk });
  readonly #plot = h('div', { class: 'plot' }, this.#canvas, this.#tip, this.#walk);
  readonly element = h('section', { class: 'curve', 'aria-label': strings.curve.title('distance'), hidden: true },
    h('p', { class: 'caption' }, this.#title, this.#summary), this.#plot);
  readonly #painter = new CurvePainter(this.#canvas);
  #doc: Doc | null = null;
  /** Where the line is held; the engine's answers come after the pointer. */
  #held: number | null = null;

  constructor(session: Session, goTo: (sentence: number) => void) {
    this.#session = session;
    this.#goTo = goTo;
    session.on('selected', (doc) => this.#show(doc));
    session.on('cut', (doc) => { if (doc === session.selected) this.#show(doc); });
    session.on('documents', () => { if (!session.selected?.cutting) this.#show(null); });
    new ResizeObserver(() => this.#painter.measure()).observe(this.#plot);
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => this.#painter.draw(null));
    }
    this.#listen();
  }

  #show(doc: Doc | null): void {
    const cutting = doc?.cutting ?? null;
    this.#doc = cutting && doc;
    this.element.hidden = !cutting;
    this.#tip.hidden = true;
    if (!cutting) return;
    const { result, curve, boundaries } = cutting;
    const cuts = Math.max(0, result.chunks.length - 1);
    const summary = strings.curve.summary(cuts, median(result.chunks.map((chunk) => chunk.tokens)));
    setText(this.#title, curve.length > 0 ? strings.curve.title(result.curve) : strings.curve.none);
    setText(this.#summary, curve.length > 0 ? `${summary} · ${strings.curve.drag}` : summary);
    this.element.setAttribute('aria-label', strings.curve.title(result.curve));
    this.#plot.hidden = curve.length === 0;
    this.#canvas.setAttribute('aria-label', strings.curve.label(result.curve, curve.length, cuts, result.cut ?? 0));
    this.#walk.max = String(Math.max(0, curve.length - 1));
    this.#painter.show(curve.length > 0 ? { kind: result.curve, values: curve, boundaries, cut: result.cut ?? 0 } : null);
    if (this.#held !== null) this.#painter.draw(null, this.#held);
    this.#describeWalk();
  }

  #listen(): void {
    this.#canvas.addEventListener('pointermove', (event) => this.#move(event));
    this.#canvas.addEventListener('pointerdown', (event) => this.#press(event));
    for (const end of ['pointerup', 'pointercancel']) this.#canvas.addEventListener(end, () => this.#release());
    this.#canvas.addEventListener('pointerleave', () => this.#point(null));
    this.#walk.addEventListener('input', () => this.#walkTo());
    this.#walk.addEventListener('focus', () => this.#walkTo());
    this.#walk.addEventListener('blur', () => this.#point(null));
    this.#walk.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#goTo(Number(this.#walk.value) + 1);
    });
  }

  #nearLine(event: PointerEvent): boolean {
    const cut = this.#doc?.cutting?.result.cut;
    return typeof cut === 'number' && Math.abs(event.offsetY - this.#painter.y(cut)) <= GRIP;
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (this.#nearLine(event)) {
      this.#held = this.#painter.value(event.offsetY);
      this.#canvas.setPointerCapture(event.pointerId);
      return;
    }
    const bar = this.#painter.barAt(event.offsetX);
    if (bar) this.#goTo(this.#painter.gapOf(bar) + 1);
  }

  #release(): void {
    const held = this.#held;
    this.#held = null;
    if (held !== null && held === this.#session.handCut) this.#session.setCut(held); // it was moved, and rests now
  }

  #move(event: PointerEvent): void {
    if (this.#held !== null) {
      this.#held = this.#painter.value(event.offsetY);
      this.#painter.draw(null, this.#held);
      this.#session.setCut(this.#held, true);
      return;
    }
    this.#canvas.classList.toggle('grip', this.#nearLine(event));
    this.#point(this.#painter.barAt(event.offsetX) ?? null);
  }

  #point(bar: Bar | null): void {
    this.#painter.draw(bar);
    this.#tip.hidden = !bar;
    if (!bar) return;
    setText(this.#tip, this.#describe(this.#painter.gapOf(bar)));
    const share = (bar.first + bar.last) / 2 / Math.max(1, this.#doc?.cutting?.curve.length ?? 1);
    this.#tip.style.left = `${share * 100}%`;
    this.#tip.style.translate = `${-share * 100}% 0`;
  }

  #describe(gap: number): string {
    const value = this.#doc?.cutting?.curve[gap] ?? 0;
    return strings.curve.gap(gap, value, this.#painter.isBoundary(gap));
  }

  #describeWalk(): void {
    this.#walk.setAttribute('aria-valuetext', this.#describe(Number(this.#walk.value)));
  }

  #walkTo(): void {
    this.#describeWalk();
    const gap = Number(this.#walk.value);
    const bar = this.#painter.bars.find(({ first, last }) => first <= gap && gap < last);
    this.#point(bar ?? null);
    setText(this.#tip, this.#describe(gap));
  }
}
