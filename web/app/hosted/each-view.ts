// The dialog that asks questions of each document by itself, with the table of the answers.
// A separate bundle: see each-opener.ts.

import style from '../../styles/each.css';
import { SeamError } from '../../lib/seam-error.ts';
import { adopt, button, h, setText } from '../ground/dom.ts';
import { saveFile } from '../session/export.ts';
import { each as words } from '../words/en/each.ts';
import { explainHosted, hosted } from '../words/en/hosted.ts';
import { Consent } from './consent.ts';
import { EachRun, type Cell, type EachPlaces } from './each-run.ts';
import { eachAsCsv, EachTable } from './each-table.ts';

adopt(style);

/** The most cells of a table. */
const MOST = 5000;
/** Tokens of a typical answer. */
const ANSWER = 250;

export class EachView {
  readonly #places: EachPlaces;
  readonly #questions = h('textarea', { id: 'each-questions', rows: 3, 'aria-describedby': 'each-hint' });
  readonly #intro = h('p');
  readonly #model = h('p', { class: 'hint' });
  readonly #look = h('button', { type: 'submit', class: 'primary' }, words.look);
  readonly #stop = button(words.stop, () => this.#stopping?.abort(), { class: 'stop', hidden: true });
  readonly #save = button(words.save, () => this.#saveFile(), { class: 'plain', hidden: true });
  readonly #error = h('p', { class: 'error', role: 'alert' });
  readonly #bar = h('progress', { max: 1, value: 0, 'aria-label': words.table, hidden: true });
  readonly #state = h('p', { class: 'state', role: 'status' });
  readonly #consent: Consent;
  readonly #results = h('div', { class: 'results' });
  readonly #dialog: HTMLDialogElement;
  #stopping: AbortController | null = null;
  #run: EachRun | null = null;
  #table: EachTable | null = null;

