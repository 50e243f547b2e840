// Asks for consent before a question is sent, with the passages that will go with it.

import type { Hit } from '../../lib/api.ts';
import { hosted } from '../words/en/hosted.ts';
import type { Ask } from './ask.ts';
import type { AskState } from './ask-state.ts';
import { ChosenView } from './chosen-view.ts';
import { Consent } from './consent.ts';
import type { Chosen } from './finder.ts';
import type { Hosted } from './hosted.ts';
import type { WholeRun } from './whole.ts';

const words = hosted.ask;

/** Tokens of a typical answer. */
const ANSWER = 250;

export class AskingView {
  readonly #ask: Ask;
  readonly #hosted: Hosted;
  readonly #chosen: ChosenView;
  readonly #consent: Consent;
  readonly element: HTMLElement;

  /** `where` names the place of a passage; `returnFocus` moves the focus when the panel closes. */
  constructor(ask: Ask, models: Hosted, where: (hit: Hit) => string, returnFocus: () => void) {
    this.#ask = ask;
    this.#hosted = models;
    this.#chosen = new ChosenView((hit) => ask.toggle(hit), where);
    this.#consent = new Consent({
      id: 'asking',
      yes: () => void ask.send(),
      no: () => ask.decline(),
      body: this.#chosen.element,
      returnFocus,
    });
    this.element = this.#consent.element;
  }

  focus(): void {
    this.#consent.focus();
  }

  show(state: AskState): void {
    const chosen = state.kind === 'consent' ? state.chosen : null;
    this.#chosen.show(chosen, this.#ask.named);
    this.#consent.show(
      state.kind === 'consent'
        ? {
            title: hosted.nothingYet,
            failed: false,
            text: this.text(state),
            yes: hosted.send,
            no: hosted.notNow,
            blocked: chosen?.sent.length === 0,
          }
        : null,
    );
  }

  /** Says the same of all of a document or a section. */
  #whole(whole: WholeRun): string {
    const { parts, open, range, shortened } = whole;
    const last = parts.length > 1 ? ANSWER * parts.length : 0;
    const { named, model } = this.#ask;
    const dollars = this.#ask.cost(whole.tokens + last, ANSWER * (open + (last > 0 ? 1 : 0)));
    const [label, host] = [this.#hosted.labelOf(model), this.#hosted.host];
    return [
      words.whole({
        title: range.title,
        chunks: whole.openChunks,
        parts: parts.length,
        open,
        tokens: whole.tokens + last,
        dollars,
        model: label,
        host,
      }),
      parts.length > open ? words.partsKnown(parts.length - open) : '',
      shortened > 0 ? words.partly(shortened) : '',
      named ? words.named : words.unnamed,
      words.noThread,
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** Says how much is sent, and to whom. */
  text({ chosen, whole }: { chosen: Chosen | null; whole?: WholeRun }): string {
    if (whole) return this.#whole(whole);
    const { passages, tokens, dollars } = this.#ask.estimate(chosen);
    if (chosen && passages === 0) return words.noneLeft;
    const { takesApart, seesFirst, named, history } = this.#ask;
    const model = this.#hosted.labelOf(this.#ask.model);
    const of = chosen?.hits.length ?? passages;
    return [
      words.consent({ passages, of, turns: history.kept, tokens, dollars, model, host: this.#hosted.host }),
      words.around,
      named ? words.named : words.unnamed,
      chosen ? '' : words.unseen,
      chosen && chosen.lists > 0 ? words.lists(chosen.lists) : '',
      takesApart && !chosen ? words.twice : '',
      seesFirst ? words.laterSeen : words.laterUnseen,
    ]
      .filter(Boolean)
      .join(' ');
  }
}
