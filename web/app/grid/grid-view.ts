// The dialog of the grid, which finds the settings that retrieve the answers to the
// document's questions. A separate bundle: see compare-view.ts.

import type { Settings } from '../../lib/cut.ts';
import style from '../../styles/grid.css';
import type { GridReport, JudgedRun, Question, Ranking, ViewText } from '../../lib/api.ts';
import { nameOf } from '../../lib/grid.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import { embeddersHere } from '../session/compare-limits.ts';
import { adopt, button, h, setText } from '../ground/dom.ts';
import { saveFile } from '../session/export.ts';
import { GridForm, type Typed } from './grid-form.ts';
import type { AnswerRun } from './grid-judge.ts';
import type { JudgeMemory, JudgeTyped } from './grid-judge-form.ts';
import { GridJudges } from './grid-judges.ts';
import { cellsOf, GridRun, passagesOf, type Axes, type Cell, type Measured } from './grid-run.ts';
import { gridAsCsv, gridAsJson } from './grid-save.ts';
import { GridTable, goalOf, goalWords, plotOf, toldOf, type Told } from './grid-table.ts';
import type { Tried } from './tried.ts';
import type { Hosted } from '../hosted/hosted.ts';
import { Replies } from '../hosted/replies.ts';
import { sampleQuestions } from './sample-questions.ts';
import type { Session } from '../session/session.ts';
import { grid as words, judged as answerWords } from '../words/en/grid.ts';
import { explain } from '../words/en/page.ts';

adopt(style);

/** The most settings of a grid. */
const MOST = 200;
/** With fewer questions, only large differences are significant. */
const FEW = 10;

export interface GridPlaces {
  session: Session;
  engine: EngineClient;
  /** The worker that builds the requests for judging. */
  pdf: PdfClient;
  /** Null without a proxy. */
  hosted: Hosted | null;
  /** Questions from files that a document does not answer. */
  unanswerable: (doc: Doc) => readonly string[];
  /** Announces to screen readers. */
  say: (text: string) => void;
  /** Compares a setting with the one in use. */
  compare: (cell: Cell) => void;
}

export class GridView {
  readonly #places: GridPlaces;
  /** The measurements of a text in this visit, by cell and run key. */
  readonly #known = new WeakMap<ViewText, Map<string, Measured>>();
  /** The result of the last run over a text. */
  readonly #tried = new WeakMap<ViewText, Tried>();
  readonly #replies: Replies;
  readonly #judges = new WeakMap<Doc, JudgeMemory>();
  /** Questions from files that the user added to the document's. */
  readonly #taken = new WeakMap<Doc, Set<string>>();

  constructor(places: GridPlaces) {
    this.#places = places;
    this.#replies = new Replies(places.engine);
  }

  /** Opens the dialog for the selected document. */
  open(): void {
    const { session } = this.#places;
    const doc = session.selected;
    const { hello } = session.choices;
    if (!doc?.chunking || !hello) return;
    const {
      text,
      result: { edits },
    } = doc.chunking;
    let known = this.#known.get(text);
    if (!known || edits.count > 0) this.#known.set(text, (known = new Map())); // changes by hand apply to every method
    const memory = this.#judges.get(doc) ?? { on: false, model: '', judge: '', times: 1, unanswerable: '' };
    this.#judges.set(doc, memory);
    const lines = memory.unanswerable.split('\n').filter(Boolean);
    const taken = this.#taken.get(doc) ?? new Set();
    this.#taken.set(doc, taken);
    for (const question of this.#places.unanswerable(doc)) {
      if (!taken.has(question) && !lines.includes(question)) lines.push(question); // otherwise it was removed
      taken.add(question);
    }
    memory.unanswerable = lines.join('\n');
    new GridDialog(
      { ...this.#places, replies: this.#replies, memory, tried: (tried) => this.#tried.set(text, tried) },
      doc,
      doc.chunking,
      known,
    ).show();
  }

  /** Returns the result for a report. */
  tried(text: ViewText): Tried | null {
    return this.#tried.get(text) ?? null;
  }
}

interface DialogPlaces extends GridPlaces {
  replies: Replies;
  memory: JudgeMemory;
  tried: (tried: Tried) => void;
}

/** The result of a run. */
interface Came {
  all: readonly Measured[];
  run: GridRun;
  typed: Typed;
  /** Null if no model is to answer. */
  answers: AnswerRun | null;
}

class GridDialog {
  readonly #places: DialogPlaces;
  readonly #doc: Doc;
  readonly #chunking: Chunking;
  readonly #questions: number;
  readonly #known: Map<string, Measured>;
  readonly #form: GridForm;
  /** Null without a proxy. */
  readonly #judges: GridJudges | null;
  readonly #intro = h('p');
  readonly #embedders: readonly { name: string; label: string }[];
  readonly #count = h('span', { class: 'hint' });
  readonly #run = h('button', { type: 'submit', class: 'primary' }, words.run);
  readonly #error = h('p', { class: 'error', role: 'alert' });
  readonly #bar = h('progress', { max: 1, value: 0, 'aria-label': words.table });
  readonly #state = h('p', { class: 'state', role: 'status' });
  readonly #results = h('div', { class: 'results' });
  readonly #dialog: HTMLDialogElement;
  #stop: AbortController | null = null;
  /** Aborted when the dialog is closed. */
  readonly #gone = new AbortController();

