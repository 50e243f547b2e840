// Below the list of documents: asks once whether files are kept too, when there is the first
// PDF, and warns before the browser's storage is full.

import { button, h } from '../ground/dom.ts';
import { bytesOf } from './database.ts';
import type { Doc } from '../session/doc.ts';
import { filesAnswered, keeping, keepingFiles, setKeepingFiles } from '../session/memory.ts';
import type { Session } from '../session/session.ts';
import { storageUse } from './storage.ts';
import { kept as words } from '../words/en/kept.ts';

/** The share of the browser's storage above which it counts as nearly full. */
const NEARLY_FULL = 0.8;

export interface RoomViewOptions {
  session: Session;
  /** Keeps the files of the open documents. */
  keep: () => void;
  /** Deletes the kept files, but not the documents. */
  drop: () => void;
  manage: () => void;
  say: (text: string) => void;
}

const bytesKept = ({ kept }: Doc): number => (kept?.record ? bytesOf(kept.record) : 0);

/** Whether a document is kept, and its file is known but not kept. */
const lacksFile = ({ source, kept }: Doc): boolean =>
  source !== null && kept?.state === 'saved' && !kept.record?.original;

const isPdf = ({ name }: Doc): boolean => name.toLowerCase().endsWith('.pdf');

export class RoomView {
  readonly #options: RoomViewOptions;
  readonly #question = h('div', { class: 'room', hidden: true });
  readonly #full = h('div', { class: 'room', hidden: true });
  readonly element = h('div', {}, this.#question, this.#full);

  /** The size of the kept documents when the storage was last measured. */
  #kept = -1;

  constructor(options: RoomViewOptions) {
    this.#options = options;
    // At the end of a press: a button that moves before it gets no click.
    for (const event of ['click', 'keyup']) addEventListener(event, () => this.#touch(), { passive: true });
  }

  /** Whether the user has pressed something since there was a file to keep: nothing may move by itself. */
  #touched = false;

  #touch(): void {
    if (this.#touched) return;
    this.#touched = this.#options.session.docs.some(lacksFile);
    if (this.#touched) this.#ask();
  }

  update(): void {
    this.#ask();
    void this.#warn().catch(() => undefined); // some browsers do not say how much room there is
  }

  /** Shows a text with its actions, or hides it if the text is empty. */
  #show(place: HTMLElement, text: string, ...actions: [string, () => void][]): void {
    if (place.dataset['text'] === text) return;
    place.dataset['text'] = text;
    place.hidden = !text;
    place.replaceChildren(
      h('p', {}, text),
      h('div', { class: 'bar' }, ...actions.map(([label, act]) => button(label, act, { class: 'link' }))),
    );
    if (text) this.#options.say(text);
  }

  #ask(): void {
    const docs = !keeping() || filesAnswered() ? [] : this.#options.session.docs.filter(lacksFile);
    const asks = this.#touched && docs.some(isPdf);
    const bytes = docs.reduce((sum, { size }) => sum + size, 0);
    const answer = (yes: boolean) => () => {
      setKeepingFiles(yes);
      if (yes) this.#options.keep();
      this.#ask();
    };
    this.#show(
      this.#question,
      !asks ? '' : words.fileQuestion(docs.length, bytes),
      [words.fileYes, answer(true)],
      [words.fileNo, answer(false)],
    );
  }

  async #warn(): Promise<void> {
    const kept = this.#options.session.docs.reduce((sum, doc) => sum + bytesKept(doc), 0);
    if (kept === this.#kept) return;
    this.#kept = kept;
    const { used, granted } = await storageUse();
    const files = this.#options.session.docs.reduce((sum, { kept }) => sum + (kept?.record?.original?.bytes ?? 0), 0);
    const full = granted > 0 && used > NEARLY_FULL * granted;
    const drop = () => {
      setKeepingFiles(false);
      this.#options.drop();
    };
    this.#show(
      this.#full,
      full ? words.nearlyFull(used, granted) : '',
      ...(full && keepingFiles() && files > 0 ? [[words.dropFiles(files), drop] as [string, () => void]] : []),
      [words.manage, this.#options.manage],
    );
  }
}
