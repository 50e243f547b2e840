// Three questions for those who have opened the sample and do not know what to ask.

import { button, h } from './dom.ts';
import type { Session } from './session.ts';
import { strings } from './strings.ts';
import { shown } from './strings-views.ts';

export function firstQuestions(session: Session, ask: (question: string) => void): HTMLElement {
  const element = h('div', { class: 'questions', hidden: true }, h('p', { class: 'hint' }, shown.questions.title),
    ...shown.questions.list.map((question) => button(question, () => ask(question), { class: 'small' })));
  const [begins] = strings.documents.sampleName('').split('.');
  const show = () => { element.hidden = !session.selected?.chunking || !session.selected.name.startsWith(begins ?? ''); };
  session.on('selected', show);
  session.on('chunked', show);
  return element;
}
