// Parses the Markdown of an answer into a tree: headings, paragraphs, lists, code, tables,
// quotations and rules. Takes linear time; lists and quotations deeper than DEEPEST are
// paragraphs. Nothing in the tree refers to anything to load.

import { CITED, inline, type Node, type Piece, type Rules } from './markdown-inline.ts';

const DEEPEST = 6;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?: +(?=\S)| *$)/;
const DELIMITER = /^\|? *:?-+:?(?: *\| *:?-+:?)* *\|?$/;

/** The end of a text that may become a mark when more arrives. */
const BEGUN =
  /(?:^|\n)[ >]*(?:[-+*_=]{1,3} ?|#{1,6}|\d{1,3}[.)]?)$|\[[\d, ]{0,30}$|(?:\*{1,3}|_{1,3}|~~?|`{1,3}|[!\\|])$/;
/** A link whose address has not ended. */
const LINKING = /\[([^[\]\n]{0,200})\]\([^()\s]{0,200}$/;
const HELD = 500;

export interface Parsed {
  pieces: Piece[];
  /** Where the last piece begins in the text. Those before it do not change when more arrives. */
  last: number;
}

/** With `open` the text may go on: a mark at its end waits, and an element that has begun reaches to its end. */
export function parse(text: string, rules: Rules, open = false): Parsed {
  const lines = (open ? withoutBegun(text) : text).split('\n');
  const parser = new Blocks(lines.map(detabbed), rules, open, 0);
  const pieces = parser.parse();
  let last = 0;
  for (let i = 0; i < parser.last; i++) last += (lines[i] ?? '').length + 1;
  return { pieces, last };
}

/** Returns the Markdown without the numbers above `most`, which name no passage. */
export function withoutInvented(text: string, most: number): string {
  const any = new RegExp(`(\`\`\`[^]*?(?:\`\`\`|$)|\`[^\`\n]*\`)|( {0,3})${CITED.source}`, 'g');
  return text.replace(any, (whole: string, code?: string, blank = '', cited = '') => {
    if (code !== undefined) return whole;
    const known = cited
      .split(',')
      .map(Number)
      .filter((n: number) => n >= 1 && n <= most);
    return known.length === 0 ? '' : blank + known.map((n: number) => `[${n}]`).join('');
  });
}

function withoutBegun(text: string): string {
  if (text.endsWith('\n')) return text.slice(0, -1);
  const from = Math.max(0, text.length - HELD);
  return text.slice(0, from) + text.slice(from).replace(LINKING, '$1').replace(BEGUN, '');
}

/** Replaces tabs at the beginning of a line by four blanks each. */
function detabbed(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  return whole.replace(/^[ \t]+/, (blank) => blank.replaceAll('\t', '    '));
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isBlank = (line: string): boolean => line.trim() === '';

class Blocks {
  readonly #lines: readonly string[];
  readonly #rules: Rules;
  readonly #open: boolean;
  readonly #depth: number;
  #at = 0;
  /** The first line of the last block. */
  last = 0;

  constructor(lines: readonly string[], rules: Rules, open: boolean, depth: number) {
    this.#lines = lines;
    this.#rules = rules;
    this.#open = open;
    this.#depth = depth;
  }

  parse(): Piece[] {
    const pieces: Piece[] = [];
    while (this.#at < this.#lines.length) {
      const line = this.#line(this.#at);
      if (isBlank(line)) {
        this.#at++;
        continue;
      }
      this.last = this.#at;
      pieces.push(this.#block(line));
    }
    return pieces;
  }

  #line(at: number): string {
    return this.#lines[at] ?? '';
  }

  /** Whether the text goes on from the line read last. */
  get #ends(): boolean {
    return this.#open && this.#at >= this.#lines.length;
  }

  #block(line: string): Piece {
    const fence = FENCE.exec(line);
    if (fence) return this.#code(indentOf(line), fence[1] ?? '');
    const heading = HEADING.exec(line);
    if (heading) return this.#heading(line, heading[0].length, heading[1]?.length ?? 1);
    if (RULE.test(line)) {
      this.#at++;
      return { tag: 'hr', children: [] };
    }
    if (this.#depth < DEEPEST && QUOTE.test(line)) return this.#quote();
    if (this.#depth < DEEPEST && ITEM.test(line)) return this.#list();
    if (this.#isTable(this.#at)) return this.#table();
    return this.#paragraph();
  }

  #code(indent: number, fence: string): Piece {
    const code: string[] = [];
    for (this.#at++; this.#at < this.#lines.length; ) {
      const line = this.#line(this.#at++);
      if (closes(line, fence)) break;
      code.push(line.slice(Math.min(indent, indentOf(line))));
    }
    const text = code.join('\n');
    return { tag: 'pre', children: text ? [text] : [] };
  }

  #heading(line: string, from: number, level: number): Piece {
    this.#at++;
    const text = line.slice(from).trim();
    let end = text.length;
    while (text.charAt(end - 1) === '#') end--;
    const closed = end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
    const children = inline(closed, this.#rules, this.#ends);
    if (this.#depth > 0) return { tag: 'p', children: [{ tag: 'strong', children }] };
    return { tag: 'heading', children, n: level };
  }

  #quote(): Piece {
    const lines: string[] = [];
    for (; QUOTE.test(this.#line(this.#at)); this.#at++) lines.push(this.#line(this.#at).replace(QUOTE, ''));
    return { tag: 'blockquote', children: this.#within(lines) };
  }

  #within(lines: readonly string[], open = this.#ends): Piece[] {
    return new Blocks(lines, this.#rules, open, this.#depth + 1).parse();
  }

  #list(): Piece {
    const first = ITEM.exec(this.#line(this.#at));
    const indent = first?.[1]?.length ?? 0;
    const bullet = !/\d/.test(first?.[2] ?? '');
    const items: Piece[] = [];
    for (;;) {
      const lines = this.#item(indent);
      const next = this.#afterBlank(this.#at);
      const match = ITEM.exec(this.#line(next));
      const goes =
        match && !RULE.test(this.#line(next)) && near(match[1] ?? '', indent) && bullet !== /\d/.test(match[2] ?? '');
      if (goes) this.#at = next;
      items.push({ tag: 'li', children: unwrapped(this.#within(lines, !goes && this.#ends)) });
      if (!goes) break;
    }
    return bullet
      ? { tag: 'ul', children: items }
      : { tag: 'ol', children: items, n: Number.parseInt(first?.[2] ?? '1', 10) };
  }

  /** Returns the lines of one item without its marker and its indentation. */
  #item(indent: number): string[] {
    const head = ITEM.exec(this.#line(this.#at))?.[0].length ?? 0;
    const lines = [this.#line(this.#at++).slice(head)];
    let width = head; // less where the item is indented less, as models write "1." with two blanks
    let fence = FENCE.exec(lines[0] ?? '')?.[1] ?? '';
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line(this.#at);
      const inner = indentOf(line);
      if (isBlank(line) && !fence) {
        const next = this.#afterBlank(this.#at);
        if (indentOf(this.#line(next)) < indent + 2) break;
        lines.push('');
        this.#at = next - 1;
        continue;
      }
      if (!fence && inner < indent + 2 && (lines.at(-1) === '' || this.#begins(this.#at))) break;
      if (inner >= indent + 2 && !isBlank(line)) width = Math.min(width, inner);
      const own = line.slice(Math.min(width, inner));
      lines.push(own);
      if (fence && closes(own, fence)) fence = '';
      else if (!fence) fence = FENCE.exec(own)?.[1] ?? '';
    }
    return lines;
  }

  /** Returns the next line with text, or the number of lines. */
  #afterBlank(at: number): number {
    let next = at;
    while (next < this.#lines.length && isBlank(this.#line(next))) next++;
    return next;
  }

  /** Whether a line ends the paragraph before it. */
  #begins(at: number): boolean {
    const line = this.#line(at);
    const item = ITEM.exec(line);
    return (
      FENCE.test(line) ||
      HEADING.test(line) ||
      RULE.test(line) ||
      (this.#depth < DEEPEST &&
        (QUOTE.test(line) || (item !== null && (item[2] ?? '').length < 4 && !isBlank(line.slice(item[0].length))))) ||
      this.#isTable(at)
    );
  }

  #isTable(at: number): boolean {
    const line = this.#line(at);
    if (!line.includes('|')) return false;
    const next = this.#lines[at + 1];
    if (next === undefined || (this.#open && at + 2 === this.#lines.length && /^[ |:-]*$/.test(next)))
      return this.#open && line.trimStart().startsWith('|'); // its second line has not arrived
    return DELIMITER.test(next.trim()) && cellsOf(next).length === cellsOf(line).length;
  }

  #table(): Piece {
    const header = cellsOf(this.#line(this.#at));
    const sides = cellsOf(this.#line(this.#at + 1)).map((cell) => cell.endsWith(':') && !cell.startsWith(':'));
    this.#at = Math.min(this.#at + 2, this.#lines.length);
    const rows: string[][] = [];
    for (; this.#line(this.#at).includes('|'); this.#at++)
      rows.push(cellsOf(this.#line(this.#at)).slice(0, header.length));
    const row = (tag: string, cells: string[], open: boolean): Piece => ({
      tag: 'tr',
      children: cells.map((cell, i) => ({
        tag,
        children: inline(cell, this.#rules, open && i === cells.length - 1),
        ...(sides[i] && { n: 1 }),
      })),
    });
    const open = this.#ends;
    const body = rows.map((cells, i) => row('td', cells, open && i === rows.length - 1));
    const head: Piece = { tag: 'thead', children: [row('th', header, open && body.length === 0)] };
    const table = { tag: 'table', children: body.length > 0 ? [head, { tag: 'tbody', children: body }] : [head] };
    return { tag: 'div', children: [table] };
  }

  #paragraph(): Piece {
    const lines = [this.#line(this.#at++).trim()];
    for (; this.#at < this.#lines.length && !isBlank(this.#line(this.#at)) && !this.#begins(this.#at); this.#at++)
      lines.push(this.#line(this.#at).trim());
    return { tag: 'p', children: inline(lines.join('\n'), this.#rules, this.#ends) };
  }
}

/** Whether a line ends a block of code. */
function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && indentOf(line) < 4 && mark === fence.charAt(0).repeat(mark.length);
}

/** Whether an item at this indentation belongs to a list. */
const near = (blank: string, indent: number): boolean => blank.length <= indent + 1;

/** Leaves the only paragraph of an item out, as its text is the item. */
function unwrapped(pieces: Piece[]): Node[] {
  const paragraphs = pieces.filter(({ tag }) => tag === 'p').length;
  const [first, ...rest] = pieces;
  return paragraphs === 1 && first?.tag === 'p' ? [...first.children, ...rest] : pieces;
}

/** Splits a row of a table at its bars. */
function cellsOf(line: string): string[] {
  const row = line.trim();
  const cells: string[] = [];
  let from = row.startsWith('|') ? 1 : 0;
  for (let i = from; i < row.length; i++) {
    if (row.charAt(i) === '\\') i++;
    else if (row.charAt(i) === '|') {
      cells.push(row.slice(from, i).trim().replaceAll('\\|', '|'));
      from = i + 1;
    }
  }
  if (from < row.length) cells.push(row.slice(from).trim().replaceAll('\\|', '|'));
  return cells;
}
