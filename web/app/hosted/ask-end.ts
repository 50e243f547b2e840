// Shows the end of a question: an error, a refusal, or the amount sent, and copies the answer.

import type { Answered, Hit } from '../../lib/api.ts';
import { button, h, setText } from '../ground/dom.ts';
import { copyText } from '../session/export.ts';
import { explainHosted, hosted } from '../words/en/hosted.ts';
import type { Answer } from './answer.ts';
import type { Ask } from './ask.ts';
import type { AskState } from './ask-state.ts';
import { Consent } from './consent.ts';
import type { Hosted } from './hosted.ts';
import type { ReasoningView } from './reasoning-view.ts';
import { describeSent } from './sent.ts';

const words = hosted.ask;

export interface EndPlaces {
  ask: Ask;
  models: Hosted;
  answer: Answer;
  reasoning: ReasoningView;
  /** The list of the passages, and its heading. */
  sources: HTMLDetailsElement;
  heading: HTMLElement;
  where: (hit: Hit) => string;
  returnFocus: () => void;
  say: (text: string) => void;
}

export class AskEnd {
  readonly #places: EndPlaces;
  readonly #refused = h('strong');
  readonly #refusedHint = h('p');
  readonly #refusal = h('div', { class: 'refusal', hidden: true }, this.#refused, this.#refusedHint);
  readonly #failure: Consent;
  readonly #copy = button(words.copy, () => void this.#copyAll(), { class: 'small', title: words.copyTitle });
  readonly #invented = h('span', { class: 'hint' });
  readonly #under = h('div', { class: 'bar under', hidden: true }, this.#invented, this.#copy);
  readonly #sent = h('p', { class: 'hint', hidden: true });
  readonly #searchAlone = button(words.searchAlone, () => void this.#places.ask.searchAlone(), {
    class: 'link',
    hidden: true,
  });
  /** Below the question, and below the answer. */
  readonly refusal = this.#refusal;
  readonly below: readonly HTMLElement[];
  #hits: readonly Hit[] = [];

  constructor(places: EndPlaces) {
    const { ask, returnFocus } = places;
    this.#places = places;
    this.#failure = new Consent({ id: 'asked', yes: () => ask.retry(), no: () => ask.accept(), returnFocus });
    this.below = [this.#under, this.#failure.element, this.#sent, this.#searchAlone];
  }

  clear(): void {
    this.#sent.hidden = this.#searchAlone.hidden = this.#refusal.hidden = this.#under.hidden = true;
  }

  /** Shows the outcome: an error, a refusal, or the amount sent. */
  show(state: AskState, hits: readonly Hit[]): void {
    this.#hits = hits;
    const error = state.kind === 'failed' || state.kind === 'apart' ? state.error : null;
    const { message, hint } = error ? explainHosted(error) : { message: '', hint: '' };
    const again = state.kind === 'failed'; // said once, by the button
    if (state.kind === 'cut') this.#showCut(state.answered);
    else
      this.#failure.show(
        error && {
          title: again ? hosted.withoutRetry(message) : message,
          failed: !error.cancelled,
          text: again ? hosted.withoutRetry(hint) : hint,
          yes: again ? hosted.retry : '',
          no: '',
        },
      );
    if (state.kind === 'passages') {
      this.#end(state.found);
      this.#under.hidden = state.found === 0;
    }
    if (state.kind === 'done' || state.kind === 'failed')
      this.#end(state.kind === 'done' ? state.answered.passages : this.#hits.length);
    if (state.kind === 'done') this.#places.answer.element.hidden = this.#places.answer.text === '';
    if (state.kind === 'done' && state.answered.refused) {
      const { passages } = state.answered;
      setText(this.#refused, words.refused(passages, this.#places.ask.lists));
      setText(this.#refusedHint, words.refusedHint(passages, this.#places.ask.lists));
      this.#places.answer.element.hidden = this.#under.hidden = true;
      this.#refusal.hidden = false;
      this.#places.sources.open = false; // they hold no answer
      setText(this.#places.heading, words.readOf(passages));
    }
    const lists = state.kind === 'done' && this.#places.ask.lists > 0 ? words.lists(this.#places.ask.lists) : '';
    const sent = [describeSent(this.#places.ask, this.#places.models, this.#hits.length, state), lists]
      .filter(Boolean)
      .join('. ');
    this.#sent.hidden = !sent;
    setText(this.#sent, sent);
    this.#searchAlone.hidden =
      state.kind !== 'done' || state.answered.query === state.question || this.#places.ask.parts.length > 0;
  }

  /** Says that the model did not read everything, in place of its answer. */
  #showCut(answered: Answered): void {
    this.#end(answered.passages);
    this.#places.answer.element.hidden = this.#under.hidden = true;
    this.#failure.show({
      title: words.cut(answered),
      failed: true,
      text: words.cutHint(answered.refused),
      yes: words.cutAgain,
      no: answered.refused ? '' : words.cutShow,
    });
  }

  /** Completes the answer. */
  #end(sent: number): void {
    this.#places.answer.end(sent);
    this.#places.reasoning.done();
    setText(this.#copy, words.copy);
    setText(this.#invented, words.invented(this.#places.answer.invented));
    this.#under.hidden = this.#places.answer.text === '';
  }

  /** Copies the question, its answer, and the cited passages, or all passages if none is cited. */
  async #copyAll(): Promise<void> {
    const { state } = this.#places.ask;
    if (state.kind !== 'done' && state.kind !== 'failed' && state.kind !== 'passages') return;
    const { cited } = this.#places.answer;
    const sources = this.#hits
      .map((hit, i) => `${words.hit(i + 1, this.#places.where(hit))}\n${hit.text.trim()}`)
      .filter((_, i) => cited.length === 0 || cited.includes(i + 1));
    const done = await copyText(
      `${[state.question, this.#places.answer.text, ...sources].filter(Boolean).join('\n\n')}\n`,
    );
    setText(this.#copy, done ? words.copied : words.copyFailed);
    this.#places.say(done ? words.copied : words.copyFailed);
  }
}
