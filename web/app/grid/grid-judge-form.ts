// The form for answers and judgements: the models, and questions that the document does not
// answer. The proxy is asked for its models when the user turns it on.

import type { HostedModel } from '../../lib/api.ts';
import { LONGEST, oneLine } from '../../lib/questions.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { h, setText } from '../ground/dom.ts';
import type { JudgeModels } from './grid-judge.ts';
import type { Hosted } from '../hosted/hosted.ts';
import { judged as words } from '../words/en/grid.ts';
import { explainHosted, hosted as modelWords } from '../words/en/hosted.ts';

/** The most answers per question. */
const MOST_TIMES = 9;

/** The values remembered during this visit. */
export interface JudgeMemory {
  on: boolean;
  model: string;
  judge: string;
  times: number;
  unanswerable: string;
}

export interface JudgeTyped {
  models: JudgeModels;
  /** Answers per question. */
  times: number;
  unanswerable: readonly string[];
}

export class JudgeForm {
  readonly #hosted: Hosted;
  readonly #memory: JudgeMemory;
  readonly #changed: () => void;
  readonly #on = h('input', { type: 'checkbox', id: 'grid-judged', 'aria-describedby': 'grid-judged-help' });
  readonly #help = h('p', { class: 'help', id: 'grid-judged-help' });
  readonly #note = h('p', { class: 'help', role: 'status' });
  readonly #model = h('select', { id: 'grid-model' });
  readonly #judge = h('select', { id: 'grid-judge' });
  readonly #times = h('input', {
    type: 'number',
    id: 'grid-times',
    min: 1,
    max: MOST_TIMES,
    step: 1,
    value: 1,
    'aria-describedby': 'grid-times-help',
  });
  readonly #unanswerable = h('textarea', {
    id: 'grid-unanswerable',
    rows: 2,
    dir: 'auto',
    'aria-describedby': 'grid-unanswerable-help',
  });
  readonly #more: HTMLElement;
  readonly element: HTMLElement;
  /** Resolves when the previous choice has been restored. */
  readonly ready: Promise<void>;

  /** `changed` is called after each choice. */
  constructor(hosted: Hosted, memory: JudgeMemory, changed: () => void) {
    this.#hosted = hosted;
    this.#memory = memory;
    this.#changed = changed;
    this.#more = h(
      'div',
      { hidden: true },
      h(
        'div',
        { class: 'pair' },
        h('div', { class: 'field' }, h('label', { for: this.#model.id }, words.model), this.#model),
        h('div', { class: 'field' }, h('label', { for: this.#judge.id }, words.judge), this.#judge),
        h(
          'div',
          { class: 'field' },
          h('label', { for: this.#times.id }, words.times),
          this.#times,
          h('p', { class: 'help', id: 'grid-times-help' }, words.timesHint),
        ),
      ),
      h(
        'div',
        { class: 'field' },
        h('label', { for: this.#unanswerable.id }, words.unanswerable),
        this.#unanswerable,
        h('p', { class: 'help', id: 'grid-unanswerable-help' }, words.unanswerableHint),
      ),
    );
    this.element = h(
      'fieldset',
      { class: 'judged' },
      h('legend', {}, words.legend),
      h('label', { for: this.#on.id }, this.#on, words.offer),
      this.#help,
      this.#note,
      this.#more,
    );
    this.#unanswerable.value = memory.unanswerable;
    this.#times.value = String(memory.times);
    this.#on.addEventListener('change', () => {
      memory.on = this.#on.checked;
      void this.#update();
    });
    for (const field of [this.#model, this.#judge, this.#times, this.#unanswerable]) {
      field.addEventListener('input', () => {
        Object.assign(memory, {
          model: this.#model.value,
          judge: this.#judge.value,
          times: this.#often,
          unanswerable: this.#unanswerable.value,
        });
        changed();
      });
    }
    this.#on.checked = memory.on;
    this.ready = memory.on ? this.#update() : Promise.resolve();
  }

  /** Whether answers are wanted but the models are not known so far. */
  get waiting(): boolean {
    return this.#on.checked && Boolean(this.#more.hidden);
  }

  get #often(): number {
    return this.#times.validity.valid && this.#times.value ? this.#times.valueAsNumber : 1;
  }

  /** Returns null if no answers are wanted. */
  read(): JudgeTyped | null {
    const [answers, judges] = [this.#model, this.#judge].map(({ value }) =>
      this.#hosted.chatModels.find(({ name }) => name === value),
    );
    if (!this.#on.checked || !answers || !judges) return null;
    const lines = this.#unanswerable.value
      .split('\n')
      .map(oneLine)
      .filter((line) => line && line.length <= LONGEST.question);
    return {
      models: { answers, judges },
      times: this.#often,
      unanswerable: [...new Set(lines)].slice(0, LONGEST.questions),
    };
  }

  /** Shows how many requests the settings and questions need, with a number of passages each. */
  tell(settings: number, questions: number, passages: number): void {
    const { unanswerable = [], times = 1 } = this.read() ?? {};
    setText(this.#help, words.about(settings, questions, unanswerable.length, passages, times));
  }

  async #update(): Promise<void> {
    if (!this.#on.checked) {
      this.#show('', false);
      return;
    }
    const { host } = this.#hosted;
    this.#show(modelWords.connecting(host), false);
    try {
      await this.#hosted.connect();
    } catch (cause) {
      const { message, hint } = explainHosted(SeamError.from(cause));
      this.#refuse([message, hint].join(' '));
      return;
    }
    const models = this.#hosted.chatModels;
    if (models.length === 0) this.#refuse(words.noModel(host));
    else if (this.#hosted.terms.prompts !== 'client') this.#refuse(words.closed(host));
    else if (this.#on.checked) {
      this.#fill(this.#model, models, this.#memory.model);
      this.#fill(this.#judge, models, this.#memory.judge);
      this.#show('', true);
    }
  }

  #fill(select: HTMLSelectElement, models: readonly HostedModel[], chosen: string): void {
    select.replaceChildren(
      ...models.map(({ name, label, id, price }) => h('option', { value: name }, modelWords.model(label || id, price))),
    );
    if (models.some(({ name }) => name === chosen)) select.value = chosen;
  }

  #refuse(why: string): void {
    this.#on.checked = false;
    this.#memory.on = false;
    this.#show(why, false);
  }

  #show(note: string, more: boolean): void {
    setText(this.#note, note);
    this.#more.hidden = !more;
    this.#changed();
  }
}
