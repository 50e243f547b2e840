// The list of example documents: on the empty page, and in a dialog later.

import { button, h, setAttribute, setText } from '../ground/dom.ts';
import type { Example, Gallery } from './gallery.ts';
import { first } from '../words/en/first.ts';

const words = first.gallery;

export class GalleryView {
  readonly #gallery: Gallery;
  readonly #rows: { example: Example; row: HTMLButtonElement; size: HTMLElement }[];
  readonly element: HTMLElement;

  /** `open` is called with the chosen example. */
  constructor(gallery: Gallery, open: (example: Example) => void) {
    this.#gallery = gallery;
    this.#rows = gallery.examples.map((example) => {
      const size = h('span', { class: 'size' });
      const { kind, look } = words.about[example.name] ?? example;
      const row = button(
        '',
        () => {
          if (gallery.has(example)) open(example);
        },
        { class: 'example' },
      );
      row.append(
        sketch(example.curve),
        h('span', { class: 'kind' }, kind),
        ' ',
        h('strong', { lang: example.language ?? 'en' }, example.title),
        ' ',
        h('span', { class: 'look' }, look),
        ' ',
        size,
      );
      return { example, row, size };
    });
    this.element = h('ul', { class: 'examples' }, ...this.#rows.map(({ row }) => h('li', {}, row)));
    gallery.on('changed', () => this.#show());
    this.#show();
  }

  #show(): void {
    for (const { example, row, size } of this.#rows) {
      const here = this.#gallery.has(example);
      setAttribute(row, 'aria-disabled', here ? null : 'true'); // stays focusable and readable
      setText(size, here ? words.size(example.pages ?? 0, example.words, example.bytes) : words.away);
    }
  }
}

/** Draws a small curve of a document with its cuts. */
function sketch(curve: string): HTMLElement {
  return h(
    'span',
    { class: 'sketch', 'aria-hidden': 'true' },
    ...[...curve].map((letter) => {
      const cut = letter >= 'a';
      const bar = h('i', { class: cut ? 'high' : null });
      bar.style.blockSize = `${12 + (88 * (cut ? letter.charCodeAt(0) - 97 : Number(letter))) / 9}%`;
      return bar;
    }),
  );
}
