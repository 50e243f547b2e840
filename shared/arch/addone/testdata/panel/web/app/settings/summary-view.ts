// The method in use, in one line.

import { h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { settings as words } from '../words/en/settings.ts';

export class SummaryView {
  readonly element = h('p', { class: 'help', id: 'summary' });

  constructor(session: Session) {
    const show = () => setText(this.element, words.summary(session.choices.method?.label ?? ''));
    session.on('settings', show);
    show();
  }
}
