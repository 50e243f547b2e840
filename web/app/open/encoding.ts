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

/** Whether another encoding can be chosen for the text. A text of an earlier visit has no file to read again. */
export const hasEncoding = ({ state, error, opened, source }: Doc): boolean =>
  state === 'failed'
    ? error?.code === UNCLEAR
    : state === 'ready' && source !== null && (opened?.notes ?? []).some((note) => NOTE.test(note));

export class EncodingChoice {
  #doc: Doc | null = null;
  readonly #select = h('select', {});
  readonly element = h('div', { class: 'work encoding', hidden: true }, this.#select);

  constructor(session: Session) {
    this.#select.addEventListener('change', () => {
      if (this.#doc) session.reread(this.#doc, this.#select.value);
    });
  }

  update(doc: Doc): void {
    this.#doc = doc;
    this.element.hidden = !hasEncoding(doc);
    if (this.element.hidden) return;
    // Few of the rows of a long list need the names.
    if (this.#select.options.length === 0)
      this.#select.append(...['', ...ENCODINGS].map((name) => h('option', { value: name }, name)));
    const [found] = this.#select.options;
    if (found) setText(found, strings.documents.encodingFound);
    setAttribute(this.#select, 'aria-label', strings.documents.encodingOf(doc.name));
    this.#select.value = doc.encoding;
  }
}
