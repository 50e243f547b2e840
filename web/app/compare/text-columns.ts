// The compared texts next to each other. All columns show the same place of the text. If there
// is no room for all of them, the first is shown with one of the others.

import { cutKindOf } from '../../lib/cut-kinds.ts';
import type { Chunk } from '../../lib/api.ts';
import { kindOf, type Place } from '../../lib/compare.ts';
import { partsOf, type Part } from '../../lib/overlap.ts';
import type { Chunking } from '../session/doc.ts';
import { h } from '../ground/dom.ts';
import { READ, TextColumn } from './text-column.ts';
import { shown, shownReason } from '../words/en/views.ts';

const words = shown.compare;
/** The least width of a column, and the distance between two, in pixels. */
const LEAST = 420;
const GAP = 24;
/** The highlight of a passage that was followed; see styles/compare.css. */
const HIGHLIGHT = 'seam-compared';

/** The width from which the comparison takes the place of the text; also in styles/compare.css. */
export const wide = matchMedia('(min-width: 1100px)');

/** The chunks of a method. */
export interface Shown {
  chunks: readonly Chunk[];
  colours: readonly number[];
}

export class TextColumns {
  readonly #columns: TextColumn[] = [];
  readonly #texts = h('div', { class: 'texts' });
  readonly #switch = h('fieldset', { class: 'which-text', hidden: true }, h('legend', {}, words.place.against));
  readonly element = h('div', { class: 'side-by-side' }, this.#switch, this.#texts);
  /** The index of the method shown next to the first if there is no room for all. */
  #other = 1;
  #input: { chunking: Chunking; all: readonly Shown[]; places: readonly Place[] } | null = null;
  #begun: Chunking | null = null;
  /** The column that the reader moved last. */
  #leader: TextColumn | null = null;

  constructor() {
    new ResizeObserver(() => this.#arrange()).observe(this.element);
  }

  /** The selected part of the text in one of the columns, or null. */
  get selected(): Part | null {
    for (const column of this.#columns) if (column.selected) return column.selected;
    return null;
  }

  /** Shows a method next to the first, if not all have room. */
  prefer(method: number): void {
    this.#other = method;
  }

  /** `places` are the cuts of all methods, as in lib/compare.ts. */
  show(chunking: Chunking, all: readonly Shown[], places: readonly Place[]): void {
    this.#input = { chunking, all, places };
    this.#arrange();
  }

  /** Whether the columns are on the screen. */
  get visible(): boolean {
    return this.element.offsetParent !== null;
  }

  #arrange(): void {
    const { all = [], chunking } = this.#input ?? {};
    if (!chunking || !this.visible) return;
    // Taken first, because elements that move lose their place.
    const leads = this.#columns.find((column) => column === this.#leader) ?? this.#columns[0];
    const anchor = this.#begun?.text === chunking.text ? (leads?.anchor ?? null) : null;
    const place = leads?.pane.scrollTop;
    const fit = Math.max(2, Math.floor((this.element.clientWidth + GAP) / (LEAST + GAP)));
    this.#other = Math.min(Math.max(1, this.#other), all.length - 1);
    const indices = all.length <= fit ? all.map((_, i) => i) : [0, this.#other];
    this.#choices(all.length > fit ? all.length : 0);
    while (this.#columns.length < indices.length) this.#columns.push(this.#column());
    this.#columns.length = indices.length;
    this.#texts.style.setProperty('--columns', String(indices.length));
    const elements = this.#columns.map(({ element }) => element);
    if (elements.length !== this.#texts.children.length) this.#texts.replaceChildren(...elements);
    this.#begun = chunking;
    indices.forEach((of, i) => this.#fill(this.#columns[i] as TextColumn, of));
    // A column that stayed where it was may be moving just now, and goes on.
    for (const column of this.#columns)
      if (anchor && (column !== leads || column.pane.scrollTop !== place)) column.follow(anchor);
  }

  #column(): TextColumn {
    const column: TextColumn = new TextColumn(
      (at) => this.goTo({ start: at, end: at }),
      () => this.#lead(column),
    );
    for (const event of ['wheel', 'keydown', 'pointerdown', 'touchstart'])
      column.pane.addEventListener(
        event,
        () => {
          column.settle(); // the reader moves it now
          this.#leader = column;
        },
        { passive: true },
      );
    return column;
  }

  #fill(column: TextColumn, of: number): void {
    const { chunking, all, places } = this.#input ?? {};
    const shownNow = all?.[of];
    if (!chunking || !shownNow || !places) return;
    const { chunks, colours } = shownNow;
    const { own } = partsOf(chunks, chunking.text.text);
    const byCut = new Map(places.map((place) => [place.cuts[of] ?? -1, place]));
    column.show({
      letter: words.letters[of] ?? '',
      chunking,
      chunks: own.map((part, i) => ({ ...part, colour: colours[i] ?? 0, size: chunks[i]?.tokens ?? 0 })),
      cuts: own.slice(1).map(({ start }, i) => {
        const before = chunks[i];
        const [reason, plain] = before ? [shownReason(before.reason), shown.cutBy[cutKindOf(before.reason)]] : ['', ''];
        const where = inWords(byCut.get(start));
        const withWhere = (why: string) => [why, where].filter(Boolean).join(', ');
        return { at: start, reason: withWhere(reason), plain: withWhere(plain) };
      }),
    });
  }

  /** Shows the choice of the second column among `n` methods; none for 0. */
  #choices(n: number): void {
    this.#switch.hidden = n === 0;
    const radios = this.#switch.querySelectorAll('input');
    if (radios.length === Math.max(0, n - 1)) {
      for (const radio of radios) radio.checked = Number(radio.value) === this.#other;
      return;
    }
    for (const label of this.#switch.querySelectorAll('label')) label.remove();
    for (let i = 1; i < n; i++) {
      const radio = h('input', { type: 'radio', name: 'against', value: i, checked: i === this.#other });
      radio.addEventListener('change', () => {
        this.#other = i;
        this.#arrange();
      });
      this.#switch.append(h('label', {}, radio, words.letters[i] ?? ''));
    }
  }

  // ---- the place in the text

  /** Brings the other columns to the place of one. */
  #lead(column: TextColumn): void {
    if (this.#leader && this.#leader !== column) return; // it moved by itself, as when its heights change
    column.settle();
    const { anchor } = column;
    if (!anchor) return;
    for (const other of this.#columns) if (other !== column) other.follow(anchor);
  }

  /** Shows a sentence at the top, without a mark. */
  read(sentence: number): void {
    const { sentences } = this.#input?.chunking ?? {};
    if (!sentences || !this.visible) return;
    for (const column of this.#columns) column.follow({ at: sentences[2 * sentence] ?? 0, y: READ });
  }

  /** Shows and marks a part of the text in all columns. */
  goTo(passage: Part): void {
    if (!this.visible) return;
    const ranges = this.#columns.map((column) => column.mark(passage)).filter((range) => range !== null);
    if ('highlights' in CSS) CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
    for (const column of this.#columns) column.follow({ at: passage.start, y: READ });
  }
}

/** Says which methods make a cut, if not all do. */
function inWords(place: Place | undefined): string {
  if (!place) return '';
  const kind = kindOf(place);
  if (kind === 'some') return words.place.only(words.letters.filter((_, i) => typeof place.cuts[i] === 'number'));
  return kind === 'near' ? words.place.moved : '';
}
