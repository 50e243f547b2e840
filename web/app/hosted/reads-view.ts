// The choice of the text to read for a question: the best passages, or all of the shown document or of
// one of its sections.

import { h, setText } from '../ground/dom.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { hosted } from '../words/en/hosted.ts';
import type { Range } from './whole.ts';

const words = hosted.ask;

/** The deepest headings that are listed, and the most. */
const DEEPEST = 2;
const MOST = 100;

/** Returns the ranges of a document and of its sections. */
export function rangesOf(doc: Doc, { result: { chunks }, text }: Chunking): Range[] {
  const whole = { doc, title: doc.name, from: 0, to: chunks.length };
  const sections = text.headings.flatMap(({ level, start, end }, i) => {
    if (level > DEEPEST) return [];
    const next = text.headings.find((other, k) => k > i && other.level <= level);
    const stop = next?.start ?? text.text.length;
    const from = chunks.findIndex((chunk) => chunk.end > start);
    const after = chunks.findIndex((chunk) => chunk.start >= stop);
    const title = text.text
      .slice(start, end)
      .replace(/^#+\s*/, '')
      .trim();
    return from < 0 || !title ? [] : [{ doc, title, from, to: after < 0 ? chunks.length : after }];
  });
  return [whole, ...sections.slice(0, MOST)];
}

export class ReadsView {
  readonly #session: Session;
  readonly #select = h('select', { id: 'reads' });
  readonly element = h(
    'div',
    { class: 'field inline', hidden: true },
    h('label', { for: 'reads' }, words.reads),
    this.#select,
  );
  #ranges: readonly Range[] = [];
  #of: Chunking | null = null;

  /** `chosen` is called when the choice changes. */
  constructor(session: Session, chosen: () => void) {
    this.#session = session;
    this.#select.addEventListener('change', chosen);
    const update = () => {
      const before = this.range;
      this.#update();
      if (before && !this.range) chosen();
    };
    for (const event of ['selected', 'chunked', 'documents'] as const) session.on(event, update);
    this.#update();
  }

  /** The chunks to read; null for the best passages. */
  get range(): Range | null {
    return this.#ranges[this.#select.selectedIndex - 1] ?? null;
  }

  /** `alone`: no model can answer. */
  show(alone: boolean): void {
    this.element.hidden = alone || this.#ranges.length === 0;
  }

  #update(): void {
    const doc = this.#session.selected;
    const chunking = doc?.state === 'ready' ? doc.chunking : null;
    if (chunking === this.#of) return;
    this.#of = chunking;
    this.#ranges = doc && chunking ? rangesOf(doc, chunking) : [];
    this.#select.replaceChildren(
      h('option', {}, words.best),
      ...this.#ranges.map(({ title, from, to }, i) => {
        const option = h('option', {});
        setText(option, i === 0 ? words.wholeDocument(title, to - from) : words.wholeSection(title, to - from));
        return option;
      }),
    );
  }
}
