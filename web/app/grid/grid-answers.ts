// Lists the judged answers of a setting below its row: question, scores and passages.
// Everything is inserted as text and never parsed as markup.

import type { JudgedItem, ScoreName } from '../../lib/api.ts';
import { h } from '../ground/dom.ts';
import { judged as words } from '../words/en/grid.ts';

type Judgement = NonNullable<JudgedItem['run']>;

const SCORES: readonly ScoreName[] = ['faithfulness', 'relevancy'];

/** Several answers to one question are numbered. */
export function answersOf(items: readonly JudgedItem[]): HTMLElement {
  const before = new Map<string, number>();
  return h(
    'ol',
    { class: 'answers' },
    ...items.flatMap(({ run, unscored }) => {
      if (!run) return [];
      const { question } = run;
      const nth = (before.get(question) ?? 0) + 1;
      before.set(question, nth);
      const several = items.filter((each) => each.run?.question === question).length > 1;
      return [answerOf({ ...run, question: several ? words.nth(question, nth) : question }, unscored)];
    }),
  );
}

function answerOf(
  { question, answer, refused, answerable, passages, scores, judged = {} }: Judgement,
  unscored: JudgedItem['unscored'],
): HTMLElement {
  const chips = refused
    ? [h('span', { class: answerable ? 'chip poor' : 'chip' }, answerable ? words.refusedHere : words.refusedRightly)]
    : answerable
      ? SCORES.map((name) =>
          h('span', { class: (scores[name] ?? 0) < 0.5 ? 'chip poor' : 'chip' }, words.score(name, scores[name] ?? 0)),
        )
      : [h('span', { class: 'chip poor' }, words.answeredWrongly)];
  return h(
    'li',
    {},
    h('p', { class: 'asks', dir: 'auto' }, question),
    h('p', { class: 'chips' }, ...chips),
    h('p', { class: 'reply', dir: 'auto' }, answer || words.empty),
    ...unscored.map((name) => h('p', { class: 'help', dir: 'auto' }, words.unread(name, judged[name] ?? ''))),
    passages.length === 0
      ? h('p', { class: 'help' }, words.noPassage)
      : h(
          'details',
          {},
          h('summary', {}, words.passages(passages.length)),
          h('ol', {}, ...passages.map(({ text }) => h('li', { dir: 'auto' }, text))),
        ),
  );
}
