// The scale beside the curve, with the number at the line.

import type { CurveKind } from '../../lib/api.ts';
import { h, setText } from '../ground/dom.ts';
import { shown } from '../words/en/views.ts';
import type { CurvePainter } from './curve-painter.ts';

export class CurveAxis {
  readonly #top = h('span');
  readonly #bottom = h('span');
  readonly number = h('input', { type: 'text', inputmode: 'decimal', class: 'at', 'aria-label': shown.curve.number });
  /** In place of the number, unless all settings are shown. */
  readonly knob = h('span', { class: 'knob', 'aria-hidden': 'true' });
  readonly element = h('div', { class: 'axis' }, this.#top, this.#bottom, this.number, this.knob);
  readonly #painter: CurvePainter;

  constructor(painter: CurvePainter) {
    this.#painter = painter;
  }

  /** Places the number at the line, and hides the ends of the scale where they would overlap it. */
  put(kind: CurveKind, threshold: number, y: number): void {
    this.number.style.transform =
      this.knob.style.transform = `translateY(${Math.min(this.#painter.height - 24, Math.max(0, y - 11))}px)`;
    if (document.activeElement !== this.number) this.number.value = shown.curve.at(kind, threshold);
    const [high, low] =
      kind === 'similarity' ? [shown.curve.same, shown.curve.other] : [shown.curve.other, shown.curve.same];
    this.#top.dataset['means'] = high;
    this.#bottom.dataset['means'] = low;
    setText(this.#top, shown.curve.at(kind, this.#painter.value(0)));
    setText(this.#bottom, shown.curve.at(kind, this.#painter.value(this.#painter.height)));
    this.#top.hidden = y < 28;
    this.#bottom.hidden = y > this.#painter.height - 30;
  }
}
