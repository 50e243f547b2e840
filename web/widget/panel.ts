// The search panel: a dialog over the page, or a part of it (`inline`). Loaded when a
// reader begins to search.

import css from './panel.css';
import { address, schemeOf } from './around.ts';
import { Facets } from './facets.ts';
import { button, dayOf, node, noteFollowed, own, picture, pieces, trail } from './parts.ts';
import type { Ask } from './ask/ask.ts';
import { missing } from './missing.ts';
import { keepRecent, recentOf, remember } from './recent.ts';
import { type Options, type Result, type Results, Unavailable } from './site.ts';
import { mayMean, pause } from './slow.ts';
import { type Source, sourceOf } from './source.ts';
import { fill, type Strings, stringsOf } from './strings.ts';

declare const __ASK__: string;

export class Panel {
  readonly #site: Source;
  readonly #s: Strings;
  readonly #box: HTMLElement;
  readonly #dialog: HTMLDialogElement | undefined;
  readonly #input = document.createElement('input');
  readonly #list = node('div', 'list');
  readonly #notes = node('div', 'notes');
  readonly #foot = node('div', 'foot');
  readonly #said = node('div', 'said');
  readonly #clear = button('clear', '');
  readonly #facets: Facets;
  readonly #asking = node('div', 'asking');
  #ask: Promise<Ask> | undefined;
  #options: HTMLElement[] = [];
  #at = -1;
  #turn = 0;
  #shown: Result[] = [];
  #meaning: AbortController | undefined; // of the current question
  #both = false; // whether a query has had results by meaning too

