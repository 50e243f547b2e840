// The parts of the grid dialog that need a proxy: the choice of models, and the panel that
// asks before sending.

import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { Consent } from '../hosted/consent.ts';
import { JudgeForm, type JudgeMemory, type JudgeTyped } from './grid-judge-form.ts';
import { AnswerRun, type JudgeModels, type Quote } from './grid-judge.ts';
import type { GridRun, Measured } from './grid-run.ts';
import type { Hosted } from '../hosted/hosted.ts';
import type { Replies } from '../hosted/replies.ts';
import { judged as words } from '../words/en/grid.ts';
import { explainHosted } from '../words/en/hosted.ts';

export interface GridJudgesPlaces {
  engine: EngineClient;
  pdf: PdfClient;
  replies: Replies;
  memory: JudgeMemory;
}

export class GridJudges {
  readonly #hosted: Hosted;
  readonly #places: GridJudgesPlaces;
  #models: JudgeModels | null = null;
  #send: () => void = () => undefined;
  readonly form: JudgeForm;
  readonly consent: Consent;

  constructor(
    hosted: Hosted,
    places: GridJudgesPlaces,
    { changed, returnFocus }: { changed: () => void; returnFocus: () => void },
  ) {
    this.#hosted = hosted;
    this.#places = places;
    this.form = new JudgeForm(hosted, places.memory, changed);
    this.consent = new Consent({
      id: 'judging',
      returnFocus,
      yes: () => {
        this.hide();
        this.#send();
      },
      no: () => this.hide(),
    });
  }

  run({ models, times }: JudgeTyped, run: GridRun, text: string, all: readonly Measured[]): AnswerRun {
    this.#models = models;
    const { engine, pdf, replies } = this.#places;
    return new AnswerRun(
      { engine, pdf, connect: () => this.#hosted.connect() },
      models,
      replies,
      times,
      run,
      text,
      all,
    );
  }

  /**
   * Describes the data to send, and calls `send` after consent. Returns false if there is
   * nothing to send.
   */
  offer({ done }: AnswerRun, { answers, judgements, tokens, dollars }: Quote, send: () => void): boolean {
    if (answers + judgements === 0 || !this.#models) return false;
    const label = ({ name }: { name: string }) => this.#hosted.labelOf(name);
    const text = words.consent(
      answers,
      judgements,
      tokens,
      dollars,
      label(this.#models.answers),
      label(this.#models.judges),
      this.#hosted.host,
    );
    this.#send = send;
    this.consent.show({
      title: words.consentTitle,
      failed: false,
      text: `${text} ${words.same}`,
      yes: done > 0 ? words.sendRest : words.send,
      no: words.notNow,
    });
    this.consent.element.querySelector('button')?.focus();
    this.consent.element.scrollIntoView({ block: 'nearest' });
    return true;
  }

  hide(): void {
    this.consent.show(null);
  }

  /** Describes an error in a sentence, with the time to try again. */
  explain(cause: unknown): string {
    const error = SeamError.from(cause);
    const { message, hint } = explainHosted(error);
    return error.code === 'busy' ? `${message} ${hint}` : message;
  }
}
