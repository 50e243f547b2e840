// Compares methods: each cuts the document with the page's other settings, and the places
// where they differ are listed. The document's own chunks do not change.

import type { ViewText } from '../../lib/api.ts';
import { assignColours } from '../../lib/colours.ts';
import { agreementOf, kindOf, placesOf, type Place } from '../../lib/compare.ts';
import { unitOf } from '../../lib/cut.ts';
import { Latest } from '../../lib/latest.ts';
import { pkOf } from '../../lib/pk.ts';
import type { Span } from '../../lib/questions.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { cutAside } from '../session/aside.ts';
import { isHosted } from '../session/choices.ts';
import { DifferenceList, pageAt } from './compare-differences.ts';
import { ComparePainter } from './compare-painter.ts';
import { withLimits } from '../session/compare-limits.ts';
import { CompareList } from './compare-list.ts';
import type { CompareRow } from './compare-row.ts';
import { barsOf, cutOf, sizesOf, type Cut } from './cuts.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { GridOpener } from '../grid/grid-opener.ts';
import type { Tried } from '../grid/tried.ts';
import type { GridPlaces } from '../grid/grid-view.ts';
import { Judging } from './judging.ts';
import { QuestionList } from './question-list.ts';
import type { Compared } from './report.ts';
import type { Retrieval } from './retrieval.ts';
import type { Session } from '../session/session.ts';
import { explain, length as lengthWords } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';
import { Explain } from '../ground/terms.ts';
import { TextColumns, wide } from './text-columns.ts';

const words = shown.compare;

