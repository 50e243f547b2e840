// The choices below a question: whether the model takes it apart, whether its passages are
// shown before they are sent, and whether each goes with a line about its source.

import type { Ask } from './ask.ts';
import { h } from '../ground/dom.ts';
import { hosted } from '../words/en/hosted.ts';
import { WORD, type Warmer } from './warmer.ts';

const words = hosted.ask;

export class OptionsView {
  readonly #ask: Ask;
  readonly #warmer: Warmer;
  readonly #takesApart = h('input', { type: 'checkbox', id: 'takes-apart', 'aria-describedby': 'takes-apart-help' });
  readonly #compound = h(
    'div',
    { class: 'compound', hidden: true },
    h('label', { class: 'check', for: 'takes-apart' }, this.#takesApart, words.takeApart),
    h('p', { class: 'hint', id: 'takes-apart-help' }, words.takeApartHint),
  );
  readonly #seesFirst = h('input', { type: 'checkbox', id: 'sees-first' });
  readonly #seesFirstLabel = h('label', { class: 'check', for: 'sees-first' }, this.#seesFirst, words.seesFirst);
  readonly #sendsNames = h('input', { type: 'checkbox', id: 'sends-names' });
  readonly #warms = h('input', { type: 'checkbox', id: 'warms' });
  readonly #warmsLabel = h('label', { class: 'check', for: 'warms' }, this.#warms, words.warms(WORD));
  readonly element = h(
    'div',
    { hidden: true },
    this.#compound,
    this.#seesFirstLabel,
    h('label', { class: 'check', for: 'sends-names' }, this.#sendsNames, words.sendsNames),
    this.#warmsLabel,
  );

  constructor(ask: Ask, warmer: Warmer) {
    this.#ask = ask;
    this.#warmer = warmer;
    this.#warms.addEventListener('change', () => {
      warmer.allow(ask.model, this.#warms.checked);
      warmer.warm(ask.model);
    });
    this.#takesApart.addEventListener('change', () => {
      ask.takesApart = this.#takesApart.checked;
    });
    this.#seesFirst.addEventListener('change', () => {
      ask.seesFirst = this.#seesFirst.checked;
    });
    this.#sendsNames.addEventListener('change', () => {
      ask.named = this.#sendsNames.checked;
    });
  }

  /** `alone`: no model can answer, so there is nothing to choose. */
  show(alone: boolean): void {
    this.element.hidden = alone;
    const best = this.#ask.range === null; // otherwise no passages are looked for
    this.#compound.hidden = !this.#ask.open || !best;
    this.#seesFirstLabel.hidden = !best;
    this.#takesApart.checked = this.#ask.takesApart;
    this.#seesFirst.checked = this.#ask.seesFirst;
    this.#sendsNames.checked = this.#ask.named;
    this.#warmsLabel.hidden = !this.#warmer.can(this.#ask.model);
    this.#warms.checked = this.#warmer.allows(this.#ask.model);
  }
}
