// A found passage in the lists of searches and answers.

import type { Hit } from '../../lib/api.ts';
import { isolated } from '../../lib/isolated.ts';
import { snippet } from '../../lib/snippet.ts';
import { button, h, marked } from './dom.ts';
import { strings, value } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

/** Characters of a snippet, about four lines. */
const SNIPPET = 200;

/** Parts of the score below this share are not mentioned. */
const WORTH = 0.05;

/** Returns the reasons for a hit, strongest first. */
function whyWords({ parts, score, words, written }: Hit): string {
  return parts
    .filter((part) => part.score >= WORTH * score && !(part.name === 'words' && written && words.length === 0))
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => shown.search.why[name](words.map(isolated)))
    .join(' · ');
}

/**
 * Creates a card. `head` says where the hit is. The card followed last is the current one
 * of its list.
 */
export function hitCard(hit: Hit, head: string, follow: () => void): HTMLLIElement {
  const card = button(
    '',
    () => {
      markCurrent(item);
      follow();
    },
    { class: 'card' },
  );
  const { text, marks } = snippet(hit, SNIPPET);
  card.append(
    h('small', {}, head),
    h('span', { class: 'preview', dir: 'auto' }, marked(text, marks)),
    ...(hit.written ? [h('small', { class: 'by', dir: 'auto' }, shown.search.by(hit.written))] : []),
    h('small', { class: 'why' }, whyWords(hit)),
    h('small', { class: 'numbers' }, [value(hit.score), hit.why].filter(Boolean).join(' = ')),
  );
  const item = h('li', {}, card);
  return item;
}

/** Creates a card for a passage outside the open documents. Pressing it shows the whole passage. */
export function passageCard(hit: Hit): HTMLLIElement {
  const whole = h('div', { class: 'whole', dir: 'auto', hidden: true }, marked(hit.text, hit.marks));
  const pages = hit.pages.every((page) => page === 1) && !/\.pdf$/i.test(hit.name) ? '' : strings.pagesOf(hit.pages); // empty for a format without pages
  const item = hitCard(hit, [hit.name, pages, hit.section].filter(Boolean).join(' · '), () => {
    whole.hidden = !whole.hidden;
    card?.setAttribute('aria-expanded', String(!whole.hidden));
  });
  const card = item.firstElementChild;
  card?.setAttribute('aria-expanded', 'false');
  item.append(whole);
  return item;
}

export function markCurrent(item: Element): void {
  for (const other of item.parentElement?.querySelectorAll('[aria-current]') ?? [])
    other.removeAttribute('aria-current');
  item.firstElementChild?.setAttribute('aria-current', 'true');
}
