// Parses the Markdown within a paragraph: emphasis, code, links, images, and the numbers of
// passages. Takes linear time, and its tree has a small depth. Raw HTML is text.

/** An element of an answer. */
export interface Piece {
  tag: string;
  children: Node[];
  /** The passage of a "cite", the first number of an "ol", the level of a "heading". */
  n?: number;
}

export type Node = string | Piece;

export interface Rules {
  /** Numbers of passages up to this one are citations. Others are left out. */
  most: number;
  /** Called for each number that is left out. */
  invented?: () => void;
}

/** "[2]" or "[1, 3]". */
export const CITED = /\[(\d{1,2}(?:, ?\d{1,2})*)\]/y;
const LINK =
  /\[([^[\]\n]{0,500})\]\(([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,3})(?: +"[^"\n]{0,300}")?\)/y;
const SPECIAL = /[\\`*_~[!]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
const TAGS: Record<string, string> = { '*': 'em', _: 'em', '**': 'strong', __: 'strong', '~~': 'del' };

/** An element that has begun. */
interface Frame {
  mark: string;
  /** Where its mark is in the text. */
  at: number;
  children: Node[];
}

/** With `open` the text may go on: an element that has begun reaches to its end. */
export function inline(text: string, rules: Rules, open = false): Node[] {
  return new Inline(text, rules, open).parse();
}

class Inline {
  readonly #text: string;
  readonly #rules: Rules;
  readonly #open: boolean;
  readonly #frames: Frame[] = [{ mark: '', at: -1, children: [] }];
  /** For each run of backticks the start of the next one with the same length. */
  readonly #closers: Map<number, number>;
  #at = 0;

  constructor(text: string, rules: Rules, open: boolean) {
    this.#text = text;
    this.#rules = rules;
    this.#open = open;
    this.#closers = closersIn(text);
  }

  parse(): Node[] {
    const text = this.#text;
    while (this.#at < text.length) {
      SPECIAL.lastIndex = this.#at;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      this.#add(text.slice(this.#at, next));
      this.#at = next;
      if (next < text.length && !this.#special(text.charAt(next))) this.#add(text.charAt(this.#at++));
    }
    while (this.#frames.length > 1) this.#open ? this.#close() : this.#undo();
    return joined(this.#frames[0]?.children ?? []);
  }

  /** Parses a form that begins with a special character, or returns false. */
  #special(char: string): boolean {
    if (char === '`') return this.#code();
    if (char === '[') return this.#cite() || this.#link();
    if (char === '!') return this.#image();
    if (char === '\\') return this.#escape();
    return this.#run(char);
  }

  #escape(): boolean {
    const next = this.#text.charAt(this.#at + 1);
    if (!PUNCTUATION.test(next)) return false;
    this.#add(next);
    this.#at += 2;
    return true;
  }

  #code(): boolean {
    const { length } = runAt(this.#text, this.#at);
    const from = this.#at + length;
    const to = this.#closers.get(this.#at) ?? (this.#open && length < 3 ? this.#text.length : -1);
    if (to < 0) this.#add(this.#text.slice(this.#at, from));
    else {
      const code = this.#text.slice(from, to).replaceAll('\n', ' ');
      const padded = code.length > 2 && code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
      if (code) this.#add({ tag: 'code', children: [padded ? code.slice(1, -1) : code] });
    }
    this.#at = to < 0 ? from : to + length;
    return true;
  }

  #cite(): boolean {
    const match = matchAt(CITED, this.#text, this.#at);
    if (!match) return false;
    for (const n of (match[1] ?? '').split(',').map(Number)) {
      if (n >= 1 && n <= this.#rules.most) this.#add({ tag: 'cite', children: [], n });
      else {
        this.#rules.invented?.();
        this.#trim(); // no blank before a full stop
      }
    }
    this.#at += match[0].length;
    return true;
  }

  /** Shows the text of a link and its address as words. */
  #link(): boolean {
    const match = matchAt(LINK, this.#text, this.#at);
    if (!match) return false;
    const [all, name = '', address = ''] = match;
    for (const node of inline(name, this.#rules)) this.#add(node); // it has no brackets, and so no links
    if (address && address !== name) this.#add(name ? ` (${address})` : address);
    this.#at += all.length;
    return true;
  }

  /** Shows the words for an image. */
  #image(): boolean {
    const match = matchAt(LINK, this.#text, this.#at + 1);
    if (!match) return false;
    this.#add(match[1] ?? '');
    this.#at += 1 + match[0].length;
    return true;
  }

  /** Parses a run of the marks of emphasis. */
  #run(char: string): boolean {
    const start = this.#at;
    const { length } = runAt(this.#text, start);
    const [before, after] = [this.#text.slice(start - 1, start), this.#text.slice(start + length, start + length + 1)];
    const within = char === '_' && WORD.test(before) && WORD.test(after);
    const opens = after.trim() !== '' && !within && !(char === '_' && WORD.test(before));
    const closes = before.trim() !== '' && !within && !(char === '_' && WORD.test(after));
    let left = length;
    while (left > 0) {
      const open = closes ? this.#openFor(char, left, start) : -1;
      const mark = char.repeat(left > 1 ? 2 : 1);
      if (open > 0) {
        left -= this.#frames[open]?.mark.length ?? 0;
        while (this.#frames.length > open + 1) this.#undo();
        this.#close();
      } else if (opens && mark in TAGS && !this.#frames.some((frame) => frame.mark === mark)) {
        this.#frames.push({ mark, at: start, children: [] });
        left -= mark.length;
      } else break;
    }
    this.#add(char.repeat(left));
    this.#at = start + length;
    return true;
  }

  /** Returns the innermost element that the run at `start` may close, or -1. */
  #openFor(char: string, left: number, start: number): number {
    const last = (fits: (mark: string) => boolean) =>
      this.#frames.findLastIndex(
        ({ mark, at }) => mark.startsWith(char) && mark.length <= left && at !== start && fits(mark),
      );
    const exact = left < 3 ? last((mark) => mark.length === left) : -1;
    return exact > 0 ? exact : last(() => true);
  }

  /** Completes the innermost element. */
  #close(): void {
    const frame = this.#frames.pop();
    const children = joined(frame?.children ?? []);
    if (frame && children.length > 0) this.#add({ tag: TAGS[frame.mark] ?? 'em', children });
  }

  /** Takes the mark of the innermost element as text. */
  #undo(): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    this.#add(frame.mark);
    for (const child of frame.children) this.#add(child);
  }

  #add(node: Node): void {
    if (node !== '') this.#frames.at(-1)?.children.push(node);
  }

  /** Removes white space at the end. */
  #trim(): void {
    const children = this.#frames.at(-1)?.children ?? [];
    const before = children.at(-1);
    if (typeof before !== 'string') return;
    const text = before.trimEnd();
    if (text) children[children.length - 1] = text;
    else children.pop();
  }
}

/** Joins neighbouring texts. */
function joined(children: readonly Node[]): Node[] {
  const all: Node[] = [];
  for (const child of children) {
    const before = all.at(-1);
    if (typeof child === 'string' && typeof before === 'string') all[all.length - 1] = before + child;
    else all.push(child);
  }
  return all;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the run of equal characters at a place. */
function runAt(text: string, at: number): { length: number } {
  let end = at + 1;
  while (text.charAt(end) === text.charAt(at)) end++;
  return { length: end - at };
}

function closersIn(text: string): Map<number, number> {
  const closers = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    const closer = next.get(run.length);
    if (closer !== undefined) closers.set(index, closer);
    next.set(run.length, index);
  }
  return closers;
}
