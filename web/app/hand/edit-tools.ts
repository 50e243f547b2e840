// The actions on a chunk. A single set of buttons moves to the card that is hovered,
// focused, or was followed into the text.

import type { Link } from '../../lib/api.ts';
import { linksIn, targetOf } from '../../lib/links.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { fullWords, movePlace, splitPlace } from './edit-places.ts';
import type { Editor } from './editor.ts';
import { LinkList } from './link-list.ts';
import { copyText } from '../session/export.ts';
import type { Chunking } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

/** Characters of a chunk's end that are announced after a move. */
const ENDING = 60;
/** How long the confirmation of a copy is shown. */
const TOLD_MS = 2000;

export class EditTools {
  readonly #session: Session;
  readonly #editor: Editor;
  readonly #list: HTMLElement;
  readonly #chunkOf: (item: Element) => number;
  readonly #merge = button(shown.edits.mergeShort, () => this.#mergeNext(), {
    class: 'small',
    'aria-label': shown.edits.merge,
    title: shown.edits.merge,
  });
  readonly #linked = button('', () => this.#openLinks(), { class: 'small', 'aria-haspopup': 'dialog' });
  readonly #links = new LinkList();
  /** Why the chunk cannot be merged. It is visible, and describes the button. */
  readonly #why = h('span', { id: 'merge-why', class: 'why', hidden: true });
  readonly #up = button(shown.edits.earlier, () => this.#move(false), {
    class: 'small',
    'aria-label': shown.edits.up,
    title: `${shown.edits.up} (Alt ↑)`,
  });
  readonly #down = button(shown.edits.later, () => this.#move(true), {
    class: 'small',
    'aria-label': shown.edits.down,
    title: `${shown.edits.down} (Alt ↓)`,
  });
  readonly #split = button(shown.edits.split, () => this.#splitHere(), { class: 'small' });
  readonly #copy = button(shown.chunks.copy, () => void this.#copyChunk(), {
    class: 'small',
    'aria-label': shown.edits.copy,
  });
  readonly #tools = h(
    'div',
    { class: 'tools', role: 'group' },
    this.#split,
    this.#merge,
    this.#up,
    this.#down,
    this.#copy,
    this.#linked,
    this.#links.element,
    this.#why,
  );

  /** `chunkOf` returns the chunk that a list item shows. */
  constructor(session: Session, editor: Editor, list: HTMLElement, chunkOf: (item: Element) => number) {
    this.#session = session;
    this.#editor = editor;
    this.#list = list;
    this.#chunkOf = chunkOf;
    // A card is one tab stop. The arrow keys reach its tools.
    for (const tool of this.#tools.querySelectorAll('button')) tool.tabIndex = -1;
    list.addEventListener('pointerover', (event) => {
      if (event.pointerType === 'mouse') this.#point(event.target);
    });
    list.addEventListener('pointerleave', () => this.#rest());
    list.addEventListener('focusin', (event) => this.#put(event.target));
    list.addEventListener('focusout', (event) => {
      if (!list.contains(event.relatedTarget as Node | null)) this.#rest();
    });
    list.addEventListener('keydown', (event) => this.#key(event));
    session.on('passage', () => queueMicrotask(() => this.#rest())); // when its card is marked
    session.on('chunked', () => this.#update());
    session.on('selected', () => this.#update());
  }

  /** Moves the tools to the hovered card, unless they are in use by keyboard. */
  #point(target: EventTarget | null): void {
    if (this.#tools.querySelector(':focus-visible')) return;
    this.#put(target);
  }

  /** Returns the tools to the focused card, or to the marked one. */
  #rest(): void {
    const at = this.#list.querySelector('li:focus-within') ?? this.#list.querySelector('[aria-current]');
    if (at) this.#put(at);
    else this.#tools.remove();
  }

  #put(target: EventTarget | null): void {
    const item = target instanceof Element ? target.closest('li') : null;
    if (!item || this.#tools.parentElement === item) return;
    const focused = this.#tools.contains(document.activeElement);
    if (focused) this.#card?.focus({ preventScroll: true });
    item.append(this.#tools);
    this.#update();
  }

  get #card(): HTMLElement | null {
    return this.#tools.parentElement?.querySelector<HTMLElement>('.card') ?? null;
  }

  get #index(): number {
    const item = this.#tools.parentElement;
    return item ? this.#chunkOf(item) : -1;
  }

  /** Shows the actions for this chunk. If a focused button disappears, the card gets the focus. */
  #update(): void {
    const { chunking } = this.#session.selected ?? {};
    const index = this.#index;
    if (!chunking || index < 0) return;
    const last = index + 1 >= chunking.result.chunks.length;
    const between = [this.#merge, this.#up, this.#down];
    if (last && between.some((each) => each === document.activeElement)) this.#card?.focus();
    for (const each of between) each.hidden = last;
    const links = this.#chunkLinks(chunking, index);
    this.#linked.hidden = links.length === 0;
    setText(this.#linked, shown.links.of(links.length));
    const usable = (each: HTMLElement, on: boolean) => setAttribute(each, 'aria-disabled', on ? null : 'true');
    usable(this.#up, movePlace(chunking, index, false) !== null);
    usable(this.#down, movePlace(chunking, index, true) !== null);
    const full = fullWords(chunking, index);
    usable(this.#merge, full === '');
    setText(this.#why, full);
    this.#why.hidden = full === '' || last;
    setAttribute(this.#merge, 'aria-describedby', full ? this.#why.id : null);
    usable(this.#split, splitPlace(chunking, index) !== null);
    this.#split.title = shown.edits.splitWhy(chunking.curve.length > 0);
    this.#tools.setAttribute('aria-label', shown.edits.tools(index + 1));
  }

  /**
   * Handles the arrow keys. With Alt they move the end of the chunk. Otherwise, up and down
   * move between cards, and left and right between a card's tools.
   */
  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || this.#links.contains(event.target)) return;
    const upright = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    const forward = event.key === 'ArrowDown' || event.key === 'ArrowRight';
    if (!upright && !(event.key === 'ArrowLeft' || event.key === 'ArrowRight')) return;
    this.#put(event.target); // the tools may be on a card that scrolled under the pointer
    if (upright && event.altKey) this.#move(forward);
    else if (event.altKey) return;
    else if (upright) this.#walkCards(forward);
    else this.#walkTools(forward);
    event.preventDefault();
  }

  #walkCards(forward: boolean): void {
    const step = (from: Element | null | undefined) =>
      forward ? from?.nextElementSibling : from?.previousElementSibling;
    let item = step(document.activeElement?.closest('li'));
    while (item instanceof HTMLElement && item.hidden) item = step(item);
    item?.querySelector<HTMLElement>('.card')?.focus();
  }

  #walkTools(forward: boolean): void {
    const stops = [this.#card, ...this.#tools.querySelectorAll<HTMLButtonElement>(':scope > button')].filter(
      (each): each is HTMLButtonElement => each !== null && !each.hidden,
    );
    const at = stops.findIndex((each) => each === document.activeElement);
    stops[at + (forward ? 1 : -1)]?.focus();
  }

  #mergeNext(): void {
    const index = this.#index;
    void this.#editor.run(
      (chunking) =>
        fullWords(chunking, index) ? null : { action: 'merge', at: chunking.result.chunks[index]?.end ?? -1 },
      (chunking) => this.#ending(chunking, index),
    );
  }

  #move(later: boolean): void {
    const index = this.#index;
    void this.#editor.run(
      (chunking) => {
        const to = movePlace(chunking, index, later);
        return to === null ? null : { action: 'move', at: chunking.result.chunks[index]?.end ?? -1, to };
      },
      (chunking) => this.#ending(chunking, index),
    );
  }

  #splitHere(): void {
    const index = this.#index;
    void this.#editor.run(
      (chunking) => {
        const at = splitPlace(chunking, index);
        return at === null ? null : { action: 'split', at };
      },
      (chunking) => this.#ending(chunking, index),
    );
  }

  /** Returns the links of a chunk that can be followed. */
  #chunkLinks({ text, result }: Chunking, index: number): Link[] {
    const { start = 0, end = 0 } = result.chunks[index] ?? {};
    return linksIn(text.links, start, end).filter((link) => targetOf(link, text) !== null);
  }

  #openLinks(): void {
    const doc = this.#session.selected;
    if (!doc?.chunking) return;
    this.#links.show(this.#linked, this.#session, doc, this.#chunkLinks(doc.chunking, this.#index), this.#index);
  }

  async #copyChunk(): Promise<void> {
    const { text, result } = this.#session.selected?.chunking ?? {};
    const { start = 0, end = 0 } = result?.chunks[this.#index] ?? {};
    const done = await copyText(text?.text.slice(start, end) ?? '');
    this.#tellCopy(done ? shown.chunks.copied : shown.chunks.copyFailed, '');
    setTimeout(() => this.#tellCopy(shown.chunks.copy, shown.edits.copy), TOLD_MS);
  }

  #tellCopy(words: string, label: string): void {
    setText(this.#copy, words);
    setAttribute(this.#copy, 'aria-label', label || null);
  }

  #ending({ text, result }: Chunking, index: number): string {
    const { start = 0, end = 0 } = result.chunks[index] ?? {};
    return shown.edits.endsNow(index + 1, text.text.slice(Math.max(start, end - ENDING), end));
  }
}
