// <seam-search>: the trigger. Until a reader begins to search, a page loads nothing else of
// the widget: no request is made, and the layout does not change.

import { backOf } from './back.ts';
import { followed } from './followed.ts';
import type { Panel } from './panel.ts';

declare const __PANEL__: string;
declare const __MARKS__: string;

/** The API of a browser with WebMCP: https://webmachinelearning.github.io/webmcp/ */
type Agents = Document & {
  modelContext?: { registerTool(tool: object, options: { signal: AbortSignal }): Promise<void> };
};

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

const css = `:host{display:inline-block;font:inherit}:host([hidden]){display:none}:host([inline]){display:block}
button{font:inherit;display:inline-flex;align-items:center;gap:.5em;min-height:2.5em;padding:.3em .8em;border:1px solid var(--seam-border,color-mix(in srgb,currentColor 30%,transparent));border-radius:var(--seam-radius,.5em);background:var(--seam-trigger-background,transparent);color:var(--seam-trigger-text,inherit);cursor:pointer}
button:focus-visible{outline:2px solid var(--seam-accent,Highlight);outline-offset:2px}
svg{width:1em;height:1em;flex:none}kbd{font:inherit;font-size:.75em;opacity:.75;border:1px solid;border-radius:.3em;padding:0 .35em}
[role=alert]{margin:.3em 0 0;font-size:.85em}
@media(pointer:coarse){kbd{display:none}button{min-height:2.75em}}`;

const gone: Record<string, string> = {
  en: 'The search could not be loaded. Try again.',
  de: 'Die Suche konnte nicht geladen werden. Versuchen Sie es noch einmal.',
  fr: 'La recherche n’a pas pu être chargée. Réessayez.',
  es: 'No se pudo cargar la búsqueda. Inténtelo de nuevo.',
  zh: '无法加载搜索，请重试。',
  ar: 'تعذر تحميل البحث. حاول مرة أخرى.',
};
const words: Record<string, string> = { de: 'Suche', fr: 'Rechercher', es: 'Buscar', zh: '搜索', ar: 'بحث' };

class SeamSearch extends HTMLElement {
  #panel: Promise<Panel> | undefined;
  #ending: AbortController | undefined;
  #failures = 0; // to load the panel

  /**
   * The language of the site by the nearest `lang`. English if that names none for which
   * browsers can format numbers.
   */
  get language(): string {
    const [name = ''] = ((this.closest('[lang]') as HTMLElement | null)?.lang || document.documentElement.lang)
      .toLowerCase()
      .split(/[-_]/);
    return /^[a-z]{2,3}$/.test(name) ? name : 'en';
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
    if (!root.firstChild) this.#draw(root);
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    document.addEventListener(
      'keydown',
      (e) => {
        if (this.#isShortcut(e)) {
          e.preventDefault();
          void this.open();
        }
      },
      { signal },
    );
    const field = this.getAttribute('for');
    if (field) this.#take(field, signal);
    if (this.hasAttribute('inline')) void this.#load();
    if (this.getAttribute('marks') !== 'none') this.#mark();
    if (this.getAttribute('agents') !== 'none') this.#offer(signal);
    const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (loaded?.type === 'back_forward') this.#back();
    addEventListener('pageshow', (e) => e.persisted && this.#back(), { signal });
    addEventListener('popstate', () => this.#back(), { signal });
  }

  /** Shows the search again after Back from a result. */
  #back(): void {
    const back = backOf(this);
    if (!back) return;
    void this.#load().then(
      (p) => p.open(back.query, back.url),
      () => undefined,
    );
  }

