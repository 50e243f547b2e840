// Shows an answer as it arrives: its Markdown as elements, with a button for each passage it
// cites. Text arrives more often than frames, so each frame adds all that has come since the
// last, and only the last block is parsed again. Nothing in an answer is loaded or pressed
// but the passages.

import { button, h, setAttribute } from '../ground/dom.ts';
import { hosted as words } from '../words/en/hosted.ts';
import { parse, withoutInvented } from './markdown.ts';
import type { Node as Part, Piece } from './markdown-inline.ts';

/** The heading above an answer is its question, an h2. */
const ABOVE = 2;

export class Answer {
  readonly #follow: (index: number) => void;
  readonly element = h('div', { class: 'answer', dir: 'auto', hidden: true });
  #text = '';
  #frame = 0;
  /** The blocks in the element. */
  #shown: readonly Part[] = [];
  /** The blocks that do not change any more, and where the next one begins in the text. */
  readonly #done: Piece[] = [];
  #last = 0;
  /** Labels of the buttons for screen readers. */
  #names: string[] = [];
  /** Numbers above this one are left out. */
  #most = 0;
  /** How many citations of passages that were not sent were left out. */
  #invented = 0;

  /** `follow` shows the passage at an index. */
  constructor(follow: (index: number) => void) {
    this.#follow = follow;
  }

  clear(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = this.#last = this.#most = this.#invented = 0;
    this.#text = '';
    this.#shown = [];
    this.#done.length = 0;
    this.#names = [];
    this.element.replaceChildren();
    this.element.hidden = true;
    this.element.setAttribute('aria-busy', 'true');
  }

  /** Names of the passages that "[1]" and the following numbers refer to. */
  set names(names: string[]) {
    this.#names = names;
    this.#most = names.length;
  }

  /** Takes back all text, and returns it. */
  takeBack(): string {
    const text = this.#text;
    const names = this.#names;
    this.clear();
    this.names = names;
    return text;
  }

  push(piece: string): void {
    this.#text += piece;
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#show());
  }

  /** Ends the answer. Citations beyond the `sent` passages are left out. */
  end(sent: number): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = this.#invented = 0;
    this.#most = Math.min(sent, this.#names.length);
    const { pieces } = parse(this.#text, { most: this.#most, invented: () => this.#invented++ });
    this.#patch(pieces);
    this.element.setAttribute('aria-busy', 'false');
  }

  /** Returns how many citations were left out. */
  get invented(): number {
    return this.#invented;
  }

  /** Returns the numbers of the cited passages from 1, ascending. */
  get cited(): number[] {
    const cites = [...this.element.querySelectorAll('.cite')];
    return [...new Set(cites.map((cite) => Number(cite.textContent)))].sort((a, b) => a - b);
  }

  /** Returns the Markdown of the model, without the citations that were left out. */
  get text(): string {
    return withoutInvented(this.#text, this.#most).trim();
  }

  #show(): void {
    this.#frame = 0;
    const { pieces, last } = parse(this.#text.slice(this.#last), { most: this.#most }, true);
    this.#patch([...this.#done, ...pieces]);
    this.#done.push(...pieces.slice(0, -1));
    this.#last += last;
  }

  #patch(blocks: readonly Piece[]): void {
    const shown = levelled(blocks);
    patch(this.element, this.#shown, shown, (part) => this.#node(part));
    this.#shown = shown;
    this.element.hidden = shown.length === 0;
  }

  #node(part: Part): Node {
    if (typeof part === 'string') return document.createTextNode(part);
    const { tag, children, n } = part;
    const number = n ?? 0;
    if (tag === 'cite') {
      const name = this.#names[number - 1] ?? '';
      const label = words.ask.passage(number, name);
      return button(String(number), () => this.#follow(number - 1), {
        class: 'cite',
        'aria-label': label,
        title: name,
      });
    }
    const element = document.createElement(tag);
    if (tag === 'ol' && number !== 1) element.setAttribute('start', String(number));
    if ((tag === 'td' || tag === 'th') && number === 1) element.className = 'end';
    if (tag === 'div') for (const [name, value] of Object.entries(around())) setAttribute(element, name, value);
    element.append(...children.map((child) => this.#node(child)));
    return element;
  }
}

/** The attributes around a table. A wide one scrolls, also by keys. */
const around = () => ({ class: 'wide', tabindex: 0, role: 'group', 'aria-label': words.ask.table });

/** Gives headings the levels below the question's, without a gap. */
function levelled(blocks: readonly Piece[]): Piece[] {
  let first = 0;
  let above = ABOVE;
  return blocks.map((block) => {
    if (block.tag !== 'heading') return block;
    const level = block.n ?? 1;
    first ||= level;
    above = Math.min(6, above + 1, Math.max(ABOVE + 1, ABOVE + 1 + level - first));
    return { ...block, tag: `h${above}` };
  });
}

/** Changes the children of an element from one state to another, and keeps the equal ones. */
function patch(parent: Node, before: readonly Part[], after: readonly Part[], make: (part: Part) => Node): void {
  after.forEach((part, i) => {
    const old = before[i];
    const node = parent.childNodes[i];
    if (old === part) return;
    if (!node || old === undefined) parent.appendChild(make(part));
    else if (!alike(old, part)) parent.replaceChild(make(part), node);
    else if (typeof part === 'string') grow(node as Text, part);
    else patch(node, (old as Piece).children, part.children, make);
  });
  for (let i = before.length; i > after.length; i--) parent.lastChild?.remove();
}

function alike(a: Part, b: Part): boolean {
  return typeof a === 'string' || typeof b === 'string' ? typeof a === typeof b : a.tag === b.tag && a.n === b.n;
}

function grow(node: Text, text: string): void {
  if (text.startsWith(node.data)) {
    if (text.length > node.data.length) node.appendData(text.slice(node.data.length));
  } else node.data = text;
}
