// The look of a text's characters. It affects the display only; no character is added or
// removed.

import { lowest } from './lowest.ts';

export type Look =
  | 'mark'
  | 'bullet'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'strong'
  | 'em'
  | 'code'
  | 'link'
  | 'image'
  | 'quote'
  | 'row'
  | 'rule'
  | 'soft'
  | 'number'
  | 'bar'
  | 'center'
  | 'end';

export interface Mark {
  start: number;
  end: number;
  look: Look;
}

/** Looks of a ViewText's marks by their numbers, as in markup.Look of the engine. */
const LOOKS: readonly (Look | undefined)[] = [undefined, 'mark', 'soft', 'rule', 'bullet', 'number', 'center', 'end'];

/** Yields the marks from a ViewText's array. */
export function* marksOf(all: Int32Array): Iterable<Mark> {
  for (let i = 0; i + 2 < all.length; i += 3) {
    const look = LOOKS[all[i] ?? 0];
    if (look) yield { look, start: all[i + 1] ?? 0, end: all[i + 2] ?? 0 };
  }
}

/** Returns a part of a text without its hidden characters. */
export function withoutHidden(
  { text, marks }: { text: string; marks: Int32Array },
  start: number,
  end: number,
): string {
  let words = '';
  let at = start;
  for (let i = 3 * lowest(marks.length / 3, (n) => (marks[3 * n + 1] ?? 0) >= start - FAR); i < marks.length; i += 3) {
    const [from, to] = [marks[i + 1] ?? 0, marks[i + 2] ?? 0];
    if (from >= end) break;
    if (marks[i] !== HIDDEN || to <= at) continue;
    words += text.slice(at, Math.max(at, from));
    at = to;
  }
  return words + text.slice(at, Math.max(at, end));
}

const HIDDEN = LOOKS.indexOf('mark');
/** Hidden marks are shorter, except for whole hidden lines. */
const FAR = 4000;

/** Returns consecutive stretches of [start, end) with the same look. Marks must ascend by start. */
export function looksIn(
  marks: readonly Mark[],
  start: number,
  end: number,
): { start: number; end: number; looks: Look[] }[] {
  const here = marks.filter((mark) => mark.start < end && mark.end > start);
  const edges = [
    ...new Set([start, end, ...here.flatMap((mark) => [Math.max(start, mark.start), Math.min(end, mark.end)])]),
  ].sort((a, b) => a - b);
  let open: Mark[] = [];
  let next = 0;
  return edges.slice(1).map((to, i) => {
    const from = edges[i] as number;
    open = open.filter((mark) => mark.end > from);
    for (let mark = here[next]; mark && mark.start <= from; mark = here[++next]) open.push(mark);
    return { start: from, end: to, looks: open.map(({ look }) => look) };
  });
}
