// The dialog of the grid: which of many settings finds the answers of the document's
// questions. A bundle of its own: see compare-view.ts.

import style from '../styles/grid.css';
import type { Question, ViewText } from '../lib/api.ts';
import { gridOf, type GridReport } from '../lib/grid.ts';
import { SeamError } from '../lib/seam-error.ts';
import type { EngineClient } from '../lib/workers.ts';
import type { Settings } from './chunker.ts';
import type { Chunking, Doc } from './doc.ts';
import { embeddersHere } from './compare-limits.ts';
import { adopt, button, h, setText } from './dom.ts';
import { saveFile } from './export.ts';
import { GridForm, type Typed } from './grid-form.ts';
import { cellsOf, GridRun, type Axes, type Cell, type Measured } from './grid-run.ts';
import { gridAsCsv, gridAsJson } from './grid-save.ts';
import { GridTable, goalOf, goalWords, plotOf, toldOf, type Told } from './grid-table.ts';
import type { Tried } from './report.ts';
import { sampleQuestions } from './sample-questions.ts';
import type { Session } from './session.ts';
import { inSlices } from './slices.ts';
import { grid as words } from './strings-grid.ts';
import { explain } from './strings.ts';

adopt(style);

/** Settings of a grid at most. */
const MOST = 200;
/** Fewer questions tell only large differences. */
const FEW = 10;

export interface GridPlaces {
  session: Session;
  engine: EngineClient;
  /** For those who listen. */
  say: (text: string) => void;
  /** A setting is to be compared with the one in use. */
  compare: (cell: Cell) => void;
}

export class GridView {
  readonly #places: GridPlaces;
  /** What was measured of a text in this visit, by the cell and what else it was measured on. */
  readonly #known = new WeakMap<ViewText, Map<string, Measured>>();
  /** What came of the last run over a text. */
  readonly #tried = new WeakMap<ViewText, Tried>();

  constructor(places: GridPlaces) {
    this.#places = places;
  }

