// Beside the title of the list of documents: the ways to open more, and to remove all.

import { button } from './dom.ts';
import { Menu } from './menu.ts';
import type { Session } from './session.ts';
import { shown } from './strings-views.ts';

/** `ways` are buttons, which become the items of a menu. */
export function listActions(session: Session, ways: readonly HTMLButtonElement[]): HTMLElement[] {
  const all = button(shown.add.removeAll, () => session.removeAll(), { class: 'link', hidden: true });
  session.on('documents', () => { all.hidden = session.docs.length < 2; });
  return [all, new Menu({ id: 'add', label: shown.add.open, title: shown.add.title, items: ways, hint: shown.add.also, class: 'link add' }).element];
}
