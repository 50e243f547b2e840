// The choice of a language, in the menu and below the settings. It reloads the
// page, immediately if nothing would be lost.

import { atRisk } from '../session/at-risk.ts';
import { button, h, setText } from '../ground/dom.ts';
import { language } from '../words/language.ts';
import { LANGUAGE, LANGUAGES } from '../words/choice.ts';
import { remember } from '../ground/remembered.ts';
import type { Session } from '../session/session.ts';
import { choice as words } from '../words/en/language.ts';

/** Set during the reload, so the page can announce its language afterwards. */
export const CHOSEN = 'seam.language-chosen';

/** `id` must be unique on the page. */
export function languageChoice(session: Session, id: string): HTMLElement {
  const select = h(
    'select',
    { id },
    ...Object.entries(LANGUAGES).map(([value, name]) => h('option', { value, lang: value }, name)),
  );
  select.value = language;
  const why = h('span');
  const go = () => {
    remember(LANGUAGE, select.value);
    try {
      sessionStorage.setItem(CHOSEN, '1');
    } catch {
      // then the language is not announced
    }
    location.reload();
  };
  const load = button(words.load, go, { class: 'link' });
  const stay = button(
    words.stay,
    () => {
      select.value = language;
      note.hidden = true;
      select.focus();
    },
    { class: 'link' },
  );
  const note = h('p', { class: 'help', role: 'alert', hidden: true }, why, ' ', load, ' ', stay);
  select.addEventListener('change', () => {
    const { lost, busy } = atRisk(session);
    note.hidden = !(lost || busy) || select.value === language;
    load.hidden = busy;
    setText(why, busy ? words.busy : words.lost);
    if (select.value !== language && note.hidden) go();
  });
  return h(
    'div',
    { class: 'language' },
    h('div', { class: 'field inline' }, h('label', { for: id }, words.label), select),
    note,
  );
}
