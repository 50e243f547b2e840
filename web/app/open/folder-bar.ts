// The bar below the list of all documents: actions for the chosen ones.

import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { button, h, setText } from '../ground/dom.ts';
import { Menu } from '../ground/menu.ts';
import type { NoticeAction } from '../ground/notice.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { explained } from '../words/en/page.ts';
import { folder as words } from '../words/en/folder.ts';
import { chunksOf } from './folder-rows.ts';
import { FolderTags } from './folder-tags.ts';
import { JOINED, saveAll, type Joined } from './folder-save.ts';

export interface BarOptions {
  session: Session;
  engine: EngineClient;
  /** The chosen documents, in the order shown. */
  chosen: () => readonly Doc[];
  search: (docs: readonly Doc[]) => void;
  remove: (docs: readonly Doc[]) => void;
  tagged: (text: string, undo: NoticeAction) => void;
  say: (text: string) => void;
}

const key = (name: string, does: string) => [h('kbd', {}, name), ` ${does}`];

export class FolderBar {
  readonly #options: BarOptions;
  readonly #count = h('b');
  readonly #chunks = h('span', { class: 'soft' });
  readonly #search: HTMLButtonElement;
  readonly #tags: FolderTags;
  readonly #actions: HTMLElement;
  readonly #note = h('span', { class: 'soft note' });
  readonly element: HTMLElement;
  #saving = false;

  constructor(options: BarOptions) {
    this.#options = options;
    const { session, chosen, search, remove, tagged } = options;
    this.#search = button(words.search, () => search(chosen()), { class: 'small' });
    const save = new Menu({
      id: 'save-chosen',
      opener: [words.save, 'list'],
      title: words.saveTitle,
      items: JOINED.map((format) => button(words.formats[format], () => void this.#save(format))),
      hint: `${words.saveTitle}. ${words.saveHint}`,
    });
    this.#tags = new FolderTags({ session, chosen, tagged });
    this.#actions = h(
      'div',
      { class: 'chosen' },
      this.#count,
      this.#chunks,
      this.#search,
      this.#tags.element,
      save.element,
      button(words.remove, () => remove(chosen()), { class: 'small' }),
    );
    const { move, choose, open } = words.keys;
    this.element = h(
      'div',
      { class: 'folder-bar' },
      this.#actions,
      this.#note,
      h(
        'span',
        { class: 'soft keys-hint' },
        ...key('↑', ''),
        ...key('↓', move),
        ', ',
        ...key(words.space, choose),
        ', ',
        ...key(words.enter, open),
      ),
    );
    this.update();
  }

  update(): void {
    const docs = this.#options.chosen();
    this.#actions.hidden = docs.length === 0;
    setText(this.#count, words.chosen(docs.length));
    setText(this.#chunks, words.chunks(docs.reduce((sum, doc) => sum + chunksOf(doc), 0)));
    this.#tags.update();
    this.#search.hidden = !docs.some(({ state }) => state === 'ready' || state === 'kept');
    if (!this.#saving) setText(this.#note, '');
  }

  async #save(format: Joined): Promise<void> {
    if (this.#saving) return;
    this.#saving = true;
    const { session, engine, chosen, say } = this.#options;
    const end = (text: string) => {
      setText(this.#note, text);
      say(text);
    };
    try {
      end(await saveAll(session, engine, chosen(), format, (text) => setText(this.#note, text)));
    } catch (cause) {
      end(explained(SeamError.from(cause)));
    } finally {
      this.#saving = false;
    }
  }
}
