// The dialog of all methods, each with a picture, a description and its use. A bundle of
// its own, loaded by the settings on demand.

import css from '../../styles/methods.css';
import type { Method } from '../../lib/api.ts';
import { frame, result } from '../ground/dialog-frame.ts';
import { adopt, button, h } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { methods as words } from '../words/en/methods.ts';
import { PICTURES } from './pictures.ts';

adopt(css);

/** Lists the methods by group. Does nothing if the list is open. */
export function showMethods(
  session: Session,
  groups: readonly { label: string; methods: readonly Method[] }[],
  say: (text: string) => void,
): void {
  if (document.querySelector('dialog[open]')) return;
  const current = session.choices.method?.name;
  const use = ({ name, label }: Method) => {
    session.change({ method: name });
    dialog.close();
    say(words.used(label));
  };
  const parts = groups
    .filter(({ methods }) => methods.length > 0)
    .map(({ label, methods }) =>
      h(
        'section',
        {},
        label ? h('h3', {}, label) : null,
        h('ul', {}, ...methods.map((method) => card(method, method.name === current, use))),
      ),
    );
  const dialog = frame(words.title, words.close, null, h('p', {}, words.legend), ...parts);
  dialog.classList.add('methods');
  void result(dialog, () => '');
  const shown = dialog.querySelector<HTMLElement>('[aria-current]');
  shown?.focus({ preventScroll: true });
  shown?.scrollIntoView({ block: 'nearest' });
}

/** The method in use gets the focus first. */
function card(method: Method, current: boolean, use: (method: Method) => void): HTMLElement {
  const { name, label, help, needsVectors, setting } = method;
  const good = words.goodFor[name];
  return h(
    'li',
    { 'aria-current': current, tabindex: current ? -1 : null },
    PICTURES[name]?.(setting?.default ?? 0) ?? h('span'),
    h(
      'div',
      { class: 'about' },
      h('h4', {}, label),
      h('p', {}, help),
      good ? h('p', { class: 'good' }, h('b', {}, words.good), ` ${good}`) : null,
      h('p', { class: 'needs' }, needsVectors ? words.vectors : words.none),
    ),
    current
      ? h('span', { class: 'current' }, words.current)
      : button(words.use, () => use(method), { class: 'small', 'aria-label': words.useNamed(label) }),
  );
}
