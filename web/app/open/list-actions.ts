// The actions next to the title of the document list: open more, and remove all.

import { button } from '../ground/dom.ts';
import { Menu } from '../ground/menu.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

/**
 * The buttons in `ways`, and the actions in `first` that a first visit offers, become menu
 * items.
 */
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
      opener: [shown.add.open, 'plus'],
      title: shown.add.title,
      items,
      hint: shown.add.also,
      class: 'link add',
    }).element,
  ];
}
