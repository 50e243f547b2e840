// Lists the questions about the document. A row leads to its answer and shows how the
// compared methods found it. Questions can be saved to files and loaded.

import type { Question, ViewText } from '../../lib/api.ts';
import {
  LONGEST,
  oneLine,
  questionLines,
  readQuestions,
  spansOf,
  type Retrieved,
  type Span,
} from '../../lib/questions.ts';
import { saveFile } from '../session/export.ts';
import type { Doc } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

const words = shown.questions;
/** The most characters of an answer in its row. */
const QUOTED = 120;

/**
 * How a compared method found each answer. Null means unknown, or that the answer is not in
 * the text.
 */
export interface Judged {
  letter: string;
  found: readonly (Retrieved | null)[] | null;
}

export class QuestionList {
  /** Questions from files that the document does not answer, for the judges of the grid. */
  readonly unanswerable = new WeakMap<Doc, string[]>();
  readonly #session: Session;
  readonly #say: (text: string) => void;
  readonly #list = h('ol', { class: 'own-questions' });
  readonly #none = h('p', { class: 'hint' }, words.none);
  readonly #told = h('span');
  readonly #undo = button(words.undo, () => this.#bringBack(), { class: 'link' });
  readonly #line = h('p', { class: 'told', hidden: true }, this.#told, this.#undo);
  readonly #picker = h('input', {
    type: 'file',
    hidden: true,
    id: 'questions-picker',
    accept: '.jsonl,.json,.ndjson,application/jsonl,application/json',
    'aria-label': words.open,
  });
  readonly #save = button(words.save, () => this.#saveAll(), { class: 'link', title: words.saveTitle, hidden: true });
  /** Shown where the text is next to it. */
  readonly #ask = h(
    'button',
    { type: 'button', class: 'small ask', 'aria-keyshortcuts': 'q' },
    shown.compare.place.ask,
  );
  readonly #title = h('h2', { id: 'questions-title' }, words.heading(0));
  readonly element = h(
    'section',
    { class: 'asked-here', 'aria-labelledby': 'questions-title' },
    h('div', { class: 'titled-list' }, this.#title, this.#ask),
    this.#none,
    this.#list,
    this.#line,
    h(
      'p',
      { class: 'files' },
      this.#save,
      button(words.open, () => this.#picker.click(), { class: 'link', title: words.openTitle }),
      this.#picker,
    ),
  );
  #doc: Doc | null = null;
  #shown = '';
  /** The text in which the answers were searched. */
  #text: ViewText | null = null;
  /** The question removed last, and its index. */
  #removed: { doc: Doc; question: Question; at: number } | null = null;
  #judged: readonly Judged[] = [];

  /** `ask` adds a question about the selected text. */
  constructor(session: Session, say: (text: string) => void, ask: () => void) {
    this.#session = session;
    this.#say = say;
    this.#ask.addEventListener('click', ask);
    this.#picker.addEventListener('change', () => {
      const [file] = this.#picker.files ?? [];
      this.#picker.value = ''; // so that the same file can be chosen again
      if (file) void this.#read(file);
    });
    this.#ask.addEventListener('mousedown', (event) => event.preventDefault()); // the press would end the selection
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    for (const event of ['questions', 'chunked', 'selected', 'documents'] as const)
      session.on(event, () => this.show());
  }

  /** Shows the questions about the selected document. */
  show(): void {
    const doc = this.#session.selected;
    const { text = null } = doc?.chunking ?? {};
    const state = JSON.stringify([doc?.key, doc?.questions]);
    if (state === this.#shown && text === this.#text) return;
    this.#shown = state;
    this.#text = text;
    if (doc !== this.#removed?.doc) this.#tell('');
    this.#judged = [];
    this.#doc = doc;
    this.#build();
  }

  /** Shows how the compared methods found the answers. */
  judge(judged: readonly Judged[]): void {
    this.#judged = judged;
    this.#doc?.questions.forEach((_, i) => {
      const ranks = this.#list.children[i]?.querySelector('.ranks');
      ranks?.replaceChildren(...judged.map(({ letter, found }) => rank(letter, found?.[i] ?? null)));
    });
  }

  #build(): void {
    const { questions = [] } = this.#doc ?? {};
    const at = this.#focused;
    const of = this.#text;
    this.#list.replaceChildren(
      ...questions.map((question, i) => this.#row(question, i, of && spansOf(question, of.text, of.view))),
    );
    setText(this.#title, words.heading(questions.length));
    this.#none.hidden = questions.length > 0;
    this.#save.hidden = questions.length === 0;
    this.judge(this.#judged);
    if (at >= 0) this.#focus(Math.min(at, questions.length - 1));
  }

  /** Creates a row. `spans` is null while there is no text. */
  #row({ question, excerpts }: Question, i: number, spans: readonly Span[] | null): HTMLElement {
    const plain = oneLine(excerpts.join(' … '));
    const quote = plain.length > QUOTED ? `${plain.slice(0, QUOTED).trimEnd()}…` : plain;
    const go = button('', () => this.#follow(spans?.[0]), { class: 'question' });
    go.append(
      h('span', { class: 'asks', dir: 'auto' }, question),
      h('q', { dir: 'auto' }, quote),
      spans?.length !== 0 ? h('span', { class: 'ranks' }) : h('span', { class: 'gone' }, words.gone),
    );
    const remove = button('', () => this.#remove(i), {
      class: 'remove',
      tabindex: -1,
      'aria-label': words.remove(question),
      title: words.remove(question),
    });
    return h('li', {}, go, remove);
  }

  #follow(span: Span | undefined): void {
    const doc = this.#doc;
    if (doc && span) void this.#session.reveal({ doc, ...span, page: '', marks: [], passage: null, focus: 0 });
  }

  // ---- keys

  get #focused(): number {
    const item = document.activeElement?.closest('li');
    return item?.parentElement === this.#list ? [...this.#list.children].indexOf(item) : -1;
  }

  #focus(i: number): void {
    const row = this.#list.children[i]?.querySelector('button');
    if (row) row.focus();
    else (this.#line.hidden ? this.#save : this.#undo).focus();
  }

  #key(event: KeyboardEvent): void {
    const at = this.#focused;
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const side = { ArrowRight: 1, ArrowLeft: 0 }[event.key];
    const way = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') this.#remove(at);
    else if (side !== undefined) this.#list.children[at]?.querySelectorAll('button')[side]?.focus();
    else if (way !== undefined) this.#list.children[way]?.querySelector('button')?.focus();
    else return;
    event.preventDefault();
  }

  // ---- changes

  #tell(text: string, undo = false): void {
    this.#line.hidden = text === '';
    setText(this.#told, text);
    this.#undo.hidden = !undo;
    if (!undo) this.#removed = null;
    if (text) this.#say(text);
  }

  #remove(i: number): void {
    const doc = this.#doc;
    const question = doc?.questions[i];
    if (!doc || !question || doc.following) return;
    this.#removed = { doc, question, at: i };
    this.#tell(words.removed(question.question), true);
    this.#session.put(doc, { questions: doc.questions.toSpliced(i, 1) });
  }

  /** Restores a removed question among the current ones, which may have changed meanwhile. */
  #bringBack(): void {
    const { doc, question, at } = this.#removed ?? {};
    if (!doc || !question || at === undefined || doc.following) return;
    this.#tell('');
    this.#session.put(doc, { questions: doc.questions.toSpliced(at, 0, question) });
    this.#focus(Math.min(at, doc.questions.length - 1));
    this.#say(words.back);
  }

  // ---- files

  #saveAll(): void {
    const doc = this.#doc;
    if (doc)
      saveFile(
        `${doc.name}.questions.jsonl`,
        new Blob([questionLines(doc.name, doc.questions)], { type: 'application/jsonl' }),
      );
  }

  async #read(file: File): Promise<void> {
    const doc = this.#doc;
    const { text } = doc?.chunking ?? {};
    const read = readQuestions(await file.text(), doc?.name ?? '');
    if (!doc || !text || doc !== this.#session.selected || doc.following) return;
    if (!read) {
      this.#tell(words.foreign(file.name));
      return;
    }
    const there = new Set(doc.questions.map(identity));
    const added = read.mine
      .filter((each) => !there.has(identity(each)))
      .flatMap((each) => {
        const spans = spansOf(each, text.text, text.view);
        const excerpts = spans.map(({ start, end }) => text.text.slice(start, end)); // with this text's offsets
        return spans.length === each.excerpts.length
          ? [{ ...each, excerpts, places: spans.map(({ start }) => ({ view: text.view, start })) }]
          : [];
      })
      .filter((each) => !there.has(identity(each)))
      .slice(0, Math.max(0, LONGEST.questions - doc.questions.length));
    if (added.length > 0) this.#session.put(doc, { questions: [...doc.questions, ...added] });
    const before = this.unanswerable.get(doc) ?? [];
    this.unanswerable.set(doc, [...new Set([...before, ...read.unanswerable])]);
    this.#tell(words.read(added.length, read.mine.length + read.others - added.length, read.unanswerable.length));
  }
}

const identity = ({ question, excerpts }: Question) => JSON.stringify([question, excerpts]);

/** Creates the chip of a method. */
function rank(letter: string, found: Retrieved | null): HTMLElement {
  if (!found) return h('span', { class: 'rank', 'aria-hidden': 'true' }, h('b', {}, letter), ' …');
  const { rank: n, share } = found;
  return h(
    'span',
    {
      class: share > 0 ? 'rank' : 'rank far',
      role: 'img',
      'aria-label': words.rankNamed(letter, n, share),
      title: words.rankNamed(letter, n, share),
    },
    h('b', {}, letter),
    ` ${words.rank(n, share)}`,
  );
}
