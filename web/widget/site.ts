// The index of a site on its host: its files, its language, and its results.

import type { Found, Query } from './index/found.ts';
import { Damaged } from './index/unpack.ts';
import { Index } from './index/open.ts';
import { type Meaning, search as searchIndex } from './index/search.ts';
import { bestPlace, excerpt } from './index/show.ts';
import type { Sense } from './meaning/meaning.ts';

declare const __MEANING__: string;

export interface Section {
  url: string;
  place: string;
  excerpt: string;
  path: string[];
  /** The pages of a PDF. */
  pages?: number[] /** Whether it is a list of references or a table of contents. */;
  list?: boolean /** All of it. */;
  text: string /** Its first words on the page, where the address does not lead to it. */;
  from?: string;
}

/** A found page with up to three of its sections, best first. */
export interface Result {
  url: string;
  title: string;
  score: number;
  meta: Record<string, string>;
  date: string;
  sections: Section[];
}

export interface Results {
  query: string;
  found: Found;
  results: Result[] /** What it was narrowed to. */;
  filters: Record<string, string[]> /** Whether pages of the site have dates. */;
  dated: boolean;
  ms: number /** Hosts of indexes that could not be searched. */;
  missing?: string[];
}

export interface Options extends Omit<Query, 'text'> {
  /** Also searches by meaning, if the index has vectors, until this is aborted. */
  meaning?: AbortSignal;
  /**
   * The facets of the current page. They narrow the search if the index distinguishes pages
   * by them and `filters` does not override them.
   */
  page?: Record<string, string[]> | undefined;
}

interface Entry {
  version: number;
  root?: string;
  indexes: { language: string; meta: string; pages: number; meaning?: string }[];
}

/** A failure with its kind, which readers see in their language. */
export class Unavailable extends Error {
  constructor(
    readonly kind: 'missing' | 'network' | 'damaged' | 'busy',
    options?: ErrorOptions,
  ) {
    super(kind, options);
  }
}

export class Site {
  readonly #at: URL;
  #index: Promise<Index> | undefined;
  #root = new URL('../', document.baseURI);
  #vectors: string | undefined; // their first file
  #sense: Promise<Sense> | undefined;

  constructor(
    address: string,
    readonly language: string,
    readonly root?: string,
  ) {
    this.#at = new URL(address.replace(/\/?$/, '/'), document.baseURI);
  }

  get host(): string {
    return this.#at.host;
  }

  /** Whether the index has vectors; known once it is open. */
  get meant(): boolean {
    return this.#vectors !== undefined;
  }

  /** Opens the index once. After a failure, the next call tries again. */
  open(): Promise<Index> {
    if (!this.#index) {
      this.#index = this.#open();
      this.#index.catch(() => {
        this.#index = undefined;
      });
    }
    return this.#index;
  }

  async #open(): Promise<Index> {
    const entry = JSON.parse(new TextDecoder().decode(await this.#fetch('seam.json', 'no-cache'))) as Entry;
    if (entry.version !== 1 || !entry.indexes.length) throw new Unavailable('damaged');
    this.#root = new URL(this.root ?? entry.root ?? '../', this.root ? document.baseURI : this.#at);
    const mine = entry.indexes.find((i) => i.language === this.language) ?? entry.indexes[0]!;
    this.#vectors = mine.meaning;
    this.#sense = undefined;
    return Index.open((name) => this.#fetch(name), mine.meta);
  }

  async #fetch(name: string, cache: RequestCache = 'default'): Promise<ArrayBuffer> {
    let response: Response;
    try {
      response = await fetch(new URL(name, this.#at), { cache });
    } catch (e) {
      throw new Unavailable('network', { cause: e });
    }
    if (!response.ok) throw new Unavailable('missing');
    return response.arrayBuffer();
  }

  /**
   * Searches, and reads the texts of the best pages. A missing file means that the index
   * was replaced meanwhile, so the new one is opened.
   */
  async search(query: string, options: Options = {}): Promise<Results> {
    const start = performance.now();
    try {
      return await this.#search(query, options, start);
    } catch (e) {
      if (!((e instanceof Unavailable && e.kind === 'missing') || e instanceof Damaged)) throw e;
      this.#index = undefined;
    }
    try {
      return await this.#search(query, options, start);
    } catch (e) {
      throw e instanceof Damaged || e instanceof SyntaxError ? new Unavailable('damaged', { cause: e }) : e;
    }
  }

  async #search(query: string, options: Options, start: number): Promise<Results> {
    const index = await this.open();
    const { meaning: signal, page, ...asked } = options;
    const filters = { ...narrowed(index, page), ...asked.filters };
    const meaning: Meaning | undefined = signal && ((...found) => this.#rank(index, query, signal, found));
    const found = await searchIndex(index, { text: query, ...asked, filters }, meaning);
    const results = await Promise.all(found.hits.map((hit) => this.#show(index, found, hit)));
    return { query, found, results, filters, dated: index.days.size > 0, ms: performance.now() - start };
  }

  /** Ranks by meaning too. After a failure, it is reported once, and only words are used. */
  async #rank(index: Index, query: string, signal: AbortSignal, found: Parameters<Meaning>): Promise<void> {
    const first = this.#vectors;
    if (!first) return;
    this.#sense ??= (
      import(new URL(__MEANING__, import.meta.url).href) as Promise<typeof import('./meaning/meaning.ts')>
    ).then(({ Sense: Part }) => Part.open(index, (name) => this.#fetch(name), this.#at, first));
    try {
      await (await this.#sense).rank(query, signal, ...found);
    } catch (e) {
      if (signal.aborted || !this.#vectors) return;
      this.#vectors = undefined;
      console.warn('seam-search: pages are found by their words alone:', e);
    }
  }

  async #show(index: Index, found: Found, hit: Found['hits'][number]): Promise<Result> {
    const shown = await Promise.all(hit.chunks.map((c) => index.text(c)));
    const { page } = shown[0]!;
    const address = this.#addressOf(page.u);
    const sections: Section[] = [];
    for (const { chunk } of shown) {
      const place = bestPlace(found, chunk);
      const text = place ? chunk.x.slice(place.start, place.end) : chunk.x;
      const url = place ? `${address}#${encodeURIComponent(place.id)}` : address;
      if (!sections.some((s) => s.url === url)) {
        sections.push({
          url,
          place: place?.title ?? '',
          excerpt: excerpt(found, withoutTitle(text, place?.title)),
          path: chunk.s ?? [],
          text,
          ...((place?.list || chunk.l) && { list: true }),
        });
      }
    }
    return { url: sections[0]!.url, title: page.t, score: hit.score, meta: page.m ?? {}, date: page.d ?? '', sections };
  }

  /**
   * Returns an address after checking its scheme, because an index may be on another host
   * and must not name a script.
   */
  #addressOf(page: string): string {
    const { href, protocol } = new URL(page, this.#root);
    if (!['http:', 'https:', this.#at.protocol].includes(protocol)) throw new Damaged('an address');
    return href;
  }
}

/** Returns the page's facets for which the index has other values too. */
function narrowed(index: Index, page: Record<string, string[]> = {}): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(page).filter(([name, values]) => {
      const all = index.filters.get(name);
      return all && all.size > 1 && values.some((v) => all.has(v));
    }),
  );
}

/** Returns a section's text without its heading, which is shown above it. */
export function withoutTitle(text: string, title?: string): string {
  const line = text.indexOf('\n');
  return title && line > 0 && text.slice(0, line).replace(/\s+/g, ' ').startsWith(title)
    ? text.slice(line).trim()
    : text;
}