  /** Shows it for the document that is selected. */
  open(): void {
    const { session } = this.#places;
    const doc = session.selected;
    const { hello } = session.choices;
    if (!doc?.chunking || !hello) return;
    const { text, result: { edits } } = doc.chunking;
    let known = this.#known.get(text);
    if (!known || edits.count > 0) this.#known.set(text, known = new Map()); // changes by hand hold for every method
    new GridDialog({ ...this.#places, tried: (tried) => this.#tried.set(text, tried) }, doc, doc.chunking, known).show();
  }

  /** For a report. */
  tried(text: ViewText): Tried | null {
    return this.#tried.get(text) ?? null;
  }
}

interface DialogPlaces extends GridPlaces {
  tried: (tried: Tried) => void;
}

class GridDialog {
  readonly #places: DialogPlaces;
  readonly #doc: Doc;
  readonly #chunking: Chunking;
  readonly #known: Map<string, Measured>;
  readonly #form: GridForm;
  readonly #embedders: readonly { name: string; label: string }[];
  readonly #count = h('span', { class: 'hint' });
  readonly #run = h('button', { type: 'submit', class: 'primary' }, words.run);
  readonly #error = h('p', { class: 'error', role: 'alert' });
  readonly #bar = h('progress', { max: 1, value: 0, 'aria-label': words.table });
  readonly #state = h('p', { class: 'state', role: 'status' });
  readonly #results = h('div', { class: 'results' });
  readonly #dialog: HTMLDialogElement;
  #stop: AbortController | null = null;
  /** The dialog was closed. */
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
    const embedder = this.#embedders.some(({ name }) => name === used) ? used : this.#embedders[0]?.name ?? '';
    this.#form = new GridForm(hello, this.#embedders, { method: chunking.result.method, embedder, mode: choices.preferences.searchMode, unit: chunking.unit }, () => this.#tellCount());
    const questions = this.#asked({ depths: [1], tokens: [] }).questions.length;
    const intro = questions === 0 ? words.none : [words.intro(questions, false), questions < FEW ? words.few : ''].filter(Boolean).join(' ');
    this.#run.disabled = questions === 0;
    this.#bar.hidden = true;
    const sample = questions === 0 ? sampleQuestions(chunking) : [];
    const form = h('form', {}, h('h2', { id: 'grid-title' }, words.title), h('p', {}, intro),
      sample.length > 0 ? button(words.sample(sample.length), () => this.#take(sample), { class: 'plain sample' }) : null, this.#form.element, this.#error,
      h('div', { class: 'bar' }, this.#count, button(words.close, () => this.#dialog.close(), { class: 'plain' }), this.#run), this.#bar, this.#state);
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

  /** The document gets these questions, and the dialog begins anew with them. */
  #take(questions: readonly Question[]): void {
    this.#places.session.putQuestions(this.#doc, [...this.#doc.questions, ...questions]);
    this.#dialog.close();
    const next = new GridDialog(this.#places, this.#doc, this.#chunking, this.#known);
    next.show();
    next.#run.focus();
  }

  #asked(budgets: Typed['budgets']): GridRun {
    return new GridRun(this.#places.engine, this.#doc, this.#chunking, budgets);
  }

  #cells({ axes }: Typed): Cell[] {
    return cellsOf(axes, this.#places.session.choices, this.#doc);
  }

  #tellCount(): void {
    const typed = this.#form.read();
    const n = typeof typed === 'string' ? 0 : this.#cells(typed).length;
    setText(this.#count, n > 0 ? words.settings(n) : '');
    setText(this.#error, typeof typed === 'string' ? typed : n > MOST ? words.tooMany(n, MOST) : '');
  }

  /** What an earlier run has of this, as long as that is all of it. */
  async #showKnown(): Promise<void> {
    const typed = this.#form.read();
    if (typeof typed === 'string') return;
    const run = this.#asked(typed.budgets);
    const cells = this.#cells(typed);
    const all = cells.flatMap((cell) => this.#known.get(keyOf(run, cell)) ?? []);
    if (run.questions.length > 0 && all.length > 0 && all.length === cells.length) await this.#show(all, typed);
  }

  async #measure(): Promise<void> {
    this.#tellCount();
    const typed = this.#form.read();
    if (typeof typed === 'string') return;
    const cells = this.#cells(typed);
    if (cells.length > MOST) return;
    this.#form.keep();
    const stop = this.#stop = new AbortController();
    setText(this.#run, words.stop);
    this.#bar.hidden = false;
    const failed: string[] = [];
    try {
      const run = this.#asked(typed.budgets);
      const all = await this.#measureAll(run, cells, (cell) => this.#name(cell, typed.axes), stop.signal, failed);
      const state = stop.signal.aborted ? words.stopped(all.length, cells.length) : this.#doc.chunking === this.#chunking ? '' : words.changed;
      setText(this.#state, [state, ...failed].filter(Boolean).join(' '));
      if (all.length === 0) return;
      await this.#show(all, typed);
      this.#results.scrollIntoView({ block: 'start' });
    } catch (cause) {
      setText(this.#error, explain(SeamError.from(cause)).message);
    } finally {
      this.#stop = null;
      this.#bar.hidden = true;
      setText(this.#run, words.run);
    }
  }

  /** Those that could be measured, one after another; `failed` gets the words for the rest. */
  async #measureAll(run: GridRun, cells: readonly Cell[], nameOf: (cell: Cell) => string, signal: AbortSignal, failed: string[]): Promise<Measured[]> {
    const all: Measured[] = [];
    for (const [i, cell] of cells.entries()) {
      if (signal.aborted) break;
      const name = nameOf(cell);
      setText(this.#state, words.progress(i, cells.length, name));
      this.#bar.value = i / cells.length;
      const key = keyOf(run, cell);
      try {
        const measured = this.#known.get(key) ?? await run.measure(cell, signal);
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

  /** Without what all settings of a grid have in common. */
  #name({ method, setting: { size, embedder }, mode }: Cell, { embedders, modes }: Axes): string {
    const label = this.#embedders.find(({ name }) => name === embedder)?.label.split(' · ')[0] ?? embedder;
    return words.setting(method.label, size, this.#chunking.unit, embedders.length > 1 ? label : '', modes.length > 1 ? mode : null);
  }

  async #show(all: readonly Measured[], { budgets, axes }: Typed): Promise<void> {
    const work = gridOf(all.map(({ ranking }) => ranking), budgets);
    let report: GridReport | null = null;
    const steps: Iterator<void> = { next: () => {
      const step = work.next();
      if (step.done) report = step.value;
      return { done: step.done ?? false, value: undefined };
    } };
    await inSlices(steps, this.#gone.signal);
    if (report) this.#tell(report, toldOf(report, all, ({ cell }) => this.#name(cell, axes)));
  }

  #tell(report: GridReport, rows: readonly Told[]): void {
    const [best, ...others] = rows;
    if (!best) return;
    const { unit } = this.#chunking;
    const ties = others.filter(({ row }) => row.tie).length;
    const sum = words.best(best.name, goalWords(best.row, unit), goalOf(best.row).mean);
    const table = new GridTable(rows, unit, { use: (told) => this.#use(told), compare: ({ measured }) => {
      this.#dialog.close();
      this.#places.compare(measured.cell);
    } });
    const { halves } = report;
    this.#results.replaceChildren(h('p', { class: 'sum' }, sum), ...(ties > 0 ? [h('p', {}, words.ties(ties))] : []),
      ...(halves ? [h('p', {}, words.halves(halves.unseen.mean, halves.seen.mean))] : []), plotOf(rows, unit, this.#results.clientWidth), table.element,
      h('p', { class: 'files' }, button(words.saveCsv, () => this.#save('csv', gridAsCsv(report)), { class: 'link', title: words.saved }),
        button(words.saveJson, () => this.#save('json', gridAsJson(report, this.#doc.name, this.#places.session.choices.hello?.version ?? '')), { class: 'link', title: words.saved })));
    this.#places.tried({
      goal: goalWords(best.row, unit), questions: report.questions,
      rows: rows.map(({ name, row, measured }) => ({ name, ...goalOf(row), tie: row.tie, chunks: row.chunks, median: measured.median })),
    });
    this.#places.say(sum);
  }

  #use({ measured: { cell }, name }: Told): void {
    const { session, say } = this.#places;
    const { choices } = session;
    const { method, settings, setting, mode } = cell;
    this.#dialog.close();
    session.change({
      method: method.name, maxTokens: settings.maxTokens ?? 0, overlap: settings.overlap ?? 0, searchMode: mode,
      settings: { ...choices.preferences.settings, ...(settings.setting !== undefined && { [method.name]: settings.setting }) },
      ...(setting.embedder && setting.embedder !== this.#chunking.result.embedder && { embedder: setting.embedder }),
    }, false, true);
    say(words.used(name));
  }

  #save(ending: 'csv' | 'json', content: string): void {
    saveFile(`${this.#doc.name}.grid.${ending}`, new Blob([content], { type: ending === 'csv' ? 'text/csv' : 'application/json' }));
  }
}

const keyOf = (run: GridRun, { mode, settings }: { mode: string; settings: Settings }): string => JSON.stringify([run.by, mode, settings]);
