// Opens the grid, which compares many settings at once. It is a separate bundle.

import type { ViewText } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Tried } from './tried.ts';
import type { GridPlaces, GridView } from './grid-view.ts';
import { loader } from '../ground/loader.ts';
import { explain } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

declare const __GRID__: string;
declare const __GRID_INTEGRITY__: string;

const loadGrid = loader<{ GridView: new (places: GridPlaces) => GridView }>(__GRID__, __GRID_INTEGRITY__);
const words = shown.compare;

export class GridOpener {
  readonly #places: GridPlaces;
  /** Remembers the measurements of this visit. */
  #view: GridView | null = null;
  readonly #trouble = h('span', { class: 'error', role: 'alert' });
  readonly element = h(
    'span',
    { class: 'many' },
    button(words.grid, () => void this.#open(), { class: 'link', title: words.gridTitle }),
    this.#trouble,
  );

  constructor(places: GridPlaces) {
    this.#places = places;
  }

  /** Returns the result of the last run over a text, for a report. */
  tried(text: ViewText): Tried | null {
    return this.#view?.tried(text) ?? null;
  }

  async #open(): Promise<void> {
    setText(this.#trouble, '');
    try {
      const { GridView } = await loadGrid();
      this.#view ??= new GridView(this.#places);
      this.#view.open();
    } catch (cause) {
      setText(this.#trouble, explain(SeamError.from(cause)).message);
    }
  }
}
