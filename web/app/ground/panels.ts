// The tabs and their panels. On a wide screen the tabs are in the header, and the panel is next
// to the text; on a narrow one the text is one of them. `data-place` of the body names the
// panel shown, for the styles that give it room.

import { button, h, setAttribute, setText } from './dom.ts';
import { narrow } from './narrow.ts';
import type { Sheet } from './sheet.ts';
import { strings } from '../words/en/page.ts';

/** A panel. Each has its view in a separate file, and a row in document-views.ts. */
export interface Panel {
  name: string;
  /** The label of its tab. */
  label: string;
  element: HTMLElement;
}

const TEXT = 'text';

export class Panels {
  readonly #tabs = new Map<string, HTMLButtonElement>();
  readonly #panels = new Map<string, HTMLElement>();
  readonly #first: string;
  #current = '';
  /** The tabs, and on a narrow screen a button for the sheet. */
  readonly #parts: HTMLElement;

  /**
   * Adds the panels to `rail`. On a wide screen the tabs go before `corner`. The first of the
   * others is shown until the user chooses one.
   */
  constructor(
    text: HTMLElement,
    label: string,
    others: readonly [Panel, ...Panel[]],
    { sheet, rail, corner }: { sheet: Sheet; rail: HTMLElement; corner: HTMLElement },
  ) {
    const tablist = h('div', { class: 'tabs', role: 'tablist', 'aria-label': strings.panels });
    const toSheet = button('', () => sheet.open(), { class: 'to-sheet', title: strings.sheet.open });
    this.#parts = h('div', { class: 'parts' }, tablist, toSheet);
    const add = (name: string, words: string, panel: HTMLElement) => {
      const tab = h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': panel.id }, words);
      tab.addEventListener('click', () => this.show(name));
      tab.addEventListener('keydown', (event) => this.#walk(event));
      this.#tabs.set(name, tab);
      this.#panels.set(name, panel);
      tablist.append(tab);
    };
    add(TEXT, label, text);
    for (const { name, label: words, element } of others) {
      const panel = h('div', { id: `panel-${name}`, role: 'tabpanel', 'aria-labelledby': `tab-${name}` }, element);
      add(name, words, panel);
      rail.append(panel);
    }
    this.#first = others[0].name;
    const begin = () => {
      if (narrow.matches) rail.prepend(this.#parts);
      else corner.before(this.#parts);
      setText(toSheet, narrow.matches ? strings.sheet.tab : strings.documents.title);
      this.show(narrow.matches ? TEXT : this.#first);
    };
    narrow.addEventListener('change', begin);
    begin();
  }

  /** Shows a panel. On a wide screen the text is always visible and needs no tab. */
  show(name: string): void {
    if (name === TEXT && !narrow.matches) return;
    this.#current = name;
    document.body.dataset['place'] = name;
    const focused = [...this.#panels.values()].find((panel) => panel.contains(document.activeElement));
    for (const [other, tab] of this.#tabs) {
      const on = other === name;
      tab.hidden = other === TEXT && !narrow.matches;
      setAttribute(tab, 'aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
      const panel = this.#panels.get(other);
      if (!panel) continue;
      panel.hidden = !on && (other !== TEXT || narrow.matches);
      setAttribute(panel, 'role', other === TEXT && !narrow.matches ? 'region' : 'tabpanel');
    }
    // After a passage was followed from its panel, the focus moves to the text.
    if (focused?.hidden) (name === TEXT ? this.#panels : this.#tabs).get(name)?.focus({ preventScroll: true });
  }

  #walk(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = [...this.#tabs].filter(([, tab]) => !tab.hidden).map(([name]) => name);
    const next = names[(names.indexOf(this.#current) + step + names.length) % names.length];
    if (!next) return;
    this.show(next);
    this.#tabs.get(next)?.focus();
  }
}
