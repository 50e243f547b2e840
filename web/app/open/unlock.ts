// The line that asks for the password of a locked document, in its row. Other files are read
// meanwhile.

import type { Doc } from '../session/doc.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';

export class UnlockForm {
  readonly #field = h('input', { type: 'password', autocomplete: 'off', required: true });
  readonly #open = button(strings.documents.unlock, () => this.element.requestSubmit(), { class: 'small' });
  readonly #leave: () => void;
  #doc: Doc | null = null;
  /** Whether a password of this form is being tried. */
  #tried = false;
  readonly element = h('form', { class: 'unlock', hidden: true }, this.#field, this.#open);

  /** `leave` moves the focus when the form goes. */
  constructor(session: Session, leave: () => void) {
    this.#leave = leave;
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#doc?.state !== 'locked' || !this.#field.value) return;
      this.#tried = true;
      this.#field.focus();
      session.unlock(this.#doc, this.#field.value);
    });
    this.#field.addEventListener('focus', () => session.settle()); // no other document may take its place
  }

  /** Moves the focus to the field. */
  focus(): void {
    this.#field.focus();
  }

  update(doc: Doc): void {
    if (this.#doc !== doc) this.#field.value = '';
    this.#doc = doc;
    const focused = this.element.contains(document.activeElement);
    const hidden = doc.state !== 'locked' && !doc.trying;
    if (hidden) this.#field.value = '';
    else if (this.#tried && doc.wrong) this.#field.select();
    if (!doc.trying) this.#tried = false;
    this.#field.readOnly = doc.trying;
    setAttribute(this.#field, 'aria-label', strings.documents.passwordOf(doc.name));
    setAttribute(this.#field, 'aria-invalid', doc.wrong ? 'true' : null);
    setAttribute(this.#open, 'aria-label', strings.documents.unlockNamed(doc.name));
    setText(this.#open, strings.documents.unlock);
    this.element.hidden = hidden;
    if (focused && hidden) this.#leave();
  }
}

/** Announces each locked document once, and each wrong password. */
export function announceLocks(session: Session, say: (text: string) => void): void {
  const known = new Map<Doc, boolean>();
  session.on('documents', (docs) => {
    const locked = docs.filter(({ state }) => state === 'locked');
    for (const doc of known.keys()) if (!locked.includes(doc) && !doc.trying) known.delete(doc);
    const fresh = locked.filter((doc) => !known.has(doc));
    const wrong = locked.find((doc) => doc.wrong && known.get(doc) === false);
    const [only] = fresh;
    if (wrong) say(strings.said.wrong(wrong.name));
    else if (only) say(locked.length === 1 ? strings.said.locked(only.name) : strings.said.lockedMany(locked.length));
    for (const doc of locked) known.set(doc, doc.wrong);
    for (const doc of known.keys()) if (doc.trying) known.set(doc, false);
  });
}
