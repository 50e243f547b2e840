// The choice of a text's encoding, in its row: where it was assumed, or is not clear.

import { h, setAttribute, setText } from '../ground/dom.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';

const UNCLEAR = 'encoding';

/** Common encodings by their names in the Encoding Standard. */
const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'gb18030',
  'big5',
];

/** How the engine's notes about an encoding begin. */
const NOTE = /^(not UTF-8, read as|read as|some bytes are no)/;
/** The note about an encoding that the user chose, perhaps on an earlier visit. */
const CHOSEN = /^read as (\S+), as chosen/;
/** The notes about text that nobody sees. */
const HIDDEN = /^hidden text is (left out|in) /;

/** Whether there is a file to read again. Of a text of an earlier visit, it may be kept. */
const isThere = ({ source, kept }: Doc): boolean => source !== null || Boolean(kept?.record?.original);

const noted = ({ state, opened }: Doc, note: RegExp): boolean =>
  state === 'ready' && (opened?.notes ?? []).some((each) => note.test(each));

const hasNames = (doc: Doc): boolean =>
  doc.state === 'failed' ? doc.error?.code === UNCLEAR : noted(doc, NOTE) && isThere(doc);

const hasHidden = (doc: Doc): boolean => noted(doc, HIDDEN) && isThere(doc);

/** Whether a document can be read in another way. */
export const hasEncoding = (doc: Doc): boolean => hasNames(doc) || hasHidden(doc);

export class EncodingChoice {
  readonly #session: Session;
  #doc: Doc | null = null;
  readonly #select = h('select', {});
  readonly #hidden = h('input', { type: 'checkbox' });
  readonly #label = h('label', {}, this.#hidden, ` ${strings.documents.hiddenText}`);
  readonly #lost = h('span', { class: 'hint', hidden: true }, strings.documents.fileGone);
  readonly element = h('div', { class: 'work encoding', hidden: true }, this.#select, this.#label, this.#lost);

  constructor(session: Session) {
    this.#session = session;
    this.#select.addEventListener('change', () => this.#read({ encoding: this.#select.value }));
    this.#hidden.addEventListener('change', () => this.#read({ hiddenText: this.#hidden.checked }));
  }

  /** Reads the document in the chosen way, or says that its file is gone. */
  #read(how: Partial<Pick<Doc, 'encoding' | 'hiddenText'>>): void {
    const doc = this.#doc;
    if (!doc) return;
    void this.#session.reread(doc, how).then((read) => {
      this.#lost.hidden = read;
      if (!read) this.update(doc);
    });
  }

  update(doc: Doc): void {
    if (this.#doc !== doc) this.#lost.hidden = true;
    this.#doc = doc;
    this.element.hidden = !hasEncoding(doc);
    if (this.element.hidden) return;
    const { documents } = strings;
    this.#label.hidden = !hasHidden(doc);
    this.#hidden.checked = noted(doc, /^hidden text is in /);
    setAttribute(this.#hidden, 'aria-label', documents.hiddenTextOf(doc.name));
    this.#select.hidden = !hasNames(doc);
    if (this.#select.hidden) return;
    // Few of the rows of a long list need the names.
    if (this.#select.options.length === 0)
      this.#select.append(...['', ...ENCODINGS].map((name) => h('option', { value: name }, name)));
    const [found] = this.#select.options;
    if (found) setText(found, documents.encodingFound);
    setAttribute(this.#select, 'aria-label', documents.encodingOf(doc.name));
    const chosen = doc.opened?.notes.map((note) => CHOSEN.exec(note)?.[1]).find(Boolean);
    this.#select.value = doc.encoding || (chosen ?? '');
  }
}
