// The subjects of the four steps of the tour, and how each is scrolled into view.

import { narrow } from '../ground/narrow.ts';
import type { Panels } from '../ground/panels.ts';
import { first } from '../words/en/first.ts';
import type { Step } from './tour.ts';

const { steps: words } = first.tour;

/** `proxy` means that there is one to which data can be sent. */
export function tourSteps(panels: () => Panels | undefined, proxy: boolean): Step[] {
  const cut = () => find('.text .cut:not([hidden])');
  const card = () => find('#panel-chunks .cards .card');
  const search = () => [...document.querySelectorAll('.search input, .seal')];
  return [
    {
      ...words.text,
      show: () => {
        panels()?.show('chunks'); // the comparison may cover the text
        panels()?.show('text');
        bring(cut());
      },
      subjects: () => some(cut() ?? find('#text')),
    },
    { ...words.curve, show: () => undefined, subjects: () => some(find('.curve .frame')) },
    {
      ...words.reasons,
      aside: true,
      show: () => {
        panels()?.show('chunks');
        bring(card());
      },
      subjects: () => some(card() ?? find('#panel-chunks')),
    },
    {
      title: words.search.title,
      text: proxy ? words.search.proxy : words.search.text,
      show: () => panels()?.show('search'),
      subjects: search,
    },
  ];
}

const find = (selector: string) => document.querySelector(selector);
const some = (element: Element | null) => (element ? [element] : []);

/** Scrolls to an element; on a phone to the upper half, because the tour is at the lower edge. */
function bring(element: Element | null): void {
  element?.scrollIntoView({ block: narrow.matches ? 'start' : 'center', behavior: 'instant' });
}
