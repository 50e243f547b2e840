// The search panel: a dialog over the page, or a part of it (`inline`). Loaded when a
// reader begins to search.

import css from './panel.css';
import { address, schemeOf } from './around.ts';
import { noteBack } from './back.ts';
import { Facets } from './facets.ts';
import { button, dayOf, node, noteFollowed, own, picture, pieces, trail } from './parts.ts';
import { missing } from './missing.ts';
import { Offer } from './offer.ts';
import { keepRecent, recentGroup, recentOf, remember } from './recent.ts';
import { type Options, type Result, type Results } from './site.ts';
import { Unavailable } from './files.ts';
import { mayMean, pause } from './slow.ts';
import { type Source, sourceOf } from './source.ts';
import { fill, type Strings, stringsOf } from './strings.ts';

const longestWait = 80; // for a vector before the list is shown by words, in milliseconds
const longestSilence = 400; // before a search says that it is at work

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
  readonly #offer: Offer;
  #options: HTMLElement[] = [];
  #at = -1;
  #turn = 0;
  #shown: Result[] = [];
  #meaning: AbortController | undefined; // of the current question
  #both = false; // whether a query has had results by meaning too
  #moved = false; // whether the reader has moved in the list since it appeared
  #followed = false; // whether the dialog closes because a result was followed
  #want = ''; // the address of the result to choose, after Back

  constructor(
    readonly host: HTMLElement & { language: string },
    root: ShadowRoot,
  ) {
    this.#s = stringsOf(host.language, own(host));
    this.#site = sourceOf(host);
    this.#offer = new Offer(host, this.#s, this.#said, (line) => this.#note([line]));
    this.#facets = new Facets(host, this.#s, () => this.#search());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    this.#box = node('div', 'panel');
    this.#box.lang = host.language;
    this.#draw();
    for (const event of ['wheel', 'touchmove', 'pointerdown'])
      this.#list.addEventListener(event, () => (this.#moved = true), { passive: true });
    if (host.hasAttribute('inline')) root.append(this.#box);
    else root.append((this.#dialog = this.#frame()));
    if (!this.#dialog) this.#begin(new URLSearchParams(location.search).get('q') ?? '');
  }

  /** Reads the index before the reader types. */
  warm(): void {
    this.#site.open().catch(() => undefined);
  }

  /** Opens the search. With `at`, the result with this address is chosen. */
  open(query?: string, at = ''): void {
    this.#want = at;
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
    await this.#site.open();
    const { found, results } = await this.#site.search(query, {
      typing: true,
      ...(!options.filters && { filters, page }),
      ...options,
      ...(this.#site.meant && mayMean(this.host) && { meaning: new AbortController().signal }),
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
    dialog.addEventListener('close', () => {
      if (!this.#followed) noteBack(this.host);
      this.#followed = false;
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
    this.#box.append(bar, this.#facets.element, this.#offer.element, this.#notes, this.#list, this.#foot, this.#said);
  }

  async #search(): Promise<void> {
    const turn = ++this.#turn;
    this.#meaning?.abort();
    const query = this.#input.value;
    this.#offer.show();
    this.#clear.hidden = !query;
    if (!this.#dialog) address(query);
    if (!query.trim()) {
      this.#showRecent();
      return;
    }
    this.#box.setAttribute('aria-busy', 'true');
    const late = setTimeout(() => {
      if (turn === this.#turn) this.#note([this.#s.searching]);
    }, longestSilence);
    try {
      const options = { typing: true, ...this.#facets.options };
      const first = (r: Results) => {
        if (turn === this.#turn) this.#show(r, true);
      };
      const results = await this.#site.search(query, this.#both ? options : { ...options, first });
      if (turn !== this.#turn) return;
      const meant = this.#both ? this.#byMeaning(query, options) : undefined;
      const both = meant && (await Promise.race([meant, pause(longestWait).then(() => undefined)]));
      if (turn !== this.#turn) return;
      this.#show(both ?? results);
      if (both) this.#meant(query, both);
      else
        void this.#mean(
          query,
          turn,
          meant ?? pause().then(() => (turn === this.#turn ? this.#byMeaning(query, options) : undefined)),
        );
    } catch (e) {
      if (turn === this.#turn) this.#fail(e);
    } finally {
      clearTimeout(late);
      if (turn === this.#turn) this.#box.removeAttribute('aria-busy');
    }
  }

  /** Shows results. With `more`, others follow. */
  #show(r: Results, more = false): void {
    const { found, results } = r;
    const notes = found.corrections.map((c) => fill(this.#s.corrected, c));
    notes.push(...found.unknown.map((word) => fill(this.#s.unknown, { word })));
    if (results.length && found.all > 1 && found.together * 2 < found.all) notes.push(this.#s.apart);
    for (const host of r.missing ?? []) notes.push(fill(this.#s.partly, { host }));
    if (!results.length) notes.unshift(fill(this.#s.none, { query: r.query.trim() }), this.#s.nonHint);
    this.#note(notes);
    this.#facets.show(r);
    if (results.length && !more) this.#offer.show(r);
    this.#options = [];
    this.#list.replaceChildren(...results.map((page, i) => this.#group(r, page, i)));
    this.#ready();
    this.#counted(r);
    this.#shown = results;
    this.#moved = this.#want !== '';
    const back = this.#options.findIndex((o) => (o as HTMLAnchorElement).href === this.#want);
    this.#choose(results.length ? Math.max(0, back) : -1);
    if (more) return;
    this.#want = '';
    const top = results[0]?.url ?? '';
    this.host.dispatchEvent(
      new CustomEvent('seam:search', {
        bubbles: true,
        composed: true,
        detail: { query: r.query, count: found.count, top, ms: r.ms },
      }),
    );
  }

  /** Searches by meaning too, if the index has vectors and the reader's connection allows. */
  async #byMeaning(query: string, options: Options): Promise<Results | undefined> {
    if (!this.#site.meant || !mayMean(this.host)) return undefined;
    this.#meaning = new AbortController();
    const r = await this.#site.search(query, { ...options, meaning: this.#meaning.signal }).catch(() => undefined); // the word search has reported the error
    return r && this.#site.meant ? r : undefined;
  }

  /**
   * Shows results by meaning too. Once the reader has moved in the list, the chosen
   * result and all above it keep their places.
   */
  async #mean(query: string, turn: number, meant: Promise<Results | undefined>): Promise<void> {
    const r = await meant;
    if (!r || turn !== this.#turn) return;
    const groups = [...this.#list.children];
    const stay = this.#moved ? groups.indexOf(this.#options[this.#at]?.parentElement ?? this.#list) + 1 : 0;
    this.#both = true;
    if (stay) this.#below(r, groups, stay);
    else this.#show(r);
    this.#meant(query, r);
  }

  #meant(query: string, r: Results): void {
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
    if (page.versions?.length) group.append(this.#versions(page.versions, i));
    return group;
  }

  /** Creates the line with the other versions of a page. */
  #versions(all: { name: string; url: string }[], i: number): HTMLElement {
    const line = node('span', 'versions');
    line.append(this.#s.also);
    all.forEach(({ name, url }, k) => {
      const link = this.#option(url, `o${i}-v${k}`);
      link.classList.add('version');
      link.textContent = name;
      line.append(' ', link);
    });
    return line;
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
    link.addEventListener('click', (e) => this.#follow(href, e));
    const n = this.#options.push(link) - 1;
    link.addEventListener('pointermove', (e) => {
      this.#moved ||= e.movementX !== 0 || e.movementY !== 0;
      this.#choose(n, false);
    });
    return link;
  }

  #showRecent(): void {
    this.#turn++;
    this.#box.removeAttribute('aria-busy');
    this.#options = [];
    const recent = recentOf();
    this.#facets.clear();
    this.#offer.show();
    this.#note([]);
    this.#list.replaceChildren();
    if (recent.length) {
      const { group, lines } = recentGroup(this.#s, recent);
      lines.forEach((line, i) => {
        const n = this.#options.push(line) - 1;
        line.addEventListener('click', () => {
          this.#begin(recent[i]!);
          this.#input.focus();
        });
        line.addEventListener('pointermove', () => this.#choose(n, false));
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
    this.#moved ||= e.key.startsWith('Arrow');
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

  /** Remembers the query, and in this page's history the result that is followed. */
  #follow(url: string, { ctrlKey, metaKey, shiftKey }: MouseEvent): void {
    const query = this.#input.value.trim();
    if (this.host.getAttribute('recent') !== 'none') remember(query);
    this.#followed = this.#dialog?.open === true;
    if (!ctrlKey && !metaKey && !shiftKey) noteBack(this.host, { query, url });
    this.close();
  }
}
