// Actions in the text. Pressing a sentence offers to split before it or, where a chunk
// begins, to merge it with the previous one. With text selected, the place is the start of
// the selection, and a question can be added that it answers.

import { linksIn } from '../../lib/links.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { beginsAt, fullWords } from './edit-places.ts';
import type { Editor } from './editor.ts';
import type { QuestionMaker } from '../compare/question-maker.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';
import { linkOpener } from '../text/link-opener.ts';
import type { TextView } from '../text/text-view.ts';

const coarse = matchMedia('(pointer: coarse)');
/** Pixels that a selection handle takes below the selection. */
const HANDLE = 26;

/**
 * Returns the first character of a sentence, because the box of one that begins a chunk
 * includes the line above.
 */
function firstCharacter(beside: Element | Range): Range {
  if (beside instanceof Range) return beside;
  const range = new Range();
  const text = beside.firstChild;
  if (!(text instanceof Text)) return range;
  range.setStart(text, 0);
  range.setEnd(text, 1);
  return range;
}

/** Returns the right edge of the lines of the text. */
function endOf(beside: Element | Range): number {
  const node = beside instanceof Range ? beside.startContainer.parentElement : beside;
  const block = node?.closest('.block');
  return block ? block.getBoundingClientRect().right - parseFloat(getComputedStyle(block).paddingInlineEnd) : 0;
}

export class SplitHere {
  readonly #session: Session;
  readonly #editor: Editor;
  readonly #text: TextView;
  readonly #button = button('', () => this.#do(), { class: 'small' });
  readonly #maker: QuestionMaker;
  readonly #links = h('div', { class: 'links' });
  readonly #element: HTMLElement;
  #at = 0;
  /** Whether a mouse is selecting. */
  #held = false;

  constructor(session: Session, editor: Editor, text: TextView, maker: QuestionMaker) {
    this.#maker = maker;
    this.#element = h('div', { class: 'split-here', hidden: true }, this.#links, this.#button, maker.element);
    this.#session = session;
    this.#editor = editor;
    this.#text = text;
    text.element.addEventListener('click', (event) => this.#press(event));
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#hide();
    });
    document.addEventListener('pointerdown', (event) => {
      if (!text.element.contains(event.target as Node) && !(event.target as Element).closest('dialog')) this.#hide();
    });
    document.addEventListener(
      'pointerdown',
      ({ pointerType }) => {
        this.#held = pointerType === 'mouse';
      },
      true,
    );
    for (const event of ['pointerup', 'pointercancel'] as const)
      document.addEventListener(
        event,
        () => {
          this.#held = false;
        },
        true,
      );
    document.addEventListener('selectionchange', () => this.#follow());
    session.on('questions', () => {
      this.#button.hidden = true;
      if (!maker.telling) this.#hide();
      else
        this.#element.style.left = `${Math.max(8, Math.min(this.#element.offsetLeft, text.element.clientWidth - this.#element.offsetWidth - 8))}px`;
    });
    for (const event of ['chunked', 'moved', 'selected'] as const) session.on(event, () => this.#hide());
    session.on('documents', () => {
      if (!session.selected?.chunking) this.#hide();
    });
  }

  #press(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (target && this.#element.contains(target)) return;
    const selection = getSelection();
    const range =
      selection && !selection.isCollapsed && this.#text.element.contains(selection.anchorNode)
        ? selection.getRangeAt(0)
        : null;
    const sentence = target?.closest('.s');
    this.#offerLinks(range ? null : this.#text.offsetAt(event.clientX, event.clientY));
    if (event.ctrlKey || event.metaKey) {
      const opener = this.#links.querySelector<HTMLElement>('a, button');
      if (opener) return opener.click();
    }
    if (range) this.#offer(this.#text.offsetOf(range.startContainer, range.startOffset), range);
    else if (sentence) this.#offer(this.#text.sentenceStart(sentence), sentence);
    else this.#hide();
  }

