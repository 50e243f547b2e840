// The common parts of all dialogs: a title, two buttons, an answer.

import { button, h } from './dom.ts';

/** Creates a dialog with a form. Without `no`, it has one button only, and Escape closes it. */
export function frame(title: string, yes: string, no: string | null, ...content: Node[]): HTMLDialogElement {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const form = h(
    'form',
    {},
    h('h2', { id: 'dialog-title' }, title),
    ...content,
    h(
      'div',
      { class: 'bar' },
      no === null ? null : button(no, () => dialog.close(), { class: 'plain' }),
      h('button', { type: 'submit', class: 'primary' }, yes),
    ),
  );
  dialog.append(form);
  return dialog;
}

/** Shows the dialog and resolves once it is closed in any way. */
export function result(dialog: HTMLDialogElement, value: () => string): Promise<string | null> {
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
