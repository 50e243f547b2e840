// What all dialogs have: a title, two buttons, an answer.

import { button, h } from './dom.ts';

/** A dialog with a form; without `no` it can only be agreed to, or left by Escape. */
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

/** Shows the dialog; resolves once it is closed, by whatever means. */
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
