// The choice of a language: among the keys, and at the foot of the settings. The page is
// loaded again for it, at once where nothing is lost by that.

import { button, h, setText } from '../ground/dom.ts';
import { language } from '../words/language.ts';
import { LANGUAGE, LANGUAGES } from '../words/choice.ts';
import { remember } from '../ground/remembered.ts';
import type { Session } from '../session/session.ts';
import { choice as words } from '../words/en/language.ts';

/** Set while the page is loaded again: then it says in which language it is. */
export const CHOSEN = 'seam.language-chosen';

/** `id` tells it from another one on the page. */
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
      // then nothing says so
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

/** What loading the page again would end: work that is under way, or documents and changes that are nowhere else. */
function atRisk({ docs }: Session): { lost: boolean; busy: boolean } {
  const busy = docs.some(
    ({ state, progress, stop, kept }) =>
      state === 'queued' || state === 'reading' || stop || progress || kept?.state === 'saving',
  );
  const lost =
    docs.some(({ state, kept }) => state !== 'failed' && kept?.state !== 'saved') ||
    !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  return { busy, lost: lost && !busy };
}
