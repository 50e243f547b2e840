// Changes boundaries by hand, one at a time, and shows the number of changes with Undo,
// Redo and Clear.

import type { Opened } from '../../lib/api.ts';
import type { Change } from '../../lib/cut.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { AUTHOR, remembered } from '../ground/remembered.ts';
import type { Session } from '../session/session.ts';
import { explained } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

export class Editor {
  readonly #session: Session;
  readonly #say: (text: string) => void;
  readonly #count = h('span');
  readonly #buttons = {
    undo: button(shown.edits.undo, () => this.#press('undo'), { class: 'link' }),
    redo: button(shown.edits.redo, () => this.#press('redo'), { class: 'link' }),
    clear: button(shown.edits.clear, () => this.#press('clear'), { class: 'link' }),
  };
  readonly #line = h('p', { class: 'by-hand', hidden: true }, this.#count, ...Object.values(this.#buttons));
  readonly #held = h('p', { class: 'hint', hidden: true });
  readonly #refused = h('p', { class: 'error', role: 'alert', hidden: true });
  readonly #news = h('p', { class: 'hint', hidden: true });
  readonly element = h('div', {}, this.#news, this.#line, this.#held, this.#refused);
  readonly #told = new WeakSet<Opened>();
  #queue = Promise.resolve();

  constructor(session: Session, say: (text: string) => void) {
    this.#session = session;
    this.#say = say;
    session.on('selected', () => this.#show());
    session.on('chunked', () => this.#show());
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#tell(doc);
    });
    document.addEventListener('keydown', (event) => this.#key(event));
    // Changes, questions and statements that are not kept exist in this tab only.
    addEventListener('beforeunload', (event) => {
      if (
        session.docs.some(
          ({ chunking, kept, questions, statements }) =>
            kept?.state !== 'saved' &&
            (questions.length > 0 || statements.length > 0 || (chunking?.result.edits.count ?? 0) > 0),
        )
      )
        event.preventDefault();
    });
  }

  /**
   * Queues a change of the shown document. `change` receives the chunks at that time, and
   * `then` returns a sentence about the result.
   */
  run(change: (chunking: Chunking) => Change | null, then?: (chunking: Chunking) => string): Promise<void> {
    const doc = this.#session.selected; // the selection may change before that
    this.#queue = this.#queue.then(() => this.#run(doc, change, then));
    return this.#queue;
  }

  async #run(
    doc: Doc | null,
    change: (chunking: Chunking) => Change | null,
    then?: (chunking: Chunking) => string,
  ): Promise<void> {
    if (!doc?.chunking || !this.#session.docs.includes(doc)) return;
    try {
      await this.#session.refresh(doc);
      const todo = change(doc.chunking);
      if (!todo) return;
      const by = remembered(AUTHOR);
      await this.#session.edit(doc, by ? { ...todo, by } : todo);
      if (then && doc === this.#session.selected) this.#say(then(doc.chunking));
    } catch (cause) {
      if (doc !== this.#session.selected) return; // the target would be unclear there
      setText(this.#refused, explained(SeamError.from(cause)));
      this.#refused.hidden = false;
      this.#refused.scrollIntoView({ block: 'nearest' }); // the card may be far down the list
    }
  }

  #show(): void {
    const {
      count = 0,
      held = 0,
      canUndo = false,
      canRedo = false,
    } = this.#session.selected?.chunking?.result.edits ?? {};
    this.#line.hidden = !canUndo && !canRedo && count === 0;
    setText(this.#count, shown.edits.count(count));
    setText(this.#held, shown.edits.held(held));
    this.#held.hidden = held === 0;
    this.#refused.hidden = true;
    // Not `disabled`, so a focused button keeps the focus.
    const { undo, redo, clear } = this.#buttons;
    for (const [each, on] of [
      [undo, canUndo],
      [redo, canRedo],
      [clear, count > 0],
    ] as const)
      setAttribute(each, 'aria-disabled', on ? null : 'true');
  }

  /** Shows how much was new in another version of a file, or in another reading of it, until the document is cut again. */
  #tell({ opened, chunking, reread }: Doc): void {
    const news = opened && chunking && opened.lost !== null && !this.#told.has(opened);
    this.#news.hidden = !news;
    if (!news) return;
    this.#told.add(opened);
    const { embedded, reused } = chunking.result;
    setText(this.#news, shown.edits.version(reread, embedded, embedded + reused, opened.lost ?? 0));
    this.#say(this.#news.textContent ?? '');
  }

  #press(action: 'undo' | 'redo' | 'clear'): void {
    // Whether there is something to undo is known only when its turn comes.
    void this.run(
      ({
        result: {
          edits: { count, canUndo, canRedo },
        },
      }) => ({ undo: canUndo, redo: canRedo, clear: count > 0 })[action] ? { action } : null,
      ({ result }) => shown.edits.count(result.edits.count),
    );
  }

  #key(event: KeyboardEvent): void {
    const key = event.key?.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y') || this.#line.hidden) return;
    if (
      event.target instanceof Element &&
      event.target.closest('input:not([type=range]), textarea, select, [contenteditable], dialog')
    )
      return;
    event.preventDefault();
    this.#press(key === 'y' || event.shiftKey ? 'redo' : 'undo');
  }
}
