// Which characters of a Markdown text are marks, and what they make of the rest: for
// showing it, not for reading it; no character is added or taken away. The usual marks
// of CommonMark and of GitHub's tables, found line by line; what is not known stays as it is.

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
  | 'quote'
  | 'row'
  | 'rule'
  | 'soft'
  | 'number'
  | 'bar';

export interface Mark {
  start: number;
  end: number;
  look: Look;
}

/** Names of files that are in Markdown. */
export const MARKDOWN = /\.(md|markdown|mdown|mkdn?)$/i;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const CLOSING = /[ \t]+#+[ \t]*$/;
const SETEXT = /^ {0,3}(=+|-{2,})[ \t]*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const QUOTE = /^ {0,3}(?:> ?)+/;
const BULLET = /^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/;
/** An item of a numbered list; one that comes after prose begins with 1, or it is a number at a line's beginning. */
const ITEM = /^[ \t]*(\d{1,9})[.)][ \t]+/;
const ROW = /^[ \t]*\|.*\|[ \t]*$/;
export const DELIMITER = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** Code, a link or a picture, strong, emphasis: the first that begins. Bounded, so that no line takes long. */
const INLINE =
  /(`+)([^`\n]{1,1000}?)\1(?!`)|!?\[([^\][\n]{0,500})\]\(([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)(?: "[^"\n]{0,200}")?\)|(\*\*|__)(?=\S)([^\n]{1,500}?\S??)\5|(?<![\w*_])([*_])(?=[^\s*_])([^\n*_]{1,500}?)\7(?![\w*_])/g;
/** A longer line is no prose. */
const LONG = 20_000;

/** Ascending by start; what is within another comes behind it. */
export function markdownMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  let fence = '';
  let before = null as Line | null;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const end = newline < 0 ? next : newline - Number(text[newline - 1] === '\r' && newline > start);
    const line = text.slice(start, Math.min(end, start + LONG));
    const fenced = FENCE.exec(line);
    if (fence) {
      if (fenced && fenced[1]?.startsWith(fence) && !fenced[2]?.trim()) {
        marks.push({ start, end: next, look: 'mark' });
        fence = '';
      } else marks.push({ start, end, look: 'code' });
      before = null;
    } else if (fenced && !(fenced[1]?.startsWith('`') && fenced[2]?.includes('`'))) {
      marks.push({ start, end: next, look: 'mark' });
      fence = fenced[1] ?? '';
      before = null;
    } else {
      const at = marks.length;
      const kind = ofLine(marks, line, start, end, next, before);
      const prose = kind === 'prose';
      const bullet = kind === 'bullet';
      const item: string = prose ? itemOf(line, before) : '';
      if (item) marks.splice(at, 0, { start: start + item.search(/\d/), end: start + item.length, look: 'number' });
      // The end of a line within a paragraph is a blank, unless two of them say otherwise.
      else if (prose && before && !/(?: {2}|\\)$/.test(text.slice(before.start, before.end)))
        marks.splice(at, 0, { start: before.end, end: start, look: 'soft' });
      before = kind ? { start, end, item: item !== '' || bullet || before?.item === true, bullet } : null;
    }
    start = next;
  }
  return marks;
}

/** A line of prose, and whether it is one of a list, or begins with a bullet. */
interface Line {
  start: number;
  end: number;
  item: boolean;
  bullet: boolean;
}

/** The number that makes a line an item of a numbered list; '' where none does. */
function itemOf(line: string, before: Line | null): string {
  const [mark = '', number] = ITEM.exec(line) ?? [];
  return !before || before.item || number === '1' ? mark : '';
}

/** Prose, which a line of dashes would make a heading, an item with a bullet, or null: what the line is. */
function ofLine(
  marks: Mark[],
  line: string,
  start: number,
  end: number,
  next: number,
  before: Line | null,
): 'prose' | 'bullet' | null {
  const setext = before && !before.bullet && SETEXT.exec(line);
  const heading = HEADING.exec(line);
  if (setext) {
    marks.push(
      { start: before.start, end: before.end, look: setext[1]?.startsWith('=') ? 'h1' : 'h2' },
      { start, end: next, look: 'mark' },
    );
    return null;
  }
  if (heading) {
    const level = heading[1]?.length ?? 1;
    marks.push({ start, end, look: `h${level}` as Look }, { start, end: start + heading[0].length, look: 'mark' });
    const closing = CLOSING.exec(line);
    if (closing && closing.index >= heading[0].length) marks.push({ start: start + closing.index, end, look: 'mark' });
    inline(marks, line, start, heading[0].length);
    return null;
  }
  if (RULE.test(line)) {
    marks.push({ start, end, look: 'rule' });
    return null;
  }
  if (line.includes('|') && line.includes('-') && DELIMITER.test(line)) {
    marks.push({ start, end: next, look: 'mark' });
    return null;
  }
  if (ROW.test(line)) {
    marks.push({ start, end, look: 'row' });
    inline(marks, line, start, 0);
    return null;
  }
  let from = 0;
  const quote = QUOTE.exec(line);
  if (quote) {
    marks.push({ start, end, look: 'quote' }, { start, end: start + quote[0].length, look: 'mark' });
    from = quote[0].length;
  }
  const bullet = BULLET.exec(line.slice(from));
  if (bullet) {
    const indent = /^[ \t]*/.exec(bullet[0])?.[0].length ?? 0;
    marks.push({ start: start + from + indent, end: start + from + bullet[0].length, look: 'bullet' });
    from += bullet[0].length;
  }
  inline(marks, line, start, from);
  if (quote || !line.trim()) return null;
  return bullet ? 'bullet' : 'prose';
}

function inline(marks: Mark[], line: string, start: number, from: number): void {
  for (const found of line.matchAll(INLINE)) {
    if (found.index < from) continue;
    const at = start + found.index;
    const to = at + found[0].length;
    const [, ticks, , label, , strong, , em] = found;
    const look = ticks ? 'code' : strong ? 'strong' : em ? 'em' : 'link';
    const opening = (ticks ?? strong ?? em)?.length ?? found[0].indexOf('[') + 1;
    const closing = ticks || strong || em ? opening : found[0].length - opening - (label?.length ?? 0);
    marks.push(
      { start: at, end: to, look },
      { start: at, end: at + opening, look: 'mark' },
      { start: to - closing, end: to, look: 'mark' },
    );
  }
}

/** A part of a text without its marks. */
export function withoutMarks(text: string): string {
  return looksIn(markdownMarks(text), 0, text.length)
    .filter(({ looks }) => !looks.includes('mark'))
    .map(({ start, end }) => text.slice(start, end))
    .join('');
}

/** Stretches of [start, end) that look alike, in order, all of it. `marks` are as above. */
export function looksIn(
  marks: readonly Mark[],
  start: number,
  end: number,
): { start: number; end: number; looks: Look[] }[] {
  const here = marks.filter((mark) => mark.start < end && mark.end > start);
  const edges = [
    ...new Set([start, end, ...here.flatMap((mark) => [Math.max(start, mark.start), Math.min(end, mark.end)])]),
  ].sort((a, b) => a - b);
  return edges.slice(1).map((to, i) => {
    const from = edges[i] as number;
    return {
      start: from,
      end: to,
      looks: here.filter((mark) => mark.start <= from && mark.end >= to).map(({ look }) => look),
    };
  });
}
