// The controls in the row of a document: its progress with Stop, another try, its password.

import { button, h, setAttribute, setText } from '../ground/dom.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';
import { EncodingChoice, hasEncoding } from './encoding.ts';
import { fileOf } from './folder-rows.ts';
import { canRetry, readsAnyway } from './states.ts';
import { UnlockForm } from './unlock.ts';

export const needsControls = (doc: Doc): boolean =>
  doc.stop !== null || canRetry(doc) || doc.state === 'locked' || hasEncoding(doc);

export class FolderControls {
  readonly #doc: Doc;
  readonly #into: HTMLElement;
  readonly #leave: () => void;
  readonly #bar = h('progress');
  readonly #stop: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly #unlock: UnlockForm;
  readonly #encoding: EncodingChoice;

  /** The controls go to the end of `into`. `leave` moves the focus when one goes. */
  constructor(doc: Doc, session: Session, into: HTMLElement, leave: () => void) {
    this.#doc = doc;
    this.#into = into;
    this.#leave = leave;
    this.#stop = button(strings.documents.stop, () => session.stop(doc), { class: 'small' });
    this.#retry = button(
      '',
      () => {
        if (readsAnyway(doc)) doc.anyText = true;
        session.retry(doc);
      },
      { class: 'small' },
    );
    this.#unlock = new UnlockForm(session, leave);
    this.#encoding = new EncodingChoice(session);
  }

  update(): void {
    const doc = this.#doc;
    const { progress } = doc;
    const name = fileOf(doc);
    setAttribute(this.#bar, 'aria-label', strings.documents.progressOf(name));
    if (progress && progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = progress.done;
    } else this.#bar.removeAttribute('value');
    setAttribute(this.#stop, 'aria-label', strings.documents.stopNamed(name));
    const { readAnyway, readAnywayNamed, retry, retryNamed } = strings.documents;
    setText(this.#retry, readsAnyway(doc) ? readAnyway : retry);
    setAttribute(this.#retry, 'aria-label', (readsAnyway(doc) ? readAnywayNamed : retryNamed)(name));
    this.#unlock.update(doc);
    this.#encoding.update(doc);
    this.#have(this.#bar, doc.stop !== null);
    this.#have(this.#stop, doc.stop !== null);
    this.#have(this.#retry, canRetry(doc));
    this.#have(this.#unlock.element, !this.#unlock.element.hidden);
    this.#have(this.#encoding.element, !this.#encoding.element.hidden);
  }

  focusPassword(): void {
    this.#unlock.focus();
  }

  #have(control: HTMLElement, on: boolean): void {
    if (on === this.#into.contains(control)) return;
    if (on) this.#into.append(control);
    else {
      const focused = control.contains(document.activeElement);
      control.remove();
      if (focused) this.#leave();
    }
  }
}
