// The knob of a method: a slider from finer to coarser, its effect on the document shown,
// and a field with the number.

import type { Setting, Step } from '../../lib/api.ts';
import { median } from '../../lib/histogram.ts';
import { h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';

/** Returns all stops of a slider over the full range, finer ones first. */
export function candidates({ min, max, step, logarithmic, finer }: Setting): number[] {
  const [to, from] = logarithmic ? [Math.log2, (v: number) => 2 ** v] : [Number, Number];
  const n = Math.round((to(max) - to(min)) / step);
  const all = Array.from({ length: n + 1 }, (_, i) => from(Number((to(min) + i * step).toFixed(6))));
  return finer ? all.reverse() : all;
}

/**
 * Returns the index of a setting among steps. Each step is the first of the settings with
 * the same effect.
 */
export function placeOf(settings: readonly number[], setting: number): number {
  const descends = (settings[0] ?? 0) > (settings.at(-1) ?? 0);
  const upTo = settings.filter((v) => (descends ? v >= setting - 1e-9 : v <= setting + 1e-9)).length;
  return Math.max(0, upTo - 1);
}

export class Knob {
  readonly #session: Session;
  readonly #slider = h('input', {
    type: 'range',
    id: 'threshold',
    min: 0,
    step: 1,
    'aria-describedby': 'knob-where knob-remedy',
  });
  readonly #says = h('output', { class: 'says', for: 'threshold' });
  readonly #where = h('p', { class: 'help', id: 'knob-where' });
  readonly #number = h('input', { type: 'number', id: 'setting', step: 'any' });
  readonly #numberLabel = h('label', { for: 'setting' }, strings.knob.number);
  readonly element = h(
    'div',
    { class: 'knob' },
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'threshold' }, strings.knob.label),
      this.#slider,
      h(
        'div',
        { class: 'ends', 'aria-hidden': 'true' },
        h('span', {}, strings.knob.finer),
        h('span', {}, strings.knob.coarser),
      ),
      this.#says,
    ),
    h('div', { class: 'field inline' }, this.#numberLabel, this.#number),
    this.#where,
  );
  /** The stops of the slider while it is held, so they do not change during a move. */
  #held: readonly number[] | null = null;

  constructor(session: Session) {
    this.#session = session;
    this.#slider.addEventListener('input', () => {
      const setting = this.#settings()[this.#slider.valueAsNumber];
      if (setting !== undefined) session.setSetting(setting, this.#held !== null);
    });
    this.#number.addEventListener('input', () => {
      if (this.#number.validity.valid && this.#number.value) session.setSetting(this.#number.valueAsNumber);
    });
    this.#watchHold();
    for (const event of ['settings', 'selected', 'steps', 'moved'] as const) session.on(event, () => this.update());
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.update();
    });
  }

  set disabled(disabled: boolean) {
    this.#slider.disabled = this.#number.disabled = disabled;
  }

  /**
   * Updates the slider. Its thumb follows a threshold set by hand, unless the slider itself
   * moves.
   */
  update(): void {
    const {
      choices: { method, setting, handThreshold },
      selected,
    } = this.#session;
    this.element.hidden = method !== null && !method.setting;
    if (!method?.setting) return;
    const result = selected?.chunking?.result;
    const current = result?.method === method.name ? result : null;
    const shown = handThreshold === null && !selected?.chunking?.eased ? setting : (current?.setting ?? setting);
    const settings = this.#settings();
    const place = placeOf(settings, shown);
    this.#slider.max = String(settings.length - 1);
    this.#slider.valueAsNumber = place;
    const lengths = current?.chunks.map(({ tokens }) => tokens);
    const step = handThreshold === null ? this.#steps.find((each) => each.setting === settings[place]) : undefined;
    const [chunks, typical] = step ? [step.chunks, step.typical] : [lengths?.length, median(lengths ?? [])];
    const says = chunks === undefined ? '' : strings.knob.says(chunks, typical, selected?.chunking?.unit ?? '');
    setText(this.#says, says);
    this.#slider.setAttribute('aria-valuetext', says || strings.knob.step(place + 1, settings.length));
    setText(this.#where, strings.knob.where(method.curve, current?.threshold ?? null, handThreshold !== null));
    setText(this.#numberLabel, method.setting.label);
    const { min, max } = method.setting;
    Object.assign(this.#number, { min: String(min), max: String(max) });
    if (document.activeElement !== this.#number) this.#number.value = String(Number(shown.toFixed(2)));
  }

  get #steps(): readonly Step[] {
    const {
      selected,
      choices: { method },
    } = this.#session;
    return selected?.chunking?.result.method === method?.name ? (selected?.steps ?? []) : [];
  }

  /** Returns the stops of the slider: the settings with distinct effects, if known. */
  #settings(): readonly number[] {
    if (this.#held) return this.#held;
    const { setting } = this.#session.choices.method ?? {};
    if (this.#steps.length > 0) return this.#steps.map((step) => step.setting);
    return setting ? candidates(setting) : [];
  }

  /**
   * Holds the slider while a pointer or a key is down on it. `change` is no substitute,
   * because each repeat of a key sends one.
   */
  #watchHold(): void {
    const hold = () => {
      this.#held ??= this.#settings();
    };
    const release = () => {
      if (!this.#held) return;
      this.#held = null;
      this.#session.rest();
      this.update();
    };
    for (const begin of ['pointerdown', 'keydown']) this.#slider.addEventListener(begin, hold);
    // By then the pointer may have left the slider.
    for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, release);
    for (const end of ['keyup', 'blur']) this.#slider.addEventListener(end, release);
  }
}