  constructor(places: DialogPlaces, doc: Doc, chunking: Chunking, known: Map<string, Measured>) {
    const { session } = places;
    const { choices } = session;
    const { hello } = choices;
    if (!hello) throw new Error('the engine has not begun');
    this.#places = places;
    this.#doc = doc;
    this.#chunking = chunking;
    this.#known = known;
    const used = chunking.result.embedder;
    this.#embedders = embeddersHere(hello);
    const embedder = this.#embedders.some(({ name }) => name === used) ? used : (this.#embedders[0]?.name ?? '');
    this.#form = new GridForm(
      hello,
      this.#embedders,
      { method: chunking.result.method, embedder, mode: choices.preferences.searchMode, unit: chunking.unit },
      () => this.#tellCount(),
    );
    this.#judges =
      places.hosted &&
      new GridJudges(places.hosted, places, { changed: () => this.#tellCount(), returnFocus: () => this.#run.focus() });
    this.#questions = this.#asked({ depths: [1], tokens: [] }).questions.length;
    this.#bar.hidden = true;
    const sample = this.#questions === 0 ? sampleQuestions(chunking) : [];
    const form = h(
      'form',
      {},
      h('h2', { id: 'grid-title' }, words.title),
      this.#intro,
      sample.length > 0
        ? button(words.sample(sample.length), () => this.#take(sample), { class: 'plain sample' })
        : null,
      this.#form.element,
      this.#judges?.form.element ?? null,
      this.#error,
      h(
        'div',
        { class: 'bar' },
        this.#count,
        button(words.close, () => this.#dialog.close(), { class: 'plain' }),
        this.#run,
      ),
      this.#bar,
      this.#state,
      this.#judges?.consent.element ?? null,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#stop) this.#stop.abort();
      else void this.#measure();
    });
    this.#dialog = h('dialog', { class: 'grid-dialog', 'aria-labelledby': 'grid-title' }, form, this.#results);
    this.#dialog.addEventListener('close', () => {
      this.#stop?.abort();
      this.#gone.abort();
      this.#dialog.remove();
    });
    this.#tellCount();
  }

  show(): void {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    void this.#showKnown();
  }

  /** Adds questions to the document, and reopens the dialog with them. */
  #take(questions: readonly Question[]): void {
    this.#places.session.put(this.#doc, { questions: [...this.#doc.questions, ...questions] });
    this.#dialog.close();
    const next = new GridDialog(this.#places, this.#doc, this.#chunking, this.#known);
    next.show();
    next.#run.focus();
  }

  #asked(budgets: Typed['budgets'], judge: JudgeTyped | null = null): GridRun {
    return new GridRun(this.#places.engine, this.#doc, this.#chunking, budgets, judge?.unanswerable);
  }

  #cells({ axes }: Typed): Cell[] {
    return cellsOf(axes, this.#places.session.choices, this.#doc);
  }