  /** Offers to follow the link at an offset. */
  #offerLinks(offset: number | null): void {
    const doc = this.#session.selected;
    const links = offset === null ? [] : linksIn(doc?.chunking?.text.links ?? [], offset, offset + 1);
    const opener = doc && links[0] ? linkOpener(this.#session, doc, links[0], () => this.#hide()) : null;
    this.#links.replaceChildren(...(opener ? [opener] : []));
  }

  /** Follows a selection made by keys or touch. */
  #follow(): void {
    const selection = getSelection();
    if (this.#held || !selection || selection.isCollapsed || document.querySelector('dialog[open]')) return;
    const range = selection.getRangeAt(0);
    if (this.#text.offsetOf(range.startContainer, range.startOffset) === null) return;
    this.#links.replaceChildren();
    this.#offer(this.#text.offsetOf(range.startContainer, range.startOffset), range);
  }

  /** Offers the actions for an offset next to the pressed element. */
  #offer(offset: number | null, beside: Element | Range): void {
    const { chunking } = this.#session.selected ?? {};
    const box = firstCharacter(beside).getClientRects()[0] ?? firstCharacter(beside).getBoundingClientRect();
    if (!chunking || offset === null) return;
    const { text } = chunking.text;
    const begins = beginsAt(chunking, offset);
    const first = begins < 0 && !text.slice(0, offset).trim(); // no chunk precedes it
    const asks = beside instanceof Range ? this.#maker.offer() : false;
    this.#maker.element.hidden = !asks;
    this.#button.hidden = first;
    if (first && !asks && !this.#links.hasChildNodes()) {
      this.#hide();
      return;
    }
    this.#at = offset;
    const full = begins < 0 ? '' : fullWords(chunking, begins - 1);
    const what = begins < 0 ? shown.edits.splitHere : shown.edits.mergeHere;
    setText(this.#button, full ? `${what} · ${full}` : what);
    setAttribute(this.#button, 'aria-disabled', full ? 'true' : null);
    this.#element.hidden = false;
    this.#element.classList.toggle('seam', begins >= 0);
    const { element } = this.#text;
    element.append(this.#element);
    const view = element.getBoundingClientRect();
    const most = element.clientWidth - this.#element.offsetWidth - 8;
    // At a boundary, the offer goes to the end of its line, where it hides neither the
    // reason nor the text.
    const left =
      begins < 0
        ? Math.max(8, Math.min(box.left - view.left, most))
        : Math.min(endOf(beside) - view.left - this.#element.offsetWidth, most);
    const { style } = this.#element;
    style.left = `${left}px`;
    // On a touch screen, selection handles and the browser's menu take the space above the
    // selection.
    // With links it may be too high for the space above.
    const high = this.#links.hasChildNodes() && box.top - this.#element.offsetHeight < view.top;
    const below = (asks && coarse.matches) || high;
    this.#element.classList.toggle('below', below);
    const top = below
      ? Math.min(
          firstCharacter(beside).getBoundingClientRect().bottom + HANDLE,
          view.bottom - this.#element.offsetHeight,
        )
      : box.top - this.#element.offsetHeight - (begins < 0 ? 4 : 0);
    style.top = `${(asks ? Math.max(view.top + 4, top) : top) - view.top + element.scrollTop}px`;
    style.setProperty('--mark', `${box.left - view.left - left}px`);
  }

  #hide(): void {
    this.#element.hidden = true;
  }

  #do(): void {
    const at = this.#at;
    this.#hide();
    this.#text.element.focus({ preventScroll: true });
    void this.#editor.run(
      (chunking) => {
        const begins = beginsAt(chunking, at);
        if (fullWords(chunking, begins - 1)) return null;
        return begins < 0
          ? { action: 'split', at }
          : { action: 'merge', at: chunking.result.chunks[begins - 1]?.end ?? -1 };
      },
      ({ result }) => shown.edits.count(result.edits.count),
    );
  }
}
