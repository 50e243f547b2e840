// The line that offers search by meaning and shows its progress.

import { button, h, setText } from '../ground/dom.ts';
import type { Meaning, MeaningState } from './meaning.ts';
import { explained } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

const words = shown.meaning;

export class MeaningView {
  readonly #meaning: Meaning;
  readonly #say: (text: string) => void;
  readonly #text = h('span');
  readonly #bar = h('progress', { 'aria-label': words.progress, hidden: true });
  readonly #yes = button(words.accept, () => this.#meaning.accept(), { class: 'small' });
  readonly #no = button(words.decline, () => this.#refuse(), { class: 'small' });
  readonly element = h('div', { class: 'meaning', hidden: true }, this.#text, this.#bar, this.#yes, this.#no);

  constructor(meaning: Meaning, say: (text: string) => void) {
    this.#meaning = meaning;
    this.#say = say;
    meaning.on('changed', (state) => this.#show(state));
    this.#show(meaning.state);
  }

  /**
   * Handles the button that declines the offer, stops the work in progress, or turns the
   * search off.
   */
  #refuse(): void {
    const { kind } = this.#meaning.state;
    if (kind === 'loading' || kind === 'reading') this.#meaning.stop();
    else this.#meaning.decline();
  }

  #show(state: MeaningState): void {
    const { kind } = state;
    const before = this.element.dataset['state'];
    const focused = this.element.contains(document.activeElement);
    this.element.dataset['state'] = kind;
    this.element.hidden = kind === 'none';
    const running = kind === 'loading' || kind === 'reading';
    setText(this.#text, this.#describe(state));
    this.#bar.hidden = !running;
    if (kind === 'reading') Object.assign(this.#bar, { max: state.total, value: state.done });
    else this.#bar.removeAttribute('value');
    setText(
      this.#yes,
      kind === 'offered' ? words.accept : kind === 'failed' ? words.again : kind === 'off' ? words.turnOn : words.goOn,
    );
    this.#yes.hidden = running || kind === 'ready';
    setText(this.#no, running ? words.stop : kind === 'offered' ? words.decline : words.turnOff);
    this.#no.hidden = kind === 'off';
    if (focused && document.activeElement === document.body) (this.#yes.hidden ? this.#no : this.#yes).focus();
    if (before !== kind && (kind === 'ready' || kind === 'failed')) this.#say(this.#describe(state));
  }

  #describe(state: MeaningState): string {
    switch (state.kind) {
      case 'none':
        return '';
      case 'offered':
        return words.offer(this.#meaning.bytes);
      case 'off':
        return words.off;
      case 'loading':
        return words.loading(this.#meaning.bytes);
      case 'reading':
        return words.reading(state.done, state.total);
      case 'stopped':
        return words.stopped(state.done, state.total);
      case 'ready':
        return words.ready;
      case 'failed':
        return explained(state.error);
    }
  }
}
