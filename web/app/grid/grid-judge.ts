// Has a model answer a grid's questions from the passages each setting found, and another
// model judge the answers. The worker builds the requests (lib/api-judge.ts); prompts and
// scores are the same as in seam eval grid. Does not use the DOM.

import type { HostedModel, JudgedItem, JudgedRun, JudgeItem, LeftToAsk } from '../../lib/api.ts';
import { nameOf } from '../../lib/grid.ts';
import type { GridRun, Measured } from './grid-run.ts';
import { costOf, isDone, Steps, type Replies, type ReplyPlaces, type Stepped } from '../hosted/replies.ts';

export interface JudgeModels {
  answers: HostedModel;
  judges: HostedModel;
}

/** Remaining requests, tokens, and dollars; null if a price is not known. */
export interface Quote {
  answers: number;
  judgements: number;
  tokens: number;
  dollars: number | null;
}

/** A question with its passages, shared by all settings that found the same. */
type Asked = Stepped<JudgeItem, JudgedItem>;

export class AnswerRun {
  readonly #places: ReplyPlaces;
  readonly #models: JudgeModels;
  readonly #steps: Steps<JudgeItem, JudgedItem>;
  readonly #asked = new Map<string, Asked>();
  readonly times: number;
  /** The requests of each setting in the order of its questions, repeated `times`. */
  readonly #of = new Map<Measured, Asked[]>();

  /** `replies` is shared between runs. Each question is answered `times`. */
  constructor(
    places: ReplyPlaces,
    models: JudgeModels,
    replies: Replies,
    times: number,
    { questions, unanswerable, ideals }: GridRun,
    text: string,
    all: readonly Measured[],
  ) {
    this.#places = places;
    this.#models = models;
    this.#steps = new Steps(
      replies,
      async (items, signal) =>
        (await places.pdf.call('judge', { model: models.answers.id, judge: models.judges.id, items }, { signal }))
          .result.items,
    );
    this.times = times;
    const asks = [...questions, ...unanswerable];
    for (const measured of all) {
      this.#of.set(
        measured,
        measured.passages.flatMap((spans, q) =>
          Array.from({ length: times }, (_, nth) => {
            const item = {
              question: asks[q] ?? '',
              ideal: ideals[q] ?? '',
              answerable: q < questions.length,
              passages: spans.map(({ start, end }) => text.slice(start, end)),
              nth,
              replies: [],
            };
            const key = JSON.stringify(item);
            const asked = this.#asked.get(key) ?? { item, state: null };
            this.#asked.set(key, asked);
            return asked;
          }),
        ),
      );
    }
  }

  /** Returns the prices of the answering model. */
  get price(): Pick<HostedModel, 'price' | 'priceOut'> {
    return this.#models.answers;
  }

  get total(): number {
    return this.#asked.size;
  }

  get done(): number {
    return this.#all.filter(isDone).length;
  }

  get #all(): Asked[] {
    return [...this.#asked.values()];
  }

  /**
   * Returns the number of judgements counted as 0 because they could not be read, and of
   * answers cut off or unusable.
   */
  get flaws(): { unscored: number; cut: number } {
    const done = this.#all.filter(isDone);
    return {
      unscored: done.reduce((sum, { state }) => sum + (state?.unscored.length ?? 0), 0),
      cut: done.filter(
        ({
          item: {
            replies: [answer],
          },
        }) => answer && (answer.finish !== 'stop' || answer.unusable),
      ).length,
    };
  }

  /** Returns the warnings about all answers, as the command line prints them. */
  get warnings(): string[] {
    return this.#all.flatMap(({ state }) => state?.warnings ?? []);
  }

  /** Returns the remaining requests, after replies that were paid for before. Nothing is sent. */
  async quote(signal: AbortSignal): Promise<Quote> {
    const open = this.#all;
    await this.#steps.look(open, signal);
    const wanted = new Map(open.flatMap(({ state }) => (state?.next ? [[state.next.key, state.left] as const] : [])));
    const sum = (of: keyof LeftToAsk) => [...wanted.values()].reduce((all, left) => all + left[of], 0);
    const [read, written, judgeRead, judgeWrite] = [sum('read'), sum('written'), sum('judgeRead'), sum('judgeWrite')];
    const { answers, judges } = this.#models;
    const costs = [costOf(answers, read, written), costOf(judges, judgeRead, judgeWrite)];
    const known = costs.filter((each) => each !== null);
    return {
      answers: sum('answers'),
      judgements: sum('judgements'),
      tokens: read + judgeRead,
      dollars: known.length < costs.length ? null : known.reduce((all, cost) => all + cost, 0),
    };
  }

  /**
   * Sends the remaining requests. Calls back after each answer. The first failure
   * ends it.
   */
  async ask(signal: AbortSignal, told: () => void): Promise<void> {
    await this.#places.connect();
    await this.#steps.ask(this.#all, signal, this.#places.pdf, told);
  }

  /**
   * Returns the answers of a setting in the order of its questions, or null if some are
   * missing.
   */
  itemsOf(measured: Measured): JudgedItem[] | null {
    const items = this.#of.get(measured)?.flatMap(({ state }) => (state?.run ? [state] : [])) ?? [];
    return items.length > 0 && items.length === this.times * measured.passages.length ? items : null;
  }

  get runs(): JudgedRun[] {
    return [...this.#of.keys()].flatMap((measured) => this.runsOf(measured));
  }

  /** Returns the runs of a setting, or none if some answers are missing. */
  runsOf(measured: Measured): JudgedRun[] {
    const { ranking } = measured;
    return (this.itemsOf(measured) ?? []).flatMap(({ run }, i) =>
      run
        ? [
            {
              ...run,
              setting: nameOf(ranking),
              chunks: ranking.chunks,
              ...(this.times > 1 && { repeat: (i % this.times) + 1 }),
            },
          ]
        : [],
    );
  }
}
