// Says how a document is cut: a sentence above the curve, and the legend with the number of
// cuts of each kind.

import { cutKinds } from '../../lib/cut-kinds.ts';
import type { Gaps } from '../../lib/gaps.ts';
import { median } from '../../lib/histogram.ts';
import type { Chunking } from '../session/doc.ts';
import { h, setText } from '../ground/dom.ts';
import { shown } from '../words/en/views.ts';

export class CurveSummary {
  readonly #chunks = h('strong');
  readonly #cutBy = h('span');
  /** The sentence that says how the document is cut. */
  readonly sentence = h('p', { class: 'how-cut' }, this.#chunks, this.#cutBy);
  readonly #made = h('span', { class: 'made' });
  readonly #kinds = {
    inner: h('span', { class: 'inner' }),
    forced: h('span', { class: 'forced' }),
    hand: h('span', { class: 'hand' }),
    joined: h('span', { class: 'joined' }),
  };
  readonly #typical = h('span', { class: 'spare' });
  readonly #drag = h('span', { class: 'spare' }, shown.curve.drag);
  readonly element = h(
    'span',
    { class: 'summary' },
    this.#made,
    this.#kinds.inner,
    this.#kinds.forced,
    this.#kinds.hand,
    this.#kinds.joined,
    this.#typical,
    this.#drag,
  );

  update({ result, curve, unit }: Chunking, { counts }: Gaps): void {
    const typical = median(result.chunks.map((chunk) => chunk.tokens));
    setText(this.#chunks, shown.curve.chunks(result.chunks.length));
    setText(this.#cutBy, shown.curve.cut(typical, unit, result.chunks.length, cutKinds(result.chunks)));
    setText(this.#made, shown.curve.made(counts.made));
    for (const kind of ['inner', 'forced', 'hand', 'joined'] as const) {
      this.#kinds[kind].hidden = counts[kind] === 0;
      setText(this.#kinds[kind], shown.curve[kind](counts[kind]));
    }
    setText(this.#typical, shown.curve.typical(typical, unit));
    this.#drag.hidden = curve.length === 0;
  }

  /** The entries of the legend. */
  get words(): string[] {
    return [this.#made, ...Object.values(this.#kinds), this.#typical]
      .filter((each) => !each.hidden)
      .map((each) => each.textContent ?? '');
  }
}
