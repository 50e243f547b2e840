// The card of a chunk in the list.

import type { Chunk } from '../../lib/api.ts';
import { withoutHidden } from '../../lib/marks.ts';
import { cutKindOf } from '../../lib/cut-kinds.ts';
import { withoutTitles } from '../../lib/without-titles.ts';
import { type TopicPart } from '../../lib/topic-parts.ts';
import type { Chunking } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import { length, strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

/** The most characters of a chunk in the list, enough for two wide lines. */
const PREVIEW = 320;

/** The parts of a card that do not come from its chunk. */
export interface Look {
  colour: number;
  topic: TopicPart | null;
  warning: string;
  /** The tokens of the longest chunk. */
  longest: number;
}

/**
 * The card of one chunk. Cards are reused because most of a list stays when the threshold
 * moves.
 */
export class Card {
  readonly #meta = h('small');
  /** The same without the numbers behind the reason, unless all settings are shown. */
  readonly #plain = h('span', { class: 'plain-meta' });
  readonly #section = h('span', { class: 'section', dir: 'auto' });
  readonly #text = h('span', { class: 'preview', dir: 'auto' });
  readonly #warning = h('span', { class: 'warning' });
  /** A bar of the chunk's length. The tools cover it. */
  readonly #bar = h('span', { class: 'length' });
  readonly #button: HTMLButtonElement;
  readonly element: HTMLLIElement;
  chunk: Chunk | null = null;

  constructor(go: (card: Card) => void) {
    this.#button = button('', () => go(this), { class: 'card' });
    this.#button.append(this.#plain, this.#meta, this.#text, this.#bar);
    this.element = h('li', {}, this.#button);
  }

  /** Shows a chunk. `warning` names the fault of the cut at its end, and the remedy. */
  update(
    chunk: Chunk,
    index: number,
    { text, result, unit }: Chunking,
    { colour, topic, warning, longest }: Look,
  ): void {
    this.chunk = chunk;
    const pages =
      result.chunks.length > 0 && (text.pages.length > 1 || chunk.labels)
        ? strings.pagesOf(chunk.pages, chunk.labels)
        : '';
    const size = length(chunk.tokens, unit);
    setText(this.#meta, shown.chunks.meta(index + 1, pages, size, chunk.reason, topic));
    const ends = index + 1 < result.chunks.length ? shown.cutBy[cutKindOf(chunk.reason)] : '';
    setText(this.#plain, shown.chunks.plain(index + 1, pages, size, ends));
    const titles = chunk.header || chunk.section;
    setText(this.#section, shown.chunks.section(titles));
    if (!titles) this.#section.remove();
    else if (!this.#section.parentNode) this.#meta.after(this.#section);
    const words = withoutHidden(text, chunk.start, Math.min(chunk.end, chunk.start + PREVIEW)).trim();
    setText(this.#text, withoutTitles(words, chunk.section));
    this.#bar.style.setProperty('--share', String(longest > 0 ? chunk.tokens / longest : 0));
    setText(this.#warning, warning);
    if (!warning) this.#warning.remove();
    else if (!this.#warning.parentNode) this.#bar.before(this.#warning);
    this.#button.dataset['colour'] = String(colour);
  }

  focus(): void {
    this.#button.focus();
  }

  set current(on: boolean) {
    this.#button.toggleAttribute('aria-current', on);
    if (on) this.#button.setAttribute('aria-current', 'true');
  }
}

/** Reports whether a change by hand made a chunk longer than the method's own maximum. */
export function isLong({ tokens }: Chunk, { result: { maxTokens, edits }, followed }: Chunking): boolean {
  return edits.count > 0 && !followed.maxTokens && maxTokens > 0 && tokens > maxTokens;
}
