// Shows the selected document as it would look as HTML, built from its text and elements
// only, with the chunks marked. A separate bundle that page-switch.ts loads on first use.

import style from '../../styles/look.css';
import type { ViewText } from '../../lib/api.ts';
import { COLOURS } from '../../lib/colours.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import { caretAt } from '../ground/caret.ts';
import type { Doc, Passage } from '../session/doc.ts';
import { adopt, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { Look } from './look.ts';
import { words as said } from '../words/en/look.ts';

/**
 * Limits in UTF-16 units and estimated nodes. Beyond them, the browser needs seconds for
 * the layout.
 */
const MOST = { units: 5_000_000, nodes: 150_000 };
/**
 * If the first match is further into its passage than this, the match itself is scrolled
 * into view, as in the text.
 */
const FAR = 250;

/** The highlights defined in look.css, lowest first. */
const NAMES = [...Array.from({ length: COLOURS }, (_, i) => `look-${i}`), 'look-passage', 'look-sentence', 'look-word'];

adopt(style);

export class LookView {
  readonly #session: Session;
  readonly #colourOf: (start: number) => number;
  readonly #message = h('p', { class: 'message', role: 'status' });
  readonly #place = h('div');
  readonly element = h(
    'div',
    { class: 'own-look', role: 'region', tabindex: 0, 'aria-describedby': 'look-note', hidden: true },
    h('p', { class: 'said', id: 'look-note' }, said.note),
    this.#message,
    this.#place,
  );
  readonly #marks = new Map<string, Highlight>();
  #on = false;
  #shown: { doc: Doc; text: ViewText; look: Look } | null = null;
  #passage: Passage | null = null;

  /** `colourOf` returns the colour of the chunk that starts at an offset. */
  constructor(session: Session, colourOf: (start: number) => number) {
    this.#session = session;
    this.#colourOf = colourOf;
    if ('highlights' in CSS) {
      NAMES.forEach((name, priority) => {
        const highlight = new Highlight();
        highlight.priority = priority;
        this.#marks.set(name, highlight);
        CSS.highlights.set(name, highlight);
      });
    }
    for (const event of ['selected', 'documents', 'chunked'] as const) session.on(event, () => this.#update());
    session.on('moved', (doc) => {
      if (doc === this.#shown?.doc) this.#markChunks();
    });
    session.on('passage', (passage) => this.goTo(passage));
    this.element.addEventListener('click', (event) => this.#press(event));
  }

  show(): void {
    this.element.hidden = false;
    this.#on = true;
    this.#update();
  }

  /** Hides the view and frees its memory. */
  hide(): void {
    this.element.hidden = true;
    this.#on = false;
    this.#clear('');
  }

  /** Marks a passage and scrolls to it; null clears the mark. */
  goTo(passage: Passage | null): void {
    this.#passage = passage;
    this.#markPassage();
    if (passage) this.#bring(passage);
  }

  #update(): void {
    if (!this.#on) return;
    const doc = this.#session.selected;
    const text = doc?.state === 'ready' ? doc.chunking?.text : undefined;
    if (!doc || !text) this.#clear(doc ? said.waiting : '');
    else if (text !== this.#shown?.text && tooMuch(text)) this.#clear(said.tooLong);
    else {
      if (this.#shown?.text !== text) this.#set(doc, text);
      this.#markChunks();
    }
  }

  #set(doc: Doc, text: ViewText): void {
    this.#clear('');
    const look = new Look(text);
    this.#shown = { doc, text, look };
    this.element.setAttribute('aria-label', said.label(doc.name));
    this.#place.replaceChildren(look.element);
    this.element.scrollTop = 0;
    this.goTo(this.#passage);
  }

  #clear(message: string): void {
    setText(this.#message, message);
    this.#message.hidden = !message;
    this.#shown = null;
    this.#place.replaceChildren();
    for (const highlight of this.#marks.values()) highlight.clear();
  }

  #mark(name: string, start: number, end: number): void {
    const range = this.#shown?.look.range(start, end);
    if (range) this.#marks.get(name)?.add(range);
  }

  #markChunks(): void {
    for (let colour = 0; colour < COLOURS; colour++) this.#marks.get(`look-${colour}`)?.clear();
    for (const { start, end } of this.#shown?.doc.chunking?.result.chunks ?? [])
      this.#mark(`look-${this.#colourOf(start)}`, start, end);
  }

  #markPassage(): void {
    for (const name of NAMES.slice(COLOURS)) this.#marks.get(name)?.clear();
    const { doc, start, end, passage, marks } = this.#passage ?? {};
    if (!doc || doc !== this.#shown?.doc || start === undefined || end === undefined) return;
    this.#mark('look-passage', start, end);
    if (passage) this.#mark('look-sentence', start + passage[0], start + passage[1]);
    for (const [from, to] of marks ?? []) this.#mark('look-word', start + from, start + to);
  }

  /** Scrolls to the passage, or to its best place, unless it is in view. */
  #bring({ doc, start, passage, focus }: Passage): void {
    if (doc !== this.#shown?.doc) return;
    const offset = focus > FAR ? start + focus : start + (passage?.[0] ?? 0);
    const words = this.#shown.look.range(offset, offset + 1)?.startContainer.parentElement;
    const [box, view] = [words?.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (!words || !box || (box.top >= Math.max(0, view.top) && box.bottom <= Math.min(innerHeight, view.bottom)))
      return;
    words.scrollIntoView({ block: 'center', behavior: 'instant' });
  }

  /** Selects the sentence at a press. */
  #press({ clientX, clientY }: MouseEvent): void {
    const { doc, look } = this.#shown ?? {};
    const caret = caretAt(clientX, clientY);
    const offset = caret && look ? look.offsetOf(caret.node, caret.offset) : null;
    const sentences = doc?.chunking?.sentences;
    if (!doc || !sentences || offset === null || getSelection()?.isCollapsed === false) return;
    const at = sentenceAt(sentences, offset);
    const [start, end] = sentences.subarray(2 * at, 2 * at + 2);
    if (start === undefined || end === undefined) return;
    void this.#session.reveal({ doc, start, end, page: '', marks: [], passage: null, focus: 0 });
  }
}

/**
 * Reports whether the look would exceed the limits. Each line, each element and each
 * possibly empty cell counts as one node.
 */
function tooMuch({ text, elements }: ViewText): boolean {
  if (text.length > MOST.units) return true;
  let nodes = elements.length / 3;
  for (const mark of ['\n', '|'])
    for (let at = text.indexOf(mark); at >= 0 && nodes <= MOST.nodes; at = text.indexOf(mark, at + 1)) nodes++;
  return nodes > MOST.nodes;
}
