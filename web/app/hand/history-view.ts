// Lists all changes by hand to the selected document: kind, place and time. Each can be
// undone and redone alone, or all after it can be undone. The boundaries can be compared
// with an earlier time's.

import type { HandChange, History } from '../../lib/api.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Editor } from './editor.ts';
import { AUTHOR, remember, remembered } from '../ground/remembered.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

const HOUR = 3_600_000;
/** Characters marked where a change is shown. */
const MARKED = 40;
/** The longest name, in characters. */
const MOST_AUTHOR = 60;

/** Times to compare with, in milliseconds since 1970. */
const times: Record<keyof typeof shown.history.times, (now: number) => number> = {
  none: () => 0,
  hour: (now) => now - HOUR,
  yesterday: (now) => new Date(now).setHours(0, 0, 0, 0) - 1,
  beginning: () => 1,
};

export class HistoryView {
  readonly #session: Session;
  readonly #engine: EngineClient;
  readonly #editor: Editor;
  readonly #list = h('ol', { class: 'changes' });
  readonly #since = h(
    'select',
    { id: 'since' },
    ...Object.entries(shown.history.times).map(([value, label]) => h('option', { value }, label)),
  );
  readonly #author = h('input', {
    id: 'author',
    type: 'text',
    autocomplete: 'name',
    maxlength: MOST_AUTHOR,
    value: remembered(AUTHOR),
  });
  readonly #compared = h('div', { class: 'compared' });
  readonly element = h(
    'details',
    { class: 'history', hidden: true },
    h('summary', {}, shown.history.title),
    this.#list,
    h('div', { class: 'field inline' }, h('label', { for: 'since' }, shown.history.compare), this.#since),
    this.#compared,
    h('div', { class: 'field inline' }, h('label', { for: 'author' }, shown.history.author), this.#author),
  );

  constructor(session: Session, engine: EngineClient, editor: Editor) {
    this.#session = session;
    this.#engine = engine;
    this.#editor = editor;
    session.on('selected', () => void this.#update());
    session.on('chunked', () => void this.#update());
    this.element.addEventListener('toggle', () => void this.#update());
    this.#author.addEventListener('change', () => remember(AUTHOR, this.#author.value.trim()));
    this.#since.addEventListener('change', () => void this.#update());
  }

  async #update(): Promise<void> {
    const doc = this.#session.selected;
    const { count = 0, canUndo = false, canRedo = false } = doc?.chunking?.result.edits ?? {};
    this.element.hidden = count === 0 && !canUndo && !canRedo;
    if (!doc?.id || this.element.hidden || !this.element.open) return;
    const since = times[this.#since.value as keyof typeof times](Date.now());
    const answer = await this.#engine.call('history', { doc: doc.id, since }).catch(() => null); // the next change asks again
    if (answer && doc === this.#session.selected) this.#show(doc, answer.result, since);
  }

  #show(doc: Doc, { changes, came, gone }: History, since: number): void {
    const focused = [...this.#list.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
    this.#list.replaceChildren(...changes.toReversed().map((change, i) => this.#row(doc, change, i === 0)));
    if (focused >= 0) this.#list.querySelectorAll('button')[focused]?.focus();
    const places = [
      ...came.map((at) => ({ at, words: shown.history.came })),
      ...gone.map((at) => ({ at, words: shown.history.gone })),
    ].sort((a, b) => a.at - b.at);
    this.#compared.replaceChildren(
      ...(since === 0
        ? []
        : [
            h('p', { class: 'help', 'aria-live': 'polite' }, shown.history.compared(came.length, gone.length)),
            h(
              'ul',
              {},
              ...places.map(({ at, words }) =>
                h(
                  'li',
                  {},
                  words,
                  ' ',
                  this.#place(doc, at, doc.chunking?.text.text.slice(at, at + MARKED).trim() ?? ''),
                ),
              ),
            ),
          ]),
    );
  }

  #row(doc: Doc, change: HandChange, last: boolean): HTMLLIElement {
    const { id, undone } = change;
    const act = (action: 'undo' | 'redo' | 'back') =>
      void this.#editor.run(
        () => ({ action, step: id }),
        ({ result }) => shown.edits.count(result.edits.count),
      );
    const what = shown.history.what(change);
    return h(
      'li',
      { class: undone ? 'undone' : null },
      h(
        'span',
        {},
        what,
        ' ',
        change.action === 'clear'
          ? ''
          : this.#place(doc, change.action === 'move' ? change.to : change.at, change.after),
      ),
      h('span', { class: 'help' }, shown.history.when(change)),
      button(undone ? shown.history.redo : shown.edits.undo, () => act(undone ? 'redo' : 'undo'), {
        class: 'small',
        'aria-label': `${undone ? shown.history.redo : shown.edits.undo}: ${what} ${change.after}`,
      }),
      last
        ? null
        : button(shown.history.back, () => act('back'), {
            class: 'small',
            'aria-label': `${shown.history.back}: ${what} ${change.after}`,
          }),
    );
  }

  #place(doc: Doc, at: number, text: string): HTMLButtonElement {
    const go = button(
      '',
      () =>
        void this.#session.reveal({ doc, start: at, end: at + MARKED, page: '', marks: [], passage: null, focus: 0 }),
      { class: 'link place' },
    );
    setText(go, shown.history.place(text));
    return go;
  }
}
