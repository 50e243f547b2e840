// The line that sums up the kept documents, and the dialog that lists them: names, dates,
// sizes, ways to delete, and whether to keep documents at all.

import { SeamError } from '../../lib/seam-error.ts';
import type { BundleSaver } from './bundle-saver.ts';
import type { Doc } from '../session/doc.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { remembered, THREAD } from '../ground/remembered.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { explained } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';
import { bytesOf, type KeptQuestion } from './database.ts';
import type { Keeper } from './keeper.ts';
import { keeping, keepingFiles, setKeeping, setKeepingFiles } from '../session/memory.ts';
import { RoomView } from './room-view.ts';
import { storageUse } from './storage.ts';
import { kept as words } from '../words/en/kept.ts';

export class KeptView {
  readonly #keeper: Keeper;
  readonly #session: Session;
  readonly #search: Search;
  readonly #saver: BundleSaver;
  readonly #saving = h('p', { class: 'help', 'aria-live': 'polite' });
  readonly #say: (text: string) => void;
  readonly #text = h('span');
  readonly #following = h('p', { class: 'following', hidden: true });
  readonly element: HTMLElement;
  readonly #room: RoomView;
  #refresh: (() => void) | null = null;

  constructor(keeper: Keeper, session: Session, search: Search, saver: BundleSaver, say: (text: string) => void) {
    this.#keeper = keeper;
    this.#session = session;
    this.#search = search;
    this.#saver = saver;
    this.#say = say;
    this.#room = new RoomView({
      session,
      keep: () => this.#keepFiles(),
      drop: () => this.#dropFiles(),
      manage: () => void this.#manage(),
      say,
    });
    this.element = h(
      'div',
      {},
      this.#following,
      this.#room.element,
      h(
        'p',
        { class: 'help kept-line' },
        this.#text,
        ' ',
        button(words.manage, () => void this.#manage(), { class: 'link', 'aria-haspopup': 'dialog' }),
      ),
    );
    session.on('documents', () => this.#update());
    session.on('selected', () => this.#update());
    search.on('asked', (question) => this.#note({ at: Date.now(), kind: 'search', question, answer: '' }));
    session.on('answered', (turn) =>
      this.#note({ at: Date.now(), kind: 'ask', question: turn.question, answer: turn.answer, turn }),
    );
    void this.#recall();
    this.#update();
  }

  #note(question: KeptQuestion): void {
    if (keeping())
      void this.#keeper
        .open()
        .then((database) => database.ask(question))
        .catch(() => undefined); // not awaited
  }

  /** Resumes the thread that was not ended. */
  async #recall(): Promise<void> {
    const thread = remembered(THREAD);
    if (!thread || !keeping()) return;
    const all = await this.#keeper
      .open()
      .then((database) => database.questions())
      .catch(() => []);
    const turns = all.flatMap(({ turn }) => (turn?.thread === thread ? turn : []));
    if (turns.length > 0) this.#search.putThread(turns.reverse());
  }

  #update(): void {
    const records = this.#session.docs.flatMap(({ kept }) => kept?.record ?? []);
    setText(
      this.#text,
      records.length > 0
        ? words.open(
            records.length,
            records.reduce((sum, record) => sum + bytesOf(record), 0),
          )
        : keeping() && !this.#session.docs.some(({ kept }) => kept?.state === 'failed')
          ? words.none
          : words.nothing,
    );
    const { selected } = this.#session;
    this.#following.hidden = !selected?.following;
    if (selected?.following && this.#following.dataset['name'] !== selected.name) {
      this.#following.dataset['name'] = selected.name;
      this.#say(words.following(selected.name));
      this.#following.replaceChildren(
        words.following(selected.name),
        ' ',
        button(
          words.lead,
          () => {
            if (this.#session.selected) this.#keeper.lead(this.#session.selected);
          },
          { class: 'link' },
        ),
      );
    }
    this.#room.update();
    this.#refresh?.();
  }

  async #manage(): Promise<void> {
    const list = h('ul', { class: 'kept-list' });
    const use = h('p', { class: 'help' });
    const keep = h('input', { type: 'checkbox', id: 'keep' });
    keep.checked = keeping();
    const sure = h('div', { class: 'bar sure', hidden: true });
    const all = button(
      words.deleteAll,
      () => {
        sure.hidden = false;
        sure.querySelector('button')?.focus();
      },
      { class: 'plain' },
    );
    const every = button(words.saveAll, () => void this.#save(words.allName, [...rows.keys()]), { class: 'plain' });
    setText(this.#saving, '');
    const asked = h('details', { class: 'asked' }, h('summary', {}, words.questions));
    const dialog = h(
      'dialog',
      { class: 'kept-dialog', 'aria-labelledby': 'kept-title' },
      h('h2', { id: 'kept-title' }, words.title),
      h('div', { class: 'check' }, keep, h('label', { for: 'keep' }, words.keep)),
      h('p', { class: 'help' }, words.keepHelp),
      this.#originals(keep),
      list,
      this.#saving,
      use,
      asked,
      sure,
      h(
        'div',
        { class: 'bar' },
        every,
        all,
        button(words.close, () => dialog.close(), { class: 'primary' }),
      ),
    );
    const rows = new Map<Doc, HTMLLIElement>();
    const doubt = h('span');
    this.#refresh = () => {
      const kept = this.#session.docs.filter((doc) => doc.kept?.record);
      for (const [doc, row] of rows)
        if (!kept.includes(doc)) {
          row.remove();
          rows.delete(doc);
        }
      for (const doc of kept)
        if (!rows.has(doc)) {
          const row = this.#row(doc);
          rows.set(doc, row);
          list.append(row);
        }
      every.disabled = all.disabled = kept.length === 0;
      setText(doubt, words.deleteAllSure(kept.length));
      this.#tellUse(use).catch(() => undefined); // then it is omitted
    };
    sure.append(
      doubt,
      button(
        words.cancel,
        () => {
          sure.hidden = true;
          all.focus();
        },
        { class: 'plain' },
      ),
      button(words.sure, () => void this.#clear(sure), { class: 'primary' }),
    );
    keep.addEventListener('change', () => {
      setKeeping(keep.checked);
      if (keep.checked) for (const doc of this.#session.docs) void this.#keeper.save(doc);
      else if (rows.size > 0) sure.hidden = false;
      this.#update();
    });
    dialog.addEventListener('close', () => {
      this.#refresh = null;
      dialog.remove();
    });
    document.body.append(dialog);
    this.#refresh();
    dialog.showModal();
    await this.#tellQuestions(asked, dialog);
  }

  /** The choice of keeping the original files too. */
  #originals(keep: HTMLInputElement): HTMLElement {
    const files = h('input', { type: 'checkbox', id: 'keep-files', 'aria-describedby': 'keep-files-help' });
    files.checked = keepingFiles();
    const follow = () => {
      files.disabled = !keep.checked;
    };
    follow();
    keep.addEventListener('change', follow);
    files.addEventListener('change', () => {
      setKeepingFiles(files.checked);
      if (files.checked) this.#keepFiles();
      else this.#dropFiles();
    });
    return h(
      'div',
      {},
      h('div', { class: 'check' }, files, h('label', { for: 'keep-files' }, words.files)),
      h('p', { class: 'help', id: 'keep-files-help' }, words.filesHelp),
    );
  }

  #keepFiles(): void {
    for (const doc of this.#session.docs) {
      if (doc.source && doc.kept?.state === 'saved') doc.kept.state = 'saving'; // until its file is
      void this.#keeper.save(doc);
    }
  }

  #dropFiles(): void {
    this.#keeper.dropOriginals().catch((cause: unknown) => {
      const why = explained(SeamError.from(cause));
      setText(this.#saving, why);
      this.#say(why);
    });
  }

  #row(doc: Doc): HTMLLIElement {
    const record = doc.kept?.record;
    const name = h('input', { type: 'text', value: doc.name, autocomplete: 'off' });
    const save = button(shown.bundles.save, () => void this.#save(doc.name, [doc]), { class: 'small' });
    const remove = button(words.delete, () => this.#session.remove(doc), { class: 'small' });
    const call = () => {
      name.value = doc.name;
      setAttribute(name, 'aria-label', words.name(doc.name));
      setAttribute(save, 'aria-label', words.saveNamed(doc.name));
      setAttribute(remove, 'aria-label', words.deleteNamed(doc.name));
    };
    call();
    name.addEventListener('change', () => {
      this.#keeper
        .rename(doc, name.value)
        .catch((cause: unknown) => setText(this.#saving, explained(SeamError.from(cause))))
        .finally(call);
    });
    return h(
      'li',
      {},
      name,
      h('span', { class: 'help' }, record ? `${words.date(record.added)} · ${words.size(bytesOf(record))}` : ''),
      save,
      remove,
    );
  }

  async #save(name: string, docs: Doc[]): Promise<void> {
    await this.#saver
      .save(name, docs, (text) => setText(this.#saving, text))
      .catch((cause: unknown) => setText(this.#saving, explained(SeamError.from(cause))));
  }

  async #tellUse(place: HTMLElement): Promise<void> {
    const storage = navigator.storage;
    const { used, granted } = await storageUse();
    const persistent = (await storage?.persisted?.()) ?? false;
    setText(
      place,
      [words.use(used, granted), persistent ? words.persistent : words.fleeting].filter(Boolean).join(' '),
    );
  }

  async #tellQuestions(place: HTMLElement, dialog: HTMLDialogElement): Promise<void> {
    const questions = await this.#keeper
      .open()
      .then((database) => database.questions())
      .catch(() => []);
    const again = (question: string) =>
      button(
        question,
        () => {
          dialog.close();
          void this.#search.ask(question);
        },
        { class: 'link', 'aria-label': words.askAgain(question) },
      );
    place.append(
      questions.length === 0
        ? h('p', { class: 'help' }, words.noQuestions)
        : h(
            'ul',
            {},
            ...questions.map(({ kind, question, answer, at }) =>
              h(
                'li',
                {},
                kind === 'search'
                  ? again(question)
                  : h('details', {}, h('summary', {}, question), h('p', { class: 'answer' }, answer)),
                ' ',
                h('span', { class: 'help' }, words.date(at)),
              ),
            ),
          ),
    );
  }

  async #clear(sure: HTMLElement): Promise<void> {
    try {
      await this.#keeper.clear();
    } catch (cause) {
      setText(this.#saving, explained(SeamError.from(cause)));
      return;
    }
    sure.hidden = true;
    this.#update();
    this.#say(words.nothing);
  }
}
