// Lists the files attached to the shown PDF. Each opens as a document of its own.

import { SeamError } from '../../lib/seam-error.ts';
import type { PdfClient } from '../../lib/workers.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

/** A line of more would fill the screen. */
const MOST = 10;

export class AttachedView {
  readonly #session: Session;
  readonly #pdf: PdfClient;
  readonly #files = h('span');
  readonly #status = h('span', { role: 'alert' });
  readonly element = h('p', { class: 'attached', hidden: true }, this.#files, this.#status);
  #shown: Doc | null = null;

  constructor(session: Session, pdf: PdfClient) {
    this.#session = session;
    this.#pdf = pdf;
    for (const event of ['selected', 'chunked', 'documents'] as const) session.on(event, () => this.#update());
  }

  #update(): void {
    const doc = this.#session.selected;
    const list = doc?.chunking?.text.attachments ?? [];
    this.element.hidden = list.length === 0;
    if (doc === this.#shown && list.length > 0 && this.#files.hasChildNodes()) return;
    this.#shown = list.length > 0 ? doc : null;
    setText(this.#status, '');
    if (!doc) return this.#files.replaceChildren();
    const named = list
      .slice(0, MOST)
      .map(({ name }) =>
        doc.source
          ? button(name, () => void this.#open(doc, name), { class: 'link', dir: 'auto' })
          : h('bdi', {}, name),
      );
    const left = list.length - named.length;
    const parts = [...named, ...(left > 0 ? [shown.attached.more(left)] : [])];
    this.#files.replaceChildren(
      `${shown.attached.files(list.length)} `,
      ...parts.flatMap((part, i) => (i > 0 ? [', ', part] : [part])),
      doc.source ? '' : `. ${shown.attached.again(doc.name)}`,
    );
  }

  /** Opens an attached file. Its name says where it is from. */
  async #open(doc: Doc, name: string): Promise<void> {
    try {
      if (!doc.source) throw new SeamError('unreadable', shown.attached.again(doc.name));
      const { blobs } = await this.#pdf.call(
        'attached',
        { name, password: doc.password },
        { blobs: [await doc.source.arrayBuffer()] },
      );
      const [bytes = new ArrayBuffer(0)] = blobs;
      await this.#session.add([{ name: shown.attached.name(name, doc.name), blob: new Blob([bytes]) }]);
    } catch (cause) {
      const { message, hint } = SeamError.from(cause);
      if (this.#shown === doc)
        setText(this.#status, ` ${shown.attached.failed(name, [message, hint].filter(Boolean).join('. '))}`);
    }
  }
}
