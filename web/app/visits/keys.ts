// The dialog of keys.

import { frame, result } from '../ground/dialog-frame.ts';
import { button, h } from '../ground/dom.ts';
import { languageChoice } from '../settings/language-choice.ts';
import type { Session } from '../session/session.ts';
import { visits as words } from '../words/en/visits.ts';

/** Lists all keys, unless a dialog is open. It also offers the tour and a choice of language. */
export function showKeys(session: Session, tour: () => void): void {
  if (document.querySelector('dialog[open]')) return;
  const rows = words.keys.list.flatMap(([keys, what]) => [
    h('dt', {}, ...keys.flatMap((key, i) => [i > 0 ? ' ' : null, h('kbd', {}, key)])),
    h('dd', {}, what),
  ]);
  const take = button(
    words.keys.tour,
    () => {
      dialog.close();
      tour();
    },
    { class: 'link' },
  );
  // The first element gets the focus, so that the list starts at its top.
  const dialog = frame(
    words.keys.title,
    words.keys.close,
    null,
    take,
    h('dl', { class: 'keys' }, ...rows),
    languageChoice(session, 'language-keys'),
  );
  void result(dialog, () => '');
}
