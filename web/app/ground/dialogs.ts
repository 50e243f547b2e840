// Dialogs for a password and for text to paste. They are in the first bundle because the
// user may type immediately.

import { frame, result } from './dialog-frame.ts';
import { h, setText } from './dom.ts';
import { strings as words } from '../words/en/page.ts';

/** Asks for a password; resolves to null if the user declines. */
export type AskPassword = (name: string, wrong: boolean) => Promise<string | null>;

/** Asks for the password of a PDF whose pages are drawn. */
export const askPassword: AskPassword = (name, wrong) => {
  const input = h('input', { type: 'password', id: 'password', autocomplete: 'off', required: true });
  const note = h('p', { class: 'error', id: 'password-note', role: 'alert' });
  const dialog = frame(
    words.password.title,
    words.password.open,
    words.password.cancel,
    h('p', {}, words.password.ask(name)),
    h('div', { class: 'field' }, h('label', { for: 'password' }, words.password.label), input),
    note,
  );
  const answer = result(dialog, () => input.value);
  if (wrong) {
    setText(note, words.password.wrong);
    input.setAttribute('aria-describedby', 'password-note');
  }
  input.focus();
  return answer;
};

/** Asks for a text; resolves to null on cancel. */
export function askText(): Promise<string | null> {
  const area = h('textarea', { id: 'paste', rows: 12, required: true });
  const dialog = frame(
    words.pasteDialog.title,
    words.pasteDialog.open,
    words.pasteDialog.cancel,
    h('div', { class: 'field' }, h('label', { for: 'paste' }, words.pasteDialog.label), area),
  );
  const answer = result(dialog, () => area.value);
  area.focus();
  return answer;
}