  /**
   * Closes the dialog, because one that was moved with its element is no longer modal but
   * still counts as open.
   */
  disconnectedCallback(): void {
    this.#ending?.abort();
    this.#panel?.then(
      (p) => p.close(),
      () => undefined,
    );
  }

  /** Opens the search, optionally with a query. */
  async open(query?: string): Promise<void> {
    try {
      (await this.#load()).open(query);
    } catch (e) {
      this.#gone(e);
    }
  }

  /** Says below the trigger that the search could not be loaded. The next try loads it anew. */
  #gone(cause: unknown): void {
    console.error('seam-search:', cause);
    const root = this.shadowRoot!;
    root.querySelector('[role=alert]')?.remove();
    const line = document.createElement('p');
    line.setAttribute('role', 'alert');
    line.textContent = gone[this.language] ?? gone['en']!;
    root.append(line);
  }

  async close(): Promise<void> {
    (await this.#load()).close();
  }

  /** Returns the results, best first, without showing them. */
  async search(
    query: string,
    options: { k?: number; filters?: Record<string, string[]>; newest?: boolean } = {},
  ): Promise<unknown> {
    return (await this.#load()).api(query, options);
  }

  /**
   * Offers the search as a tool to the browser's agent through WebMCP, if available. If a
   * page has several, the first is offered.
   */
  #offer(signal: AbortSignal): void {
    const tool = {
      name: 'search_site',
      description: 'Search the pages of this site. Returns the best sections with address, title and excerpt.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string' }, k: { type: 'integer', minimum: 1, maximum: 50 } },
        required: ['query'],
      },
      annotations: { readOnlyHint: true },
      execute: ({ query, k = 10 }: { query: string; k?: number }) => this.search(query, { k }),
    };
    void Promise.resolve((document as Agents).modelContext?.registerTool(tool, { signal })).catch(() => undefined);
  }

  /** Marks the words on a page opened from a result. */
  #mark(): void {
    try {
      if (!sessionStorage.getItem(followed)) return;
    } catch {
      return; // storage is blocked
    }
    void (import(new URL(__MARKS__, import.meta.url).href) as Promise<typeof import('./marks.ts')>).then(
      (m) => m.mark(),
      () => undefined,
    );
  }

  #load(): Promise<Panel> {
    if (this.#panel) return this.#panel;
    const at = new URL(__PANEL__, import.meta.url);
    if (this.#failures) at.search = `${this.#failures}`; // a browser may keep a failure
    this.#panel = (import(at.href) as Promise<typeof import('./panel.ts')>).then(({ Panel: Part }) => {
      this.shadowRoot!.querySelector('[role=alert]')?.remove();
      return new Part(this, this.shadowRoot!);
    });
    this.#panel.catch(() => {
      this.#panel = undefined;
      this.#failures++;
    });
    return this.#panel;
  }

  #draw(root: ShadowRoot): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    if (this.hasAttribute('inline') || this.hasAttribute('for')) return;
    const slot = document.createElement('slot');
    slot.name = 'trigger';
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('part', 'trigger');
    button.setAttribute('aria-haspopup', 'dialog');
    button.append(glass(), this.getAttribute('label') ?? words[this.language] ?? 'Search');
    if (this.#shortcut) {
      const key = document.createElement('kbd');
      key.textContent = this.#shortcut.replace('mod+', isMac ? '⌘' : 'Ctrl ').replace(/\w$/, (c) => c.toUpperCase());
      key.setAttribute('aria-hidden', 'true');
      button.append(key);
      button.setAttribute('aria-keyshortcuts', this.#shortcut.replace('mod', isMac ? 'Meta' : 'Control'));
    }
    slot.append(button);
    slot.addEventListener('click', () => void this.open());
    const warm = () =>
      void this.#load().then(
        (p) => p.warm(),
        () => undefined,
      );
    slot.addEventListener('pointerenter', warm, { once: true });
    slot.addEventListener('focusin', warm, { once: true });
    root.append(slot);
  }

  get #shortcut(): string {
    const own = this.getAttribute('shortcut');
    return own === 'none' ? '' : (own ?? 'mod+k');
  }

  #isShortcut(e: KeyboardEvent): boolean {
    const [key, ...with_] = this.#shortcut.toLowerCase().split('+').reverse();
    if (!key || e.key?.toLowerCase() !== key || e.defaultPrevented) return false; // an event without a key: Chromium has autofilled a field
    const mod = (with_.includes('mod') && !isMac) || with_.includes('ctrl');
    const meta = (with_.includes('mod') && isMac) || with_.includes('meta');
    const typing =
      !with_.length &&
      e
        .composedPath()
        .some((n) => n instanceof HTMLElement && (n.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(n.tagName)));
    return !typing && e.ctrlKey === mod && e.metaKey === meta && e.altKey === with_.includes('alt');
  }

  /** Opens the search from the theme's own field, with the text typed into it. */
  #take(selector: string, signal: AbortSignal): void {
    const field = document.querySelector<HTMLInputElement>(selector);
    if (!field) {
      console.warn(`seam-search: for="${selector}" is no element of this page`);
      return;
    }
    const open = () => {
      const typed = field.value;
      field.value = '';
      void this.open(typed);
    };
    // Text from an input method is taken when the composition is complete.
    field.addEventListener(
      'input',
      (e) => {
        if (field.value && !(e as InputEvent).isComposing) open();
      },
      { signal },
    );
    field.addEventListener('compositionend', open, { signal });
    field.addEventListener('click', open, { signal });
    field.addEventListener(
      'keydown',
      (e) => {
        if (e.key === 'Enter' && !e.isComposing) {
          e.preventDefault();
          open();
        }
      },
      { signal },
    );
    field.form?.addEventListener('submit', (e) => e.preventDefault(), { signal });
  }
}

function glass(): SVGElement {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  const path = document.createElementNS(ns, 'path');
  for (const [name, value] of Object.entries({
    viewBox: '0 0 16 16',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.6',
    'stroke-linecap': 'round',
    'aria-hidden': 'true',
  }))
    svg.setAttribute(name, value);
  path.setAttribute('d', 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14');
  svg.append(path);
  return svg;
}

if (!customElements.get('seam-search')) customElements.define('seam-search', SeamSearch);