  #tellCount(): void {
    const typed = this.#form.read();
    const n = typeof typed === 'string' ? 0 : this.#cells(typed).length;
    const waiting = this.#judges?.form.waiting ?? false;
    this.#judges?.hide();
    this.#judges?.form.tell(n, this.#questions, typeof typed === 'string' ? 0 : passagesOf(typed.budgets));
    this.#run.disabled = this.#questions === 0 || waiting;
    const judged = waiting || Boolean(this.#judges?.form.read());
    setText(
      this.#intro,
      this.#questions === 0
        ? words.none
        : [words.intro(this.#questions, judged), this.#questions < FEW ? words.few : ''].filter(Boolean).join(' '),
    );
    setText(this.#count, n > 0 ? words.settings(n) : '');
    setText(this.#error, typeof typed === 'string' ? typed : n > MOST ? words.tooMany(n, MOST) : '');
  }

  /** Shows the measurements of earlier runs, if they cover the whole grid. */
  async #showKnown(): Promise<void> {
    await this.#judges?.form.ready;
    const typed = this.#form.read();
    if (typeof typed === 'string') return;
    const judge = this.#judges?.form.read() ?? null;
    const run = this.#asked(typed.budgets, judge);
    const cells = this.#cells(typed);
    const all = cells.flatMap((cell) => this.#measured(run, cell) ?? []);
    if (this.#questions === 0 || all.length === 0 || all.length < cells.length) return;
    const answers = judge && this.#answers(judge, run, all);
    await answers?.quote(this.#gone.signal).catch(() => null); // then there are no answers
    await this.#show({ all, run, typed, answers });
  }

  #answers(typed: JudgeTyped, run: GridRun, all: readonly Measured[]): AnswerRun | null {
    return this.#judges?.run(typed, run, this.#chunking.text.text, all) ?? null;
  }

  async #measure(): Promise<void> {
    this.#tellCount();
    const typed = this.#form.read();
    if (typeof typed === 'string') return;
    const cells = this.#cells(typed);
    if (cells.length > MOST) return;
    this.#form.keep();
    const judge = this.#judges?.form.read() ?? null;
    const failed: string[] = [];
    await this.#during(async (signal) => {
      const run = this.#asked(typed.budgets, judge);
      const all = await this.#measureAll(run, cells, (cell) => this.#name(cell, typed.axes), signal, failed);
      const state = signal.aborted
        ? words.stopped(all.length, cells.length)
        : this.#doc.chunking === this.#chunking
          ? ''
          : words.changed;
      const tell = () => setText(this.#state, [state, ...failed].filter(Boolean).join(' '));
      tell();
      if (all.length === 0) return;
      const came = { all, run, typed, answers: judge && !signal.aborted ? this.#answers(judge, run, all) : null };
      if (came.answers) setText(this.#state, answerWords.looking);
      const quote = await came.answers?.quote(signal);
      tell();
      await this.#show(came);
      if (
        quote &&
        came.answers &&
        this.#judges?.offer(came.answers, quote, () => void this.#during((stop) => this.#ask(came, stop)))
      )
        return;
      if (came.answers)
        setText(
          this.#state,
          [this.#state.textContent, answerWords.flaws(came.answers.flaws)].filter(Boolean).join(' '),
        );
      this.#results.scrollIntoView({ block: 'start' });
    });
  }

  /** Runs work that the user can stop. */
  async #during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = (this.#stop = new AbortController());
    setText(this.#run, words.stop);
    setText(this.#error, '');
    this.#bar.hidden = false;
    this.#bar.value = 0;
    try {
      await work(stop.signal);
    } catch (cause) {
      const error = SeamError.from(cause);
      if (!stop.signal.aborted) setText(this.#error, explain(error).message);
    } finally {
      this.#stop = null;
      this.#bar.hidden = true;
      setText(this.#run, words.run);
    }
  }

  /** Requests the missing answers and judgements, and shows the result. */
  async #ask(came: Came, signal: AbortSignal): Promise<void> {
    const { answers } = came;
    if (!answers) return;
    const told = () => {
      setText(this.#state, answerWords.progress(answers.done, answers.total));
      this.#bar.value = answers.done / answers.total;
    };
    told();
    let why = '';
    try {
      await answers.ask(signal, told);
    } catch (cause) {
      why = this.#judges?.explain(cause) ?? '';
    }
    await this.#show(came);
    const { done, total } = answers;
    setText(this.#error, why);
    setText(
      this.#state,
      [
        signal.aborted ? answerWords.stopped : '',
        done < total ? answerWords.kept(done, total) : '',
        answerWords.flaws(answers.flaws),
      ]
        .filter(Boolean)
        .join(' '),
    );
    (why ? this.#error : done < total ? this.#state : this.#results).scrollIntoView({ block: 'start' });
  }

  /** Returns the earlier measurement of a cell. The setting in use may have changed since. */
  #measured(run: GridRun, cell: Cell): Measured | undefined {
    const known = this.#known.get(keyOf(run, cell));
    return known && { ...known, cell: { ...known.cell, inUse: cell.inUse } };
  }

  /**
   * Measures the cells one by one. `failed` receives a sentence for each that could not be
   * measured.
   */
  async #measureAll(
    run: GridRun,
    cells: readonly Cell[],
    nameOf: (cell: Cell) => string,
    signal: AbortSignal,
    failed: string[],
  ): Promise<Measured[]> {
    const all: Measured[] = [];
    for (const [i, cell] of cells.entries()) {
      if (signal.aborted) break;
      const name = nameOf(cell);
      setText(this.#state, words.progress(i, cells.length, name));
      this.#bar.value = i / cells.length;
      const key = keyOf(run, cell);
      try {
        const measured = this.#measured(run, cell) ?? (await run.measure(cell, signal));
        this.#known.set(key, measured);
        all.push(measured);
      } catch (cause) {
        const error = SeamError.from(cause);
        if (signal.aborted) break;
        failed.push(words.failed(name, explain(error).message));
      }
    }
    return all;
  }

  /** Names a setting without the parts that all settings of a grid share. */
  #name({ inUse, method, setting: { size = 0, embedder = '' }, mode }: Cell, { embedders, modes }: Axes): string {
    const label = this.#embedders.find(({ name }) => name === embedder)?.label.split(' · ')[0] ?? embedder;
    const name = words.setting(
      method.label,
      size,
      this.#chunking.unit,
      embedders.length > 1 || (inUse && !embedders.includes(embedder)) ? label : '',
      modes.length > 1 || (inUse && !modes.includes(mode)) ? mode : null,
    );
    return inUse ? `${name} · ${words.inUse}` : name;
  }

  async #show(came: Came): Promise<void> {
    const {
      all,
      run,
      typed: { budgets, axes },
      answers,
    } = came;
    const { price, priceOut } = answers?.price ?? { price: null, priceOut: null };
    const { result: report } = await this.#places.pdf.call(
      'grid',
      {
        budgets,
        answers: run.answers,
        rankings: all.map((measured) => ({
          ...measured.ranking,
          runs: (answers?.runsOf(measured) ?? []).map(figuresOf),
        })),
        times: answers?.times ?? 1,
        price,
        priceOut,
      },
      { signal: this.#gone.signal },
    );
    if (this.#gone.signal.aborted) return;
    this.#tell(
      report,
      toldOf(
        report,
        all,
        ({ cell }) => this.#name(cell, axes),
        (measured) => answers?.itemsOf(measured) ?? null,
      ),
      came,
    );
  }

  #tell(report: GridReport, rows: readonly Told[], { run, answers }: Came): void {
    const [best, ...others] = rows;
    if (!best) return;
    const { unit } = this.#chunking;
    const ties = others.filter(({ row }) => row.tie).length;
    const say = report.winner !== undefined ? words.best : words.first;
    const equal = others.filter(({ row }) => isEqual(goalOf(row).mean, goalOf(best.row).mean)).length;
    const first = say(words.withEqual(best.name, equal), goalWords(best.row, unit), goalOf(best.row).mean);
    const decided = report.winner !== undefined || others.length === 0;
    const sum = decided ? first : `${words.undecided(report.questions, report.needed ?? 0)} ${first}`;
    const table = new GridTable(
      rows.toSorted((a, b) => Number(b.measured.cell.inUse) - Number(a.measured.cell.inUse)),
      unit,
      {
        use: (told) => this.#use(told),
        compare: ({ measured }) => {
          this.#dialog.close();
          this.#places.compare(measured.cell);
        },
      },
      report,
    );
    const { halves } = report;
    const of = {
      document: this.#doc.name,
      version: this.#places.session.choices.hello?.version ?? '',
      made: run.made,
      runs: answers?.runs ?? [],
      warnings: answers?.warnings ?? [],
    };
    this.#results.replaceChildren(
      h('p', { class: 'sum' }, sum),
      ...(ties > 0 ? [h('p', {}, words.ties(ties))] : []),
      ...(halves ? [h('p', {}, words.halves(halves.unseen.mean, halves.seen.mean))] : []),
      ...answersSummed(report, rows),
      plotOf(rows, unit, this.#results.clientWidth),
      table.element,
      h(
        'p',
        { class: 'files' },
        button(words.saveCsv, () => this.#save('csv', gridAsCsv(report, run.made)), {
          class: 'link',
          title: words.saved,
        }),
        button(words.saveJson, () => this.#save('json', gridAsJson(report, of)), { class: 'link', title: words.saved }),
      ),
    );
    this.#places.tried({
      goal: goalWords(best.row, unit),
      questions: report.questions,
      rows: rows.map(({ name, row, measured }) => ({
        name,
        ...goalOf(row),
        tie: row.tie,
        chunks: row.chunks,
        median: measured.median,
      })),
    });
    this.#places.say(sum);
  }

  #use({ measured: { cell }, name }: Told): void {
    const { session, say } = this.#places;
    const { choices } = session;
    const { method, settings, setting, mode } = cell;
    this.#dialog.close();
    session.change(
      {
        method: method.name,
        maxTokens: settings.maxTokens ?? 0,
        minTokens: settings.minTokens ?? 0,
        overlap: settings.overlap ?? 0,
        searchMode: mode,
        settings: {
          ...choices.preferences.settings,
          ...(settings.setting !== undefined && { [method.name]: settings.setting }),
        },
        ...(setting.embedder && setting.embedder !== this.#chunking.result.embedder && { embedder: setting.embedder }),
      },
      false,
      true,
    );
    say(words.used(name));
  }

  #save(ending: 'csv' | 'json', content: string): void {
    saveFile(
      `${this.#doc.name}.grid.${ending}`,
      new Blob([content], { type: ending === 'csv' ? 'text/csv' : 'application/json' }),
    );
  }
}

const keyOf = (run: GridRun, { mode, settings }: { mode: string; settings: Settings }): string =>
  JSON.stringify([run.by, mode, settings]);

/** Returns the parts of a run that its figures are computed from. */
const figuresOf = ({ answerable, refused, scores, tokens, tokensOut }: JudgedRun): Ranking['runs'][number] => ({
  answerable,
  refused,
  scores,
  tokens,
  tokensOut,
});

/** Whether two means of the same questions are the same but for rounding. */
const isEqual = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

/** Describes the setting with the best answers and how certain that is. */
function answersSummed(
  { bestAnswers = '', answersWin, answersNeeded = 0, answerHalves, questions }: GridReport,
  rows: readonly Told[],
): HTMLElement[] {
  const best = rows.find(({ row }) => nameOf(row) === bestAnswers);
  if (!best?.row.answers) return [];
  const mean = best.row.answers.quality.mean;
  const others = rows.filter((told) => told !== best);
  const ties = others.filter(({ row }) => row.answers?.tie).length;
  const equal = others.filter(({ row }) => row.answers && isEqual(row.answers.quality.mean, mean)).length;
  return [
    h(
      'p',
      { class: 'sum' },
      ...(answersWin || rows.length < 2 ? [] : [`${words.undecided(questions, answersNeeded)} `]),
      (answersWin ? answerWords.best : answerWords.first)(words.withEqual(best.name, equal), mean),
    ),
    ...(ties > 0 ? [h('p', {}, answerWords.ties(ties))] : []),
    ...(answerHalves ? [h('p', {}, answerWords.halves(answerHalves.unseen.mean, answerHalves.seen.mean))] : []),
  ];
}
