// Dialogs: a password, a text to paste, the list of keys.

import { button, h, setText } from './dom.ts';
import { strings } from './strings.ts';

/** Asks for the password of a PDF; null when it is cancelled. */
export function askPassword(name: string, wrong: boolean): Promise<string | null> {
  const input = h('input', { type: 'password', id: 'password', autocomplete: 'off', required: true });
  const note = h('p', { class: 'error', id: 'password-note', role: 'alert' });
  const dialog = frame(strings.password.title, strings.password.open, strings.password.cancel,
    h('p', {}, strings.password.ask(name)),
    h('div', { class: 'field' }, h('label', { for: 'password' }, strings.password.label), input), note);
  const answer = result(dialog, () => input.value);
  if (wrong) {
    setText(note, strings.password.wrong);
    input.setAttribute('aria-describedby', 'password-note');
  }
  input.focus();
  return answer;
}

/** Asks for a text; null when it is cancelled. */
export function askText(): Promise<string | null> {
  const area = h('textarea', { id: 'paste', rows: 12, required: true });
  const dialog = frame(strings.pasteDialog.title, strings.pasteDialog.open, strings.pasteDialog.cancel,
    h('div', { class: 'field' }, h('label', { for: 'paste' }, strings.pasteDialog.label), area));
  const answer = result(dialog, () => area.value);
  area.focus();
  return answer;
}

/** Lists all keys; once, however often it is asked for. */
export function showKeys(): void {
  if (document.querySelector('dialog[open]')) return;
  const rows = strings.keys.list.flatMap(([keys, what]) => [
    h('dt', {}, ...keys.flatMap((key, i) => [i > 0 ? ' ' : null, h('kbd', {}, key)])),
    h('dd', {}, what),
  ]);
  void result(frame(strings.keys.title, strings.keys.close, null, h('dl', { class: 'keys' }, ...rows)), () => '');
}

function frame(title: string, yes: string, no: string | null, ...content: Node[]): HTMLDialogElement {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const form = h('form', {}, h('h2', { id: 'dialog-title' }, title), ...content,
    h('div', { class: 'bar' },
      no === null ? null : button(no, () => dialog.close(), { class: 'plain' }),
      h('button', { type: 'submit', class: 'primary' }, yes)));
  dialog.append(form);
  return dialog;
}

/** Shows the dialog; resolves once it is closed, by whatever means. */
function result(dialog: HTMLDialogElement, value: () => string): Promise<string | null> {
  return new Promise((resolve) => {
    let answer: string | null = null;
    dialog.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      answer = value();
      dialog.close();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
