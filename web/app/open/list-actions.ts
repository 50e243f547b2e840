// Beside the title of the list of documents: the ways to open more, and to remove all.

import { button } from '../ground/dom.ts';
import { Menu } from '../ground/menu.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

/** `ways` are buttons, which become the items of a menu, as does `first`: what a first visit has. */
export function listActions(
  session: Session,
  ways: readonly HTMLButtonElement[],
  first: { gallery: () => void; tour: () => void },
): HTMLElement[] {
  const all = button(shown.add.removeAll, () => session.removeAll(), { class: 'link', hidden: true });
  session.on('documents', () => {
    all.hidden = session.docs.length < 2;
  });
  const items = [...ways, button(shown.add.examples, first.gallery), button(shown.add.tour, first.tour)];
  return [
    all,
    new Menu({
      id: 'add',
      label: shown.add.open,
      icon: 'plus',
      title: shown.add.title,
      items,
      hint: shown.add.also,
      class: 'link add',
    }).element,
  ];
}