  constructor(places: EachPlaces) {
    this.#places = places;
    this.#consent = new Consent({
      id: 'each',
      yes: () => void this.#during((signal) => this.#send(signal)),
      no: () => this.#consent.show(null),
      returnFocus: () => this.#look.focus(),
    });
    const form = h(
      'form',
      {},
      h('h2', { id: 'each-title' }, words.title),
      this.#intro,
      h('label', { for: 'each-questions' }, words.questions),
      this.#questions,
      h('p', { class: 'hint', id: 'each-hint' }, words.questionsHint),
      this.#model,
      this.#error,
      h(
        'div',
        { class: 'bar' },
        this.#save,
        button(words.close, () => this.#dialog.close(), { class: 'plain' }),
        this.#look,
        this.#stop,
      ),
      this.#bar,
      this.#state,
      this.#consent.element,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#stopping) void this.#during((signal) => this.#find(signal));
    });
    this.#dialog = h('dialog', { class: 'each-dialog', 'aria-labelledby': 'each-title' }, form, this.#results);
    this.#dialog.addEventListener('close', () => {
      this.#stopping?.abort();
      this.#dialog.remove();
    });
  }

  /** Opens the dialog; `question` is added to the questions. */
  open(question: string): void {
    const { search, session, models, ask, finder } = this.#places;
    const lines = this.#lines;
    if (question && !lines.includes(question.replace(/\s*\n\s*/g, ' ')))
      this.#questions.value = [...lines, question.replace(/\s*\n\s*/g, ' ')].join('\n');
    const listed = search.only ?? session.docs; // those still being read are waited for
    const { failed } = search.apartOf(listed);
    const documents = listed.length - failed;
    setText(this.#intro, documents === 0 ? words.none : words.intro(documents, failed));
    this.#look.disabled = documents === 0;
    setText(
      this.#model,
      [words.model(models.labelOf(ask.model), models.host), finder.dear ? words.byWords : ''].filter(Boolean).join(' '),
    );
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  get #lines(): string[] {
    return [
      ...new Set(
        this.#questions.value
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      ),
    ];
  }

  /** Finds the passages of all cells, and asks for consent to send the open requests. */
  async #find(signal: AbortSignal): Promise<void> {
    const { search, ask } = this.#places;
    const questions = this.#lines;
    if (questions.length === 0) throw new SeamError('empty', words.empty);
    await search.whole(signal);
    const run = new EachRun(this.#places, ask.model, questions);
    if (run.cells.length > MOST) throw new SeamError('too-large', words.tooMany(run.cells.length, MOST));
    this.#run = this.#table = null;
    this.#results.replaceChildren();
    this.#save.hidden = true;
    await run.prepare(signal, (done, all) => this.#tell(words.looking(done, all), done / all));
    this.#run = run;
    this.#table = new EachTable(run, (cell, index) => this.#follow(cell, index));
    this.#results.replaceChildren(this.#table.element);
    this.#save.hidden = false;
    this.#offer(words.send);
  }

  /** Asks for consent, or says that all is answered. */
  #offer(yes: string): void {
    const { ask, models } = this.#places;
    const run = this.#run;
    if (!run) return;
    const { open, cells } = run;
    this.#tellDone();
    if (open.length === 0) return;
    const tokens = open.reduce((sum, cell) => sum + cell.tokens, 0);
    const waiting = cells.filter(({ request, answer }) => request && !answer).length;
    this.#consent.show({
      title: yes === words.send ? hosted.nothingYet : words.left(open.length),
      failed: false,
      text: [
        words.offer(
          open.length,
          waiting,
          tokens,
          ask.cost(tokens, ANSWER * open.length),
          models.labelOf(ask.model),
          models.host,
        ),
        words.around,
        ask.named ? words.named : words.unnamed,
        words.known(cells.filter(({ answer }) => answer).length),
        words.nothing(cells.filter(({ request }) => !request).length),
      ]
        .filter(Boolean)
        .join(' '),
      yes,
      no: words.notNow,
    });
    this.#consent.focus();
  }

  async #send(signal: AbortSignal): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#consent.show(null);
    const all = run.open.length;
    this.#tell(words.progress(0, all), 0);
    try {
      await run.ask(signal, () => {
        this.#table?.update();
        const done = all - run.open.length;
        this.#tell(words.progress(done, all), done / all);
      });
    } finally {
      this.#table?.update();
      if (run.open.length > 0) this.#offer(words.rest);
      this.#tellDone(signal.aborted);
    }
  }

  /** Runs work that the user can stop. */
  async #during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = (this.#stopping = new AbortController());
    setText(this.#error, '');
    this.#consent.show(null);
    this.#bar.hidden = this.#stop.hidden = false;
    this.#look.hidden = true;
    this.#bar.value = 0;
    try {
      await work(stop.signal);
    } catch (cause) {
      const error = SeamError.from(cause);
      if (!stop.signal.aborted) setText(this.#error, explainHosted(error).message);
      else if (!this.#run) setText(this.#state, '');
    } finally {
      this.#stopping = null;
      this.#bar.hidden = this.#stop.hidden = true;
      this.#look.hidden = false;
    }
  }

  #tell(text: string, done: number): void {
    setText(this.#state, text);
    this.#bar.value = done;
  }

  #tellDone(stopped = false): void {
    const cells = this.#run?.cells ?? [];
    const answered = cells.filter(({ answer }) => answer && !answer.refused).length;
    const absent = cells.filter(({ answer, request }) => answer?.refused || !request).length;
    const failed = cells.filter(({ error, answer }) => error && !answer).length;
    setText(
      this.#state,
      [stopped ? words.stopped(this.#run?.open.length ?? 0) : '', words.done(answered, absent, failed)]
        .filter(Boolean)
        .join(' '),
    );
  }

  /** Shows a passage in its document, behind the dialog that closes. */
  #follow(cell: Cell, index: number): void {
    const place = cell.places[index];
    if (!place) return;
    this.#dialog.close();
    void this.#places.places.follow(place);
  }

  #saveFile(): void {
    if (this.#run) saveFile(`${words.file}.csv`, new Blob([eachAsCsv(this.#run)], { type: 'text/csv' }));
  }
}
