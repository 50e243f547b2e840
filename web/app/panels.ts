// The tabs at the right. On a narrow screen the text is a tab among them.

import { h, setAttribute } from './dom.ts';
import { narrow } from './narrow.ts';
import { strings } from './strings.ts';
import { shown } from './strings-views.ts';

export type PanelName = 'text' | 'chunks' | 'search' | 'ask';
/** Of a page without a proxy nothing is asked. */
type PanelSet = Record<Exclude<PanelName, 'ask'>, HTMLElement> & { ask: HTMLElement | null };

export class Panels {
  readonly #tabs = new Map<PanelName, HTMLButtonElement>();
  readonly #panels: PanelSet;
  readonly tablist = h('div', { class: 'tabs', role: 'tablist', 'aria-label': strings.panels });
  #current: PanelName = 'chunks';

  constructor(panels: PanelSet) {
    this.#panels = panels;
    const labels: Record<PanelName, string> = { text: shown.text.tab, chunks: shown.chunks.tab, search: shown.searchTab, ask: shown.askTab };
    for (const name of ['text', 'chunks', 'search', 'ask'] as const) {
      const panel = panels[name];
      if (!panel) continue;
      const tab = h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': panel.id }, labels[name]);
      tab.addEventListener('click', () => this.show(name));
      tab.addEventListener('keydown', (event) => this.#walk(event));
      this.#tabs.set(name, tab);
      this.tablist.append(tab);
    }
    narrow.addEventListener('change', () => this.show(narrow.matches ? 'text' : 'chunks'));
    this.show(narrow.matches ? 'text' : 'chunks');
  }

  /** On a wide screen the text is always there and needs no tab. */
  show(name: PanelName): void {
    if (name === 'text' && !narrow.matches) return;
    this.#current = name;
    const focused = Object.values(this.#panels).find((panel) => panel?.contains(document.activeElement));
    for (const [other, tab] of this.#tabs) {
      const on = other === name;
      tab.hidden = other === 'text' && !narrow.matches;
      setAttribute(tab, 'aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
      const panel = this.#panels[other];
      if (!panel) continue;
      panel.hidden = !on && (other !== 'text' || narrow.matches);
      setAttribute(panel, 'role', other === 'text' && !narrow.matches ? 'region' : 'tabpanel');
    }
    // A passage that was followed out of its panel is read on in the text.
    if (focused?.hidden) (name === 'text' ? this.#panels.text : this.#tabs.get(name))?.focus({ preventScroll: true });
  }

  /** Brings the panels into view where they stand below everything else. */
  scrollIntoView(): void {
    // The tabs stick to the top, so that their own place tells nothing: their panel's does.
    if (narrow.matches) this.#panels[this.#current]?.scrollIntoView({ block: 'start' });
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
