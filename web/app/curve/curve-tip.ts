// Describes a bar of the curve: its value, and the sentences before and after its gap.

import type { Bar } from '../../lib/downsample.ts';
import type { Chunking } from '../session/doc.ts';
import { h, setText } from '../ground/dom.ts';
import { shown } from '../words/en/views.ts';
import type { CurvePainter } from './curve-painter.ts';

/** The most characters of a sentence shown at a gap. */
const QUOTED = 64;

export class CurveTip {
  readonly #tip = h('div', { class: 'tip' });
  /** The sentences before and after the gap. */
  readonly #before = h('div', { class: 'quote', dir: 'auto' });
  readonly #behind = h('div', { class: 'quote', dir: 'auto' });
  readonly element = h(
    'div',
    { class: 'over', hidden: true, 'aria-hidden': 'true' },
    this.#tip,
    this.#before,
    this.#behind,
  );
  readonly #painter: CurvePainter;
  readonly #chunking: () => Chunking | null;

  /** `chunking` returns the cut of the document shown. */
  constructor(painter: CurvePainter, chunking: () => Chunking | null) {
    this.#painter = painter;
    this.#chunking = chunking;
  }

  /** Shows a bar; null hides the tip. */
  show(bar: Bar | null): void {
    this.element.hidden = !bar;
    if (!bar) return;
    setText(this.#tip, this.#describeBar(bar));
    this.#quote(this.#painter.gapOf(bar));
    this.#place(bar);
  }

  /** Shows one gap instead of the bar's. */
  showGap(gap: number): void {
    setText(this.#tip, this.describe(gap));
    this.#quote(gap);
  }

  /** Quotes the end of the sentence before a gap and the beginning of the one after it. */
  #quote(gap: number): void {
    const { text, sentences } = this.#chunking() ?? {};
    if (!text || !sentences) return;
    const [start = 0, end = 0, next = 0, last = 0] = sentences.subarray(2 * gap, 2 * gap + 4);
    const words = (from: number, to: number) => text.text.slice(from, to).replace(/\s+/g, ' ');
    setText(this.#before, `${end - start > QUOTED ? '…' : ''}${words(Math.max(start, end - QUOTED), end)}`);
    setText(this.#behind, `${words(next, Math.min(last, next + QUOTED))}${last - next > QUOTED ? '…' : ''}`);
  }

  #place(bar: Bar): void {
    const { from, to } = this.#painter;
    const share = ((bar.first + bar.last) / 2 - from) / Math.max(1, to - from);
    this.element.style.left = `${share * 100}%`;
    this.element.style.translate = `${-share * 100}% 0`;
  }

  /** Describes a bar by one of its gaps, and adds how many gaps and cuts it covers. */
  #describeBar(bar: Bar): string {
    const gap = this.#painter.gapOf(bar);
    const gaps = bar.last - bar.first;
    const cuts = this.#painter.cutsOf(bar);
    const { curve, result } = this.#chunking() ?? {};
    if (cuts === 1 || gaps < 2 || !curve || !result) return this.describe(gap);
    const among = cuts > 1 ? shown.curve.ofMany(cuts) : shown.curve.extreme(result.curve, gaps);
    return `${shown.curve.gap(gap, result.curve, curve[gap] ?? 0)} · ${among}`;
  }

  describe(gap: number): string {
    const chunking = this.#chunking();
    return shown.curve.gap(gap, chunking?.result.curve ?? '', chunking?.curve[gap] ?? 0, this.#painter.stateOf(gap));
  }
}
