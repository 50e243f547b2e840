// Adds the user's questions. With text selected, a button next to it or a key opens a form
// for the question that it answers. A marked passage works too, so no pointer is needed.

import type { Question } from '../../lib/api.ts';
import { LONGEST, oneLine, trimmed, type Span } from '../../lib/questions.ts';
import { frame, result } from '../ground/dialog-frame.ts';
import type { Chunking, Doc, Passage } from '../session/doc.ts';
import { button, h } from '../ground/dom.ts';
import { narrow } from '../ground/narrow.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';
import { wide } from './text-columns.ts';

const words = shown.questions;
/** The most characters of an answer in its form. */
const QUOTED = 240;

export interface QuestionMakerOptions {
  session: Session;
  /** The selected part of the text. */
  text: { readonly selected: Span | null };
  /** Shows the list of questions. */
  list: () => void;
  say: (text: string) => void;
}

export class QuestionMaker {
  readonly #options: QuestionMakerOptions;
  readonly #ask = button(words.ask, () => void this.#open(this.#offered), {
    class: 'small',
    title: words.askTitle,
    'aria-keyshortcuts': 'q',
  });
  /** Where the list takes the place of the text, it is shown on demand. */
  readonly #kept = button(words.keptShow, () => this.#options.list(), { class: 'small', hidden: true });
  /** Placed next to the selection. */
  readonly element = h('span', { class: 'ask-here', hidden: true }, this.#ask, this.#kept);
  #offered: Span | null = null;
  #passage: Passage | null = null;

  constructor(options: QuestionMakerOptions) {
    this.#options = options;
    const { session } = options;
    session.on('passage', (passage) => {
      this.#passage = passage;
    });
    document.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('mousedown', (event) => event.preventDefault()); // the press would end the selection
  }

  /** Whether the element currently confirms a saved question. */
  get telling(): boolean {
    return !this.#kept.hidden;
  }

  /** Offers to ask about the selection; returns false if there is none. */
  offer(): boolean {
    this.#offered = this.#selected;
    this.element.hidden = this.#offered === null;
    this.#ask.hidden = false;
    this.#kept.hidden = true;
    return this.#offered !== null;
  }

  /** Asks about the selection, or explains how to select. */
  ask(): void {
    const span = this.#selected ?? this.#ofPassage;
    if (span) void this.#open(span);
    else void result(frame(words.title, words.close, null, h('p', {}, shown.compare.place.askHow)), () => '');
  }

  get #selected(): Span | null {
    const { text, session } = this.#options;
    const { selected } = text;
    return selected && trimmed(session.selected?.chunking?.text.text ?? '', selected.start, selected.end);
  }

  /** Returns the best sentence of the passage, or the whole passage. */
  get #ofPassage(): Span | null {
    const { doc, start = 0, end = 0, passage } = this.#passage ?? {};
    const { selected } = this.#options.session;
    if (!doc || doc !== selected) return null;
    return trimmed(
      doc.chunking?.text.text ?? '',
      passage ? start + passage[0] : start,
      passage ? start + passage[1] : end,
    );
  }

  #key(event: KeyboardEvent): void {
    if (event.key?.toLowerCase() !== 'q' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (
      event.target instanceof Element &&
      event.target.closest('input:not([type=range]), textarea, select, [contenteditable], dialog')
    )
      return;
    const span = this.#selected ?? this.#ofPassage;
    if (!span) return;
    event.preventDefault();
    void this.#open(span);
  }

  async #open(span: Span | null): Promise<void> {
    const doc = this.#options.session.selected;
    const { chunking } = doc ?? {};
    if (!doc || !chunking || !span || document.querySelector('dialog[open]')) return;
    const no = refusal(doc, span);
    if (no) {
      void result(frame(words.title, words.close, null, h('p', {}, no)), () => '');
      return;
    }
    const excerpt = chunking.text.text.slice(span.start, span.end);
    const question = await askFor(excerpt);
    if (question) this.#keep(doc, chunking, question, excerpt, span.start);
  }

  #keep(doc: Doc, { text: { view } }: Chunking, question: string, excerpt: string, start: number): void {
    const { session, say, list } = this.#options;
    if (!session.docs.includes(doc)) return;
    this.#ask.hidden = true;
    this.#kept.hidden = !this.#elsewhere;
    session.put(doc, { questions: withAnswer(doc.questions, question, excerpt, { view, start }) });
    say(words.kept(doc.questions.length));
    if (!this.#elsewhere) list();
  }

  /** Whether the list takes the place of the text, which the reader then keeps. */
  get #elsewhere(): boolean {
    return narrow.matches || wide.matches;
  }
}

/** Adds an answer. If the question exists, its answer gets one more excerpt. */
function withAnswer(
  questions: readonly Question[],
  question: string,
  excerpt: string,
  place: { view: 'reading' | 'content'; start: number },
): Question[] {
  const at = questions.findIndex((each) => each.question === question);
  const before = questions[at];
  if (!before) return [...questions, { question, excerpts: [excerpt], places: [place] }];
  const places = before.places ?? before.excerpts.map(() => ({ view: place.view, start: 0 }));
  const twice = before.excerpts.some(
    (each, i) => each === excerpt && places[i]?.view === place.view && places[i].start === place.start,
  );
  return twice
    ? [...questions]
    : questions.with(at, { ...before, excerpts: [...before.excerpts, excerpt], places: [...places, place] });
}

/** Returns why no question can be added, or an empty string. */
function refusal({ following, questions }: Doc, { start, end }: Span): string {
  if (following) return `${strings.trouble.followed} ${strings.trouble.followedHint}`;
  if (end - start > LONGEST.excerpt) return words.tooLong(end - start, LONGEST.excerpt);
  return questions.length >= LONGEST.questions ? words.tooMany(LONGEST.questions) : '';
}

/** Asks for the question that an excerpt answers; resolves to null if the user cancels. */
function askFor(excerpt: string): Promise<string | null> {
  const area = h('textarea', {
    id: 'question',
    rows: 2,
    maxlength: LONGEST.question,
    dir: 'auto',
    'aria-describedby': 'question-hint',
  });
  const plain = oneLine(excerpt);
  const dialog = frame(
    words.title,
    words.keep,
    words.cancel,
    h('blockquote', { dir: 'auto' }, plain.length > QUOTED ? `${plain.slice(0, QUOTED).trimEnd()}…` : plain),
    h('div', { class: 'field' }, h('label', { for: 'question' }, words.label), area),
    h('p', { class: 'hint', id: 'question-hint' }, words.again),
  );
  dialog.classList.add('question-form');
  const check = () => area.setCustomValidity(oneLine(area.value) ? '' : words.empty);
  area.addEventListener('input', check);
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    area.form?.requestSubmit();
  });
  check();
  const answer = result(dialog, () => oneLine(area.value));
  area.focus();
  return answer;
}
