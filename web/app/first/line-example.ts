// A short text with its curve on the empty page: the line can be moved, and the text is cut
// where a bar is higher.

import { h, setText } from '../ground/dom.ts';
import { first } from '../words/en/first.ts';

/** Set by the build as JSON: web/build/gallery.go. */
declare const __FIRST_SIGHT__: string;

interface FirstSight {
  sentences: readonly string[];
  /** Between each sentence and the next. */
  distances: readonly number[];
}

const words = first.line;

/** Parts of the height by which the keys move the line. */
const STEP = 0.02;
const PAGE = 0.1;
/** Where the line begins, as a part of the highest bar. */
const START = 0.68;
const COLOURS = 4;

export class LineExample {
  readonly #sight = JSON.parse(__FIRST_SIGHT__) as FirstSight;
  readonly #most = Math.max(...this.#sight.distances);
  readonly #bars = this.#sight.distances.map((distance) => {
    const bar = h('i');
    bar.style.blockSize = `${(100 * distance) / this.#most}%`;
    return bar;
  });
  readonly #line = h('div', { class: 'line' });
  readonly #knob = h('button', {
    type: 'button',
    class: 'knob-line',
    role: 'slider',
    'aria-orientation': 'vertical',
    'aria-label': words.knob,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
  });
  readonly #area = h(
    'div',
    { class: 'area' },
    h('div', { class: 'bars', 'aria-hidden': 'true' }, ...this.#bars),
    this.#line,
    this.#knob,
  );
  readonly #text = h('p', { class: 'pieces', lang: 'en' });
  readonly element = h(
    'section',
    { class: 'line-example', 'aria-label': words.label },
    h('p', {}, h('strong', {}, words.drag), ' ', words.what),
    h(
      'div',
      { class: 'plot-example' },
      h('div', { class: 'ends', 'aria-hidden': 'true' }, h('span', {}, words.different), h('span', {}, words.same)),
      this.#area,
    ),
    this.#text,
  );
  /** The height of the line, as a part of the highest bar. */
  #at = START;

  constructor() {
    this.#area.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault(); // selects nothing
      this.#area.setPointerCapture(event.pointerId);
      this.#knob.focus({ preventScroll: true });
      this.#follow(event);
    });
    this.#area.addEventListener('pointermove', (event) => {
      if (this.#area.hasPointerCapture(event.pointerId)) this.#follow(event);
    });
    this.#knob.addEventListener('keydown', (event) => this.#key(event));
    this.#move(START);
  }

  #follow({ clientY }: PointerEvent): void {
    const { bottom, height } = this.#area.getBoundingClientRect();
    this.#move((bottom - clientY) / height);
  }

  #key(event: KeyboardEvent): void {
    const to = {
      ArrowUp: this.#at + STEP,
      ArrowRight: this.#at + STEP,
      ArrowDown: this.#at - STEP,
      ArrowLeft: this.#at - STEP,
      PageUp: this.#at + PAGE,
      PageDown: this.#at - PAGE,
      Home: 0,
      End: 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#move(to);
  }

  #move(to: number): void {
    this.#at = Math.min(1, Math.max(0, to));
    const cuts = this.#sight.distances.map((distance) => distance > this.#at * this.#most);
    cuts.forEach((cut, i) => this.#bars[i]?.classList.toggle('high', cut));
    for (const part of [this.#line, this.#knob]) part.style.insetBlockEnd = `${100 * this.#at}%`;
    const said = words.chunks(cuts.filter(Boolean).length + 1);
    setText(this.#knob, said);
    this.#knob.setAttribute('aria-valuenow', String(Math.round(100 * this.#at)));
    this.#knob.setAttribute('aria-valuetext', said);
    this.#cut(cuts);
  }

  /** Shows the sentences of each chunk in its colour. */
  #cut(cuts: readonly boolean[]): void {
    const pieces: string[][] = [[]];
    this.#sight.sentences.forEach((sentence, i) => {
      pieces.at(-1)?.push(sentence);
      if (cuts[i]) pieces.push([]);
    });
    this.#text.replaceChildren(
      ...pieces.flatMap((sentences, i) => [
        ...(i > 0 ? [h('i', { class: 'seam', 'aria-hidden': 'true' }, '|'), ' '] : []),
        h('span', { 'data-colour': i % COLOURS }, sentences.join(' ')),
        ' ',
      ]),
    );
  }
}
