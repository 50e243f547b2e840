// The list of keys.

import { frame, result } from './dialog-frame.ts';
import { h } from './dom.ts';
import { visits as words } from './strings-visits.ts';

/** Lists all keys; once, however often it is asked for. */
export function showKeys(): void {
  if (document.querySelector('dialog[open]')) return;
  const rows = words.keys.list.flatMap(([keys, what]) => [
    h('dt', {}, ...keys.flatMap((key, i) => [i > 0 ? ' ' : null, h('kbd', {}, key)])),
    h('dd', {}, what),
  ]);
  void result(frame(words.keys.title, words.keys.close, null, h('dl', { class: 'keys' }, ...rows)), () => '');
}
