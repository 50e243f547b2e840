// The outline of the shown document: its headings, each with the number of chunks that hold
// a part of its section. All entries are one tab stop.

import type { Chunk } from '../../lib/api.ts';
import { lowest } from '../../lib/lowest.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import { h, setAttribute, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

/** The most entries. Longer outlines end with a line that says so. */
const MOST = 500;
/** The deepest level that is indented further than the one above. */
const DEEPEST = 3;

interface Entry {
  start: number;
  end: number;
  button: HTMLButtonElement;
  count: HTMLElement;
}

export class OutlineView {
  readonly #session: Session;
  readonly #goTo: (sentence: number) => void;
  readonly #colourOf: (start: number) => number;
  readonly #list = h('ul');
  readonly #rest = h('p', { class: 'hint', hidden: true });
  readonly element = h(
    'section',
    { class: 'outline', 'aria-labelledby': 'outline-title', hidden: true },
    h(
      'div',
      { class: 'head' },
      h('h2', { id: 'outline-title' }, shown.outline.title),
      h('span', { 'aria-hidden': 'true' }, shown.outline.chunks),
    ),
    this.#list,
    this.#rest,
  );
  #entries: readonly Entry[] = [];
  #text: unknown = null;
  #current = -1;
  #frame = 0;

  /** `goTo` shows a sentence; `colourOf` returns the colour of the chunk at a start. */
  constructor(session: Session, goTo: (sentence: number) => void, colourOf: (start: number) => number) {
    this.#session = session;
    this.#goTo = goTo;
    this.#colourOf = colourOf;
    for (const event of ['chunked', 'moved', 'selected', 'documents'] as const)
      session.on(event, () => {
        this.#frame ||= requestAnimationFrame(() => this.#update());
      });
    this.#list.addEventListener('keydown', (event) => this.#walk(event));
  }

  /** Marks the section that holds an offset of the text. */
  see(doc: Doc | null, offset: number | null): void {
    const shows = offset !== null && doc?.chunking?.text === this.#text;
    this.#setCurrent(shows ? lowest(this.#entries.length, (i) => (this.#entries[i]?.start ?? 0) > offset) - 1 : -1);
  }

  #setCurrent(index: number): void {
    if (index === this.#current) return;
    setAttribute(this.#entries[this.#current]?.button ?? this.#list, 'aria-current', null);
    this.#current = index;
    const button = this.#entries[index]?.button;
    if (!button) return;
    setAttribute(button, 'aria-current', 'true');
    if (!this.#list.contains(document.activeElement)) this.#stopAt(button);
    button.scrollIntoView({ block: 'nearest' });
  }

  #update(): void {
    this.#frame = 0;
    const { chunking } = this.#session.selected ?? {};
    this.element.hidden = !chunking || chunking.text.headings.length < 2;
    if (!chunking || this.element.hidden) return;
    if (this.#text !== chunking.text) this.#build(chunking);
    const { chunks } = chunking.result;
    for (const { start, end, button, count } of this.#entries) {
      const first = lowest(chunks.length, (i) => (chunks[i]?.end ?? 0) > start);
      const after = lowest(chunks.length, (i) => (chunks[i]?.start ?? 0) >= end);
      const n = Math.max(1, after - first);
      setText(count, String(n));
      setAttribute(count, 'aria-label', shown.outline.count(n));
      button.dataset['colour'] = String(this.#colourOf((chunks[first] as Chunk | undefined)?.start ?? 0));
    }
  }

  #build({ text, sentences }: Chunking): void {
    const { headings } = text;
    const top = Math.min(...headings.map(({ level }) => level));
    this.#text = text;
    this.#current = -1;
    this.#entries = headings.slice(0, MOST).map(({ level, start, end }, i) => {
      const count = h('span', { class: 'count', role: 'img' });
      const button = h(
        'button',
        { type: 'button', tabindex: i === 0 ? 0 : -1, dir: 'auto' },
        h('span', { class: 'name' }, titleOf(text.text.slice(start, end))),
        ' ',
        count,
      );
      button.style.setProperty('--level', String(Math.min(DEEPEST, level - top)));
      button.addEventListener('click', () => {
        this.#stopAt(button);
        this.#goTo(sentenceAt(sentences, start));
      });
      return { start, end: headings[i + 1]?.start ?? text.text.length, button, count };
    });
    this.#list.replaceChildren(...this.#entries.map(({ button }) => h('li', {}, button)));
    this.#rest.hidden = headings.length <= MOST;
    setText(this.#rest, shown.outline.rest(headings.length - MOST));
  }

  /** Makes a button the tab stop of the list. */
  #stopAt(button: HTMLButtonElement): void {
    for (const entry of this.#entries) entry.button.tabIndex = entry.button === button ? 0 : -1;
  }

  #walk(event: KeyboardEvent): void {
    const at = this.#entries.findIndex(({ button }) => button === document.activeElement);
    const last = this.#entries.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    const button = to === undefined ? undefined : this.#entries[Math.min(last, Math.max(0, to))]?.button;
    if (!button) return;
    event.preventDefault();
    this.#stopAt(button);
    button.focus();
  }
}

/** Returns the words of a heading, without the marks of Markdown. */
function titleOf(heading: string): string {
  return heading
    .replace(/^\s*#+\s+|\s+#+\s*$/g, '')
    .replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
