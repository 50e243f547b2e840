// The dialog of keys.

import { frame, result } from '../ground/dialog-frame.ts';
import { button, h } from '../ground/dom.ts';
import { visits as words } from '../words/en/visits.ts';

/** Lists all keys, unless a dialog is open. It also offers the tour. */
export function showKeys(tour: () => void): void {
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
  const dialog = frame(words.keys.title, words.keys.close, null, take, h('dl', { class: 'keys' }, ...rows));
  void result(dialog, () => '');
}