export class CompareView {
  readonly #session: Session;
  readonly #goTo: (sentence: number) => void;
  readonly #colourOf: (start: number) => number;
  readonly #say: (text: string) => void;
  readonly #latest = new Latest();
  readonly #painter = new ComparePainter();
  readonly #list: CompareList;
  readonly #cuts: (Cut | null)[] = [];
  #doc: Doc | null = null;
  /** Whether its tab is selected. Otherwise nothing is cut. */
  #seen = false;
  /** Whether the columns show the place of the reader since its tab was selected. */
  #begun = false;
  /** Whether to announce the next results, because the user changed the comparison. */
  #asked = false;
  readonly #summary = h('p', { class: 'sum' });
  readonly #tip = h('p', { class: 'hint at', 'aria-hidden': 'true' });
  readonly #differences: DifferenceList;
  readonly #empty = h('p', { class: 'hint' }, words.empty);
  readonly #questions: QuestionList;
  readonly #grid: GridOpener;
  readonly #engine: EngineClient;
  readonly #judging: Judging;
  /** The places of the cuts of all methods. */
  #places: readonly Place[] = [];
  /** The first sentence that the reader last saw in the text. */
  #read = 0;
  readonly #columns = new TextColumns();
  /** Called to close the comparison. */
  leave = (): void => undefined;
  /** Called to add a question about the selected text. */
  ask = (): void => undefined;
  readonly #bar = h(
    'div',
    { class: 'bar' },
    h('span', { class: 'about' }, 'Pk ', new Explain('pk-explained', () => 'pk').element),
    button(words.place.close, () => this.leave(), { class: 'link leave' }),
  );
  readonly #body = h(
    'div',
    { hidden: true, class: 'comparison' },
    this.#bar,
    this.#columns.element,
    this.#summary,
    this.#painter.element,
    this.#tip,
  );
  readonly element = h('section', { class: 'compare' }, this.#empty, this.#body);

  /**
   * `goTo` shows a sentence in the text; `colourOf` returns the colour of the current chunk
   * that starts at an offset; `say` announces to screen readers.
   */
  constructor(
    session: Session,
    grid: Pick<GridPlaces, 'engine' | 'pdf' | 'hosted'>,
    retrieval: Retrieval,
    goTo: (sentence: number) => void,
    colourOf: (start: number) => number,
    say: (text: string) => void,
  ) {
    this.#differences = new DifferenceList((sentence) => this.#goTo(sentence));
    this.#body.append(h('section', { class: 'differ' }, h('h2', {}, words.differ), this.#differences.element));
    this.#session = session;
    this.#engine = grid.engine;
    this.#questions = new QuestionList(session, say, () => this.ask());
    this.#list = new CompareList({
      session,
      doc: () => this.#doc,
      changed: () => {
        this.#asked = true;
        this.#renew();
      },
      added: (at) => this.#columns.prefer(at),
      removed: (at) => this.#cuts.splice(at, 1),
    });
    const view = this;
    this.#judging = new Judging({
      session,
      engine: grid.engine,
      pdf: grid.pdf,
      retrieval,
      questions: this.#questions,
      comparison: {
        rows: this.#list.rows,
        cuts: this.#cuts,
        get doc() {
          return view.#doc;
        },
        get places() {
          return view.#places;
        },
      },
    });
    this.#body.prepend(this.#judging.element, this.#list.element, this.#judging.alikeNote);
    this.#bar.prepend(this.#list.add);
    this.#grid = new GridOpener({
      ...grid,
      session,
      say,
      unanswerable: (doc) => this.#questions.unanswerable.get(doc) ?? [],
      compare: (cell) => this.#list.take(cell),
    });
    this.#list.add.after(this.#grid.element);
    this.#summary.before(this.#questions.element);
    this.#say = say;
    this.#goTo = (sentence) => this.#follow(sentence, goTo);
    this.#colourOf = colourOf;
    session.on('hello', () => this.#begin());
    for (const event of ['selected', 'documents'] as const)
      session.on(event, () => {
        if (session.selected !== this.#doc || !session.selected?.chunking) this.#renew();
      });
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#renew();
    });
    for (const event of ['questions', 'settings'] as const)
      session.on(event, () => {
        if (this.#judging.outdated) this.#renew();
      });
    session.on('moved', (doc) => this.#recut(doc));
    new ResizeObserver(() => {
      const seen = this.element.offsetParent !== null;
      if (seen && !this.#seen) this.#begun = false;
      if (seen && !this.#seen) this.#renew();
      this.#seen = seen;
      this.#settle();
    }).observe(this.element);
    wide.addEventListener('change', () => {
      this.#settle();
      this.#renew();
    });
    session.on('passage', (passage) => {
      if (passage && passage.doc === this.#doc) this.#columns.goTo(passage);
    });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.#painter.element.addEventListener('pointermove', ({ clientX, clientY }) => this.#point(clientX, clientY));
    this.#painter.element.addEventListener('pointerleave', () => setText(this.#tip, words.legend));
    this.#painter.element.addEventListener('click', ({ clientX, clientY }) => this.#press(clientX, clientY));
    setText(this.#tip, words.legend);
    if (session.choices.hello) this.#begin();
  }

  /** Returns the comparison for a report. It is empty unless the user has opened it. */
  get compared(): Compared[] {
    const { chunking } = this.#session.selected ?? {};
    if (!chunking || this.#doc !== this.#session.selected || this.#cuts.some((cut) => cut?.of !== chunking)) return [];
    return this.#list.rows.flatMap((row, i) => {
      const cut = this.#cuts[i];
      if (!cut || !row.method) return [];
      return [
        {
          letter: words.letters[i] ?? '',
          label: words.with(row.method.label, row.limits, cut.unit),
          setting: row.method.setting ? row.setting : null,
          sizes: cut.chunks.map(({ tokens }) => tokens),
          starts: cut.starts,
          pk: i === 0 ? null : this.#pk(i, chunking),
          found: row.found,
        },
      ];
    });
  }

  /** Returns the result of the last grid over a text, for a report. */
  tried(text: ViewText): Tried | null {
    return this.#grid.tried(text);
  }

  /** Computes Pk of a method against the one in use. */
  #pk(i: number, { sentences }: Chunking): number {
    const [reference = [], other = []] = [this.#cuts[0], this.#cuts[i]].map((cut) =>
      cut?.starts.slice(1).map((at) => sentenceAt(sentences, at)),
    );
    return pkOf(reference, other, sentences.length / 2);
  }

  /** Sets the first and the last sentence in view; null for none. */
  see(seen: [first: number, last: number] | null): void {
    const { sentences } = this.#doc?.chunking ?? {};
    if (seen) [this.#read] = seen;
    this.#painter.see(seen && sentences ? [sentences[2 * seen[0]] ?? 0, sentences[2 * seen[1] + 1] ?? 0] : null);
  }

  /** The selected part of the text in a column, or null. */
  get selected(): Span | null {
    return this.#columns.visible ? this.#columns.selected : null;
  }

  /** Shows a sentence in the text, and in the columns. */
  #follow(sentence: number, goTo: (sentence: number) => void): void {
    const { sentences } = this.#doc?.chunking ?? {};
    goTo(sentence);
    const start = sentences?.[2 * sentence];
    if (start !== undefined) this.#columns.goTo({ start, end: sentences?.[2 * sentence + 1] ?? start });
  }

  /** Where it covers the text, it is the main part of the page. */
  #settle(): void {
    const column = this.element.closest('.rail');
    if (column) setAttribute(column, 'role', this.#columns.visible ? 'main' : null);
  }

  /** Escape closes the comparison where it takes the place of the text. */
  #key(event: KeyboardEvent): void {
    const open = this.element.querySelector(':popover-open');
    if (event.key !== 'Escape' || event.defaultPrevented || open || !this.#columns.visible) return;
    event.preventDefault();
    this.leave();
  }

  // ---- the cuts

  #begin(): void {
    if (this.#list.rows.length > 0) return;
    this.#list.begin();
    this.#renew();
  }

  #renew(): void {
    const doc = this.#session.selected;
    this.#empty.hidden = Boolean(doc?.chunking);
    this.#body.hidden = !doc?.chunking;
    document.body.classList.toggle('has-comparison', !this.#body.hidden); // for the styles: a :has() there is slow
    if (this.#list.rows.length > 0) this.#latest.run(() => this.#cut(this.#session.selected));
  }

  async #cut(doc: Doc | null): Promise<void> {
    this.#doc = doc;
    const { chunking } = doc ?? {};
    if (!doc || !chunking || this.element.offsetParent === null) return; // invisible
    const { method, setting } = this.#session.choices;
    for (const row of this.#list.rows) row.update();
    this.#list.rows[0]?.set(
      this.#list.methods.find(({ name }) => name === chunking.result.method) ?? method,
      chunking.result.setting ?? setting,
    );
    this.#cuts[0] = cutOf(chunking.result.chunks, chunking, '', null);
    for (let i = 1; i < this.#list.rows.length; i++) {
      const row = this.#list.rows[i] as CompareRow;
      const cut = await this.#cutBy(row, doc, chunking, this.#cuts[i] ?? null);
      if (doc.chunking !== chunking || doc !== this.#session.selected) return; // superseded
      if (row === this.#list.rows[i]) this.#cuts[i] = cut;
    }
    this.#cuts.length = this.#list.rows.length;
    this.#show(chunking);
    await this.#judging.judge(doc, chunking);
  }

  /** Cuts by a row's settings, or returns the previous cut if they are the same. */
  async #cutBy(row: CompareRow, doc: Doc, chunking: Chunking, before: Cut | null): Promise<Cut | null> {
    if (!row.method) return null;
    const { choices } = this.#session;
    const settings = withLimits(choices.settingsBy(doc, row.method, row.setting), row.limits, row.method);
    const by = JSON.stringify(settings);
    if (before?.of === chunking && before.by === by) return before;
    row.tell(words.busy);
    try {
      const answer = await cutAside(this.#engine, this.#session, doc, settings);
      if (!answer) row.tell(words.stopped);
      const other =
        answer && isHosted(settings.embedder ?? '') && !isHosted(answer.result.embedder) && row.method.needsVectors;
      return (
        answer && {
          ...cutOf(answer.result.chunks, chunking, by, { ...settings, embedder: answer.result.embedder }),
          note: other ? words.unsent : '',
          unit: unitOf(answer.result, settings),
        }
      );
    } catch (cause) {
      row.tell(explain(SeamError.from(cause)).message);
      return null;
    }
  }

  /** Follows the moving threshold of the method in use. */
  #recut(doc: Doc): void {
    if (doc !== this.#doc || !doc.chunking || this.element.offsetParent === null) return;
    this.#cuts[0] = cutOf(doc.chunking.result.chunks, doc.chunking, '', null);
    this.#show(doc.chunking);
  }

  #show(chunking: Chunking): void {
    const { text, sentences } = chunking;
    const cuts = this.#cuts.map((cut) => cut ?? { chunks: [], starts: [] });
    const bars = barsOf(cuts.map(({ chunks }) => chunks.map(({ tokens }) => tokens)));
    this.#list.rows.forEach((row, i) => {
      const cut = this.#cuts[i];
      row.tellApart(cut && i > 0 && this.#cuts[0] ? words.pk(this.#pk(i, chunking), words.letters[0] ?? '') : '');
      if (cut) row.tell([sizesOf(cut.chunks, cut.unit), cut.note].filter(Boolean).join(' · '), bars[i]);
    });
    const places = placesOf(
      cuts.map(({ starts }) => starts.slice(1)),
      (at) => sentenceAt(sentences, at),
    );
    this.#places = places;
    const own = new Map(cuts[0]?.chunks.map(({ start }, i) => [cuts[0]?.starts[i] ?? start, this.#colourOf(start)]));
    const ribbons = cuts.map(({ starts }, i) => ({
      letter: words.letters[i] ?? '',
      starts,
      colours: i === 0 ? starts.map((start) => own.get(start) ?? 0) : assignColours(starts, own),
    }));
    this.#painter.show(
      { ribbons, places, pages: text.pages, length: text.text.length },
      words.picture(this.#list.rows.map(({ method }) => method?.label ?? '')),
    );
    this.#columns.show(
      chunking,
      cuts.map(({ chunks }, i) => ({ chunks, colours: ribbons[i]?.colours ?? [] })),
      places,
    );
    if (!this.#begun) this.#columns.read(this.#read);
    this.#begun = true;
    const agreement = words.agreement(agreementOf(places));
    setText(this.#summary, agreement);
    if (this.#asked) this.#say(agreement);
    this.#asked = false;
    this.#differences.show(
      chunking,
      places.filter((place) => kindOf(place) !== 'same'),
    );
  }

  #point(x: number, y: number): void {
    const { chunking } = this.#doc ?? {};
    const { ribbon, chunk } = this.#painter.at(x, y);
    const cut = this.#cuts[ribbon];
    const found = cut?.chunks[chunk];
    setText(
      this.#tip,
      chunking && cut && found
        ? words.chunk(
            words.letters[ribbon] ?? '',
            chunk + 1,
            lengthWords(found.tokens, cut.unit),
            pageAt(chunking, found.start),
          )
        : words.legend,
    );
  }

  #press(x: number, y: number): void {
    const { sentences } = this.#doc?.chunking ?? {};
    const { offset, ribbon, chunk } = this.#painter.at(x, y);
    if (sentences) this.#goTo(sentenceAt(sentences, this.#cuts[ribbon]?.starts[chunk] ?? offset));
  }
}