  constructor(
    readonly host: HTMLElement & { language: string },
    root: ShadowRoot,
  ) {
    this.#s = stringsOf(host.language, own(host));
    this.#site = sourceOf(host);
    this.#facets = new Facets(host, this.#s, () => this.#search());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    this.#box = node('div', 'panel');
    this.#box.lang = host.language;
    this.#draw();
    if (host.hasAttribute('inline')) root.append(this.#box);
    else root.append((this.#dialog = this.#frame()));
    if (!this.#dialog) this.#begin(new URLSearchParams(location.search).get('q') ?? '');
  }

  /** Reads the index before the reader types. */
  warm(): void {
    this.#site.open().catch(() => undefined);
  }

  open(query?: string): void {
    if (this.#dialog && !this.#dialog.open) {
      this.#dialog.style.colorScheme = schemeOf(this.host);
      this.#dialog.showModal();
      this.warm();
    }
    this.#input.focus();
    if (query !== undefined && query !== this.#input.value) this.#begin(query);
    else if (!this.#input.value) this.#showRecent();
    else {
      this.#input.select();
      if (this.#facets.moved) void this.#search();
    }
  }

  close(): void {
    this.#dialog?.close();
  }

  /** Implements search() of the element. */
  async api(query: string, options: Options): Promise<unknown> {
    const { filters, page } = this.#facets.options;
    const { found, results } = await this.#site.search(query, {
      ...(!options.filters && { filters, page }),
      ...options,
      ...(this.#both && { meaning: new AbortController().signal }),
    });
    const hits = results.map((r) => ({
      url: r.url,
      title: r.title,
      section: r.sections[0]?.place ?? '',
      excerpt: r.sections[0]?.excerpt ?? '',
      score: r.score,
      meta: r.meta,
      date: r.date,
    }));
    return { count: found.count, hits, corrections: found.corrections, unknown: found.unknown };
  }

  #begin(query: string): void {
    this.#input.value = query;
    void this.#search();
  }

  #frame(): HTMLDialogElement {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('part', 'dialog');
    dialog.setAttribute('aria-label', this.#s.search);
    dialog.append(this.#box);
    dialog.addEventListener('click', (e) => {
      if (e.target === dialog) dialog.close();
    });
    return dialog;
  }

  #draw(): void {
    const input = this.#input;
    Object.assign(input, {
      type: 'search',
      placeholder: this.host.getAttribute('placeholder') ?? this.#s.placeholder,
      autocomplete: 'off',
      spellcheck: false,
      enterKeyHint: 'go',
    });
    input.setAttribute('part', 'input');
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': 'list',
      'aria-label': this.#s.search,
    }))
      input.setAttribute(name, value);
    this.#list.id = 'list';
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', this.#s.results);
    this.#list.setAttribute('part', 'results');
    this.#said.setAttribute('role', 'status');
    this.#notes.setAttribute('role', 'status');
    this.#clear.setAttribute('aria-label', this.#s.clear);
    this.#clear.hidden = true;
    this.#clear.addEventListener('click', () => {
      this.#begin('');
      input.focus();
    });
    input.addEventListener('input', () => void this.#search());
    input.addEventListener('keydown', (e) => this.#key(e));
    const bar = node('div', 'bar');
    bar.append(input, this.#clear);
    if (!this.host.hasAttribute('inline')) {
      const close = button('close', '');
      const [key, word] = [node('span', 'key'), node('span', 'word')];
      key.textContent = 'Esc';
      word.textContent = this.#s.close;
      close.append(key, word);
      close.setAttribute('aria-label', this.#s.close);
      close.addEventListener('click', () => this.close());
      bar.append(close);
    }
    this.#box.append(bar, this.#facets.element, this.#asking, this.#notes, this.#list, this.#foot, this.#said);
  }

  async #search(): Promise<void> {
    const turn = ++this.#turn;
    this.#meaning?.abort();
    const query = this.#input.value;
    this.#offer();
    this.#clear.hidden = !query;
    if (!this.#dialog) address(query);
    if (!query.trim()) {
      this.#showRecent();
      return;
    }
    this.#box.setAttribute('aria-busy', 'true');
    try {
      const options = { typing: true, ...this.#facets.options };
      const results = await this.#site.search(query, options);
      if (turn !== this.#turn) return;
      this.#show(results);
      void this.#mean(query, options, turn);
    } catch (e) {
      if (turn === this.#turn) this.#fail(e);
    } finally {
      if (turn === this.#turn) this.#box.removeAttribute('aria-busy');
    }
  }

  #show(r: Results): void {
    const { found, results } = r;
    const notes = found.corrections.map((c) => fill(this.#s.corrected, c));
    notes.push(...found.unknown.map((word) => fill(this.#s.unknown, { word })));
    if (results.length && found.all > 1 && found.together * 2 < found.all) notes.push(this.#s.apart);
    for (const host of r.missing ?? []) notes.push(fill(this.#s.partly, { host }));
    if (!results.length) notes.unshift(fill(this.#s.none, { query: r.query.trim() }), this.#s.nonHint);
    this.#note(notes);
    this.#facets.show(r);
    if (results.length) this.#offer(r);
    this.#options = [];
    this.#list.replaceChildren(...results.map((page, i) => this.#group(r, page, i)));
    this.#ready();
    this.#counted(r);
    this.#shown = results;
    this.#choose(results.length ? 0 : -1);
    const top = results[0]?.url ?? '';
    this.host.dispatchEvent(
      new CustomEvent('seam:search', {
        bubbles: true,
        composed: true,
        detail: { query: r.query, count: found.count, top, ms: r.ms },
      }),
    );
  }

  /**
   * Searches by meaning after a pause in typing. The focused result and all above it keep
   * their places.
   */
  async #mean(query: string, options: Options, turn: number): Promise<void> {
    if (!this.#site.meant || !mayMean(this.host)) return;
    await pause();
    if (turn !== this.#turn) return;
    this.#meaning = new AbortController();
    const r = await this.#site.search(query, { ...options, meaning: this.#meaning.signal }).catch(() => undefined); // the word search has reported the error
    if (!r || !this.#site.meant || turn !== this.#turn) return;
    const groups = [...this.#list.children];
    const stay = groups.indexOf(this.#options[this.#at]?.parentElement ?? this.#list) + 1;
    this.#both = true;
    if (stay) this.#below(r, groups, stay);
    else this.#show(r);
    this.host.dispatchEvent(
      new CustomEvent('seam:meaning', {
        bubbles: true,
        composed: true,
        detail: { query, count: r.found.count, top: this.#shown[0]?.url ?? '' },
      }),
    );
  }

  /** Shows the other results below the first groups. */
  #below(r: Results, groups: Element[], stay: number): void {
    const page = ({ url }: Result) => url.replace(/#.*/, '');
    const above = this.#shown.slice(0, stay);
    const rest = r.results
      .filter((x) => !above.some((y) => page(x) === page(y)))
      .slice(0, Math.max(0, r.results.length - stay));
    for (const group of groups.slice(stay)) group.remove();
    this.#options = this.#options.filter((o) => o.isConnected);
    this.#list.append(...rest.map((x, i) => this.#group(r, x, stay + i)));
    this.#shown = [...above, ...rest];
    this.#counted(r);
  }

  #counted({ query, found, results }: Results): void {
    const count = !results.length
      ? ''
      : found.count === 1
        ? this.#s.page
        : fill(this.#s.pages, { n: found.count.toLocaleString(this.host.language) });
    this.#footer(count, ...missing(this.host, this.#s, query, found.count));
    this.#said.textContent = count;
  }

  /** Offers an answer from the results if the site has a proxy. */
  #offer(r?: Results): void {
    void this.#ask?.then(
      (ask) => ask.clear(),
      () => undefined,
    );
    this.#asking.replaceChildren();
    if (!r || !this.host.hasAttribute('endpoint')) return;
    const offer = button('offer', this.#s.ask);
    const box = node('div', 'answers');
    offer.addEventListener('click', () => {
      this.#ask = (import(new URL(__ASK__, import.meta.url).href) as Promise<typeof import('./ask/ask.ts')>).then(
        ({ Ask: Part }) =>
          new Part(this.host, box, this.#s, (text) => {
            this.#said.textContent = text;
          }),
      );
      this.#ask.then(
        (ask) => {
          offer.remove();
          ask.begin(r);
        },
        () => this.#note([this.#s.network]),
      );
    });
    this.#asking.append(offer, box);
  }

  /** Creates a page's result with its other sections below. */
  #group(r: Results, page: Result, i: number): HTMLElement {
    const group = node('div', 'page');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', page.title);
    page.sections.forEach((section, j) => {
      const link = this.#option(section.url, `o${i}-${j}`);
      if (this.host.getAttribute('marks') !== 'none')
        link.addEventListener('click', () => noteFollowed(link.href, r, section.from));
      const head = node('span', j ? 'section' : 'title');
      head.append(...pieces(r, j ? section.place || page.title : page.title));
      link.append(head);
      if (!j && page.meta['image'] && this.host.hasAttribute('images')) link.prepend(picture(page));
      const path = j ? [] : trail(page, section.path, section.place);
      if (!j && new URL(page.url).host !== location.host) path.unshift(new URL(page.url).host);
      const day = !j && this.#facets.newest && page.date ? [dayOf(page.date, this.host.language)] : [];
      if (path.length || day.length) {
        const crumbs = node('span', 'path');
        crumbs.append(...pieces(r, [...day, path.join(' › ')].filter(Boolean).join(' · ')));
        link.append(crumbs);
      }
      const text = node('span', 'excerpt');
      text.append(...pieces(r, section.excerpt));
      link.append(text);
      if (j) link.classList.add('sub');
      group.append(link);
    });
    return group;
  }

  #option(href: string, id: string): HTMLAnchorElement {
    const link = document.createElement('a');
    link.href = href;
    link.id = id;
    link.className = 'option';
    link.tabIndex = -1;
    link.setAttribute('role', 'option');
    link.setAttribute('aria-selected', 'false');
    link.setAttribute('part', 'result');
    link.addEventListener('click', () => this.#remember());
    const n = this.#options.push(link) - 1;
    link.addEventListener('pointermove', () => this.#choose(n, false));
    return link;
  }

  #showRecent(): void {
    this.#turn++;
    this.#box.removeAttribute('aria-busy');
    this.#options = [];
    const recent = recentOf();
    this.#facets.clear();
    this.#offer();
    this.#note([]);
    this.#list.replaceChildren();
    if (recent.length) {
      const group = node('div', 'page');
      group.setAttribute('role', 'group');
      group.setAttribute('aria-label', this.#s.recent);
      const head = node('span', 'heading');
      head.setAttribute('role', 'presentation');
      head.textContent = this.#s.recent;
      group.append(head);
      recent.forEach((query, i) => {
        const line = node('div', 'option again');
        line.id = `r${i}`;
        line.setAttribute('role', 'option');
        line.setAttribute('aria-selected', 'false');
        line.textContent = query;
        const n = this.#options.push(line) - 1;
        line.addEventListener('click', () => {
          this.#begin(query);
          this.#input.focus();
        });
        line.addEventListener('pointermove', () => this.#choose(n, false));
        group.append(line);
      });
      this.#list.append(group);
    }
    this.#ready();
    const forget = button('forget', this.#s.forget);
    forget.addEventListener('click', () => {
      keepRecent([]);
      this.#showRecent();
      this.#input.focus();
    });
    this.#footer('', ...(recent.length ? [forget] : []));
    this.#choose(-1);
  }

  #fail(e: unknown): void {
    const kind = e instanceof Unavailable ? e.kind : 'damaged';
    if (!(e instanceof Unavailable)) console.error('seam-search:', e);
    this.#options = [];
    this.#list.replaceChildren();
    this.#ready();
    this.#note([this.#s[kind]]);
    const again = button('again', this.#s.again);
    again.addEventListener('click', () => {
      this.#input.focus();
      void this.#search();
    });
    this.#notes.append(again);
    this.#said.textContent = '';
    this.#footer('');
  }

  #note(lines: string[]): void {
    this.#notes.replaceChildren(
      ...lines.map((line) => {
        const p = document.createElement('p');
        p.textContent = line;
        return p;
      }),
    );
  }

  #footer(count: string, ...actions: HTMLElement[]): void {
    const left = node('span', 'count');
    left.textContent = count;
    const keys = node('span', 'keys');
    keys.textContent = this.#s.keys;
    this.#foot.replaceChildren(left, ...actions, ...(this.#dialog ? [keys] : []));
  }

  #ready(): void {
    this.#input.setAttribute('aria-expanded', String(this.#options.length > 0));
  }

  #choose(n: number, scroll = true): void {
    this.#options[this.#at]?.setAttribute('aria-selected', 'false');
    this.#at = n;
    const option = this.#options[n];
    if (!option) {
      this.#input.removeAttribute('aria-activedescendant');
      return;
    }
    option.setAttribute('aria-selected', 'true');
    this.#input.setAttribute('aria-activedescendant', option.id);
    if (scroll) option.scrollIntoView({ block: 'nearest' });
  }

  #key(e: KeyboardEvent): void {
    const n = this.#options.length;
    if (e.isComposing) return;
    if (e.key === 'ArrowDown' && n) this.#choose((this.#at + 1) % n);
    else if (e.key === 'ArrowUp' && n) this.#choose((this.#at - 1 + n) % n);
    else if (e.key === 'Enter' && this.#options[this.#at]) {
      const option = this.#options[this.#at]!;
      option.dispatchEvent(
        new MouseEvent('click', {
          bubbles: true,
          cancelable: true,
          ctrlKey: e.ctrlKey,
          metaKey: e.metaKey,
          shiftKey: e.shiftKey,
        }),
      );
    } else if (e.key === 'Escape' && this.#dialog) this.close();
    else return;
    e.preventDefault();
  }

  #remember(): void {
    if (this.host.getAttribute('recent') !== 'none') remember(this.#input.value.trim());
    this.close();
  }
}
