// Computes the look of a text from its headings, the engine's elements, such as lists and
// table rows, and its marks.

import type { ViewText } from './api.ts';
import { marksOf, type Look, type Mark } from './marks.ts';

/** Kinds of elements, as in text.ElementKind of the engine. */
export const KIND = {
  list: 1,
  ordered: 2,
  item: 3,
  table: 4,
  row: 5,
  cell: 6,
  headCell: 7,
  listing: 8,
  quote: 9,
  code: 10,
  strong: 11,
  emphasis: 12,
  image: 13,
} as const;

export interface Element {
  kind: number;
  start: number;
  end: number;
}

/** The marker of an item: "• " or "1. ", or one from a PDF, such as "– ", "2) " or "(iv) ". */
export const ITEM = /^(?:[^\p{L}\p{N}\s([] ?|[([]?(?:[\d.]{1,9}|\p{L}|[ivx]{1,4})[.)\]]{1,2} )/u;
/** Markers drawn as a bullet. Those from symbol fonts are missing in the page's fonts. */
const BULLET = /^[•∙·●◦○■□▪▫*\uf000-\uf0ff]/;

/** Kinds with a look that does not depend on their place or nesting. */
const LOOKS = new Map<number, Look>([
  [KIND.row, 'row'],
  [KIND.headCell, 'strong'],
  [KIND.listing, 'code'],
  [KIND.quote, 'quote'],
  [KIND.code, 'code'],
  [KIND.strong, 'strong'],
  [KIND.emphasis, 'em'],
  [KIND.image, 'image'],
]);

/** Yields the elements from a ViewText's array. */
export function* elementsOf(all: Int32Array): Iterable<Element> {
  for (let i = 0; i + 2 < all.length; i += 3) yield { kind: all[i] ?? 0, start: all[i + 1] ?? 0, end: all[i + 2] ?? 0 };
}

/** A file with more elements or marks was not written by a person, and is shown without them. */
const MOST = 500_000;
export const bounded = (all: Int32Array): Int32Array => (all.length > 3 * MOST ? all.subarray(0, 0) : all);

/**
 * Returns the marks ascending by start. A mark of an element does not cross a line end, so
 * it is near its text.
 */
export function elementMarks({
  text,
  headings,
  links,
  elements,
  marks: own,
}: Pick<ViewText, 'text' | 'headings' | 'links' | 'elements' | 'marks'>): Mark[] {
  const marks: Mark[] = headings.map(({ level, start, end }) => ({
    start,
    end,
    look: `h${Math.min(6, level)}` as Look,
  }));
  const around: Element[] = [];
  const within = (kind: number) => around.filter((each) => each.kind === kind).length;
  let shown: { row: Element; at: number } | null = null; // a row up to its last cell
  for (const element of elementsOf(bounded(elements))) {
    const { kind, start, end } = element;
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= start) around.pop();
    const look = LOOKS.get(kind);
    if (look && within(kind) === 0) ofLines(marks, text, start, end, look);
    if (kind === KIND.item && own.length === 0) ofItem(marks, text, start);
    if (kind === KIND.row) shown = { row: element, at: start };
    if ((kind === KIND.cell || kind === KIND.headCell) && shown && around.at(-1) === shown.row) {
      if (start > shown.at) ofLines(marks, text, shown.at, start, 'bar');
      shown.at = end;
    }
    around.push(element);
  }
  if (links.length <= MOST) for (const { start, end } of links) ofLines(marks, text, start, end, 'link');
  for (const mark of marksOf(bounded(own))) if (mark.look !== 'center' && mark.look !== 'end') marks.push(mark);
  return marks.sort((a, b) => a.start - b.start || b.end - a.end);
}

function ofLines(marks: Mark[], text: string, start: number, end: number, look: Look): void {
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const stop = newline < 0 ? end : Math.min(end, newline);
    if (stop > at) marks.push({ start: at, end: stop, look });
    at = stop + 1;
  }
}

function ofItem(marks: Mark[], text: string, start: number): void {
  const [mark = ''] = ITEM.exec(text.slice(start, start + 12)) ?? [];
  if (!mark) return;
  marks.push({ start, end: start + mark.length, look: BULLET.test(mark) ? 'bullet' : 'number' });
}
