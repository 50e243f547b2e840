// The index of a site on its host: its files, its languages, and its results.

import type { Found } from './index/found.ts';
import { Damaged } from './index/unpack.ts';
import { Files, Unavailable } from './files.ts';
import type { Index } from './index/open.ts';
import { bestPlace, excerpt } from './index/show.ts';
import { type Asked, Part, type PartEntry } from './part.ts';
import { together } from './together.ts';

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
  /** Other versions of the page, newest first. */
  versions?: { name: string; url: string }[];
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

export interface Options extends Asked {
  /** Is called with the best page, as soon as its text is there. */
  first?: (r: Results) => void;
}

interface Entry {
  version: number;
  root?: string;
  indexes: PartEntry[];
}

const firstWords = 6; // of a passage, by which its page is scrolled to it

export class Site {
  readonly #at: URL;
  readonly #files: Files;
  #parts: Promise<Part[]> | undefined;
  #root = new URL('../', document.baseURI);
  #meant = false;

  constructor(
    address: string,
    readonly language: string,
    readonly root?: string,
  ) {
    this.#at = new URL(address.replace(/\/?$/, '/'), document.baseURI);
    this.#files = new Files(this.#at);
  }

  get host(): string {
    return this.#at.host;
  }

  /** Whether the index has vectors; known once it is open. */
  get meant(): boolean {
    return this.#meant;
  }

  /** Opens the index of the reader's language once. After a failure, the next call tries again. */
  async open(): Promise<void> {
    await (await this.#open())[0]!.open();
  }

  #open(): Promise<Part[]> {
    if (!this.#parts) {
      this.#parts = this.#read();
      this.#parts.catch(() => {
        this.#parts = undefined;
      });
    }
    return this.#parts;
  }

  /** Returns the parts of the index, the reader's language first. */
  async #read(): Promise<Part[]> {
    const entry = JSON.parse(new TextDecoder().decode(await this.#files.read('seam.json'))) as Entry;
    if (entry.version !== 1 || !entry.indexes.length) throw new Unavailable('damaged');
    this.#root = new URL(this.root ?? entry.root ?? '../', this.root ? document.baseURI : this.#at);
    const mine = entry.indexes.find((i) => i.language === this.language) ?? entry.indexes[0]!;
    this.#meant = mine.meaning !== undefined;
    const rest = entry.indexes.filter((i) => i !== mine);
    return [mine, ...rest].map((i) => new Part((name, piece) => this.#files.read(name, piece), this.#at, i));
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
      this.#parts = undefined;
    }
    try {
      return await this.#search(query, options, start);
    } catch (e) {
      throw e instanceof Damaged || e instanceof SyntaxError ? new Unavailable('damaged', { cause: e }) : e;
    }
  }

  /** SearchAll of shared/site/shards/several.go. */
  async #search(query: string, options: Options, start: number): Promise<Results> {
    const [mine, ...others] = (await this.#open()) as [Part, ...Part[]];
    const own = await mine.search(query, options);
    this.#meant = mine.meant;
    let all = [own];
    let { found } = own;
    if (others.length && (!found.hits.length || found.unknown.length || found.corrections.length)) {
      const { meaning: _, ...byWords } = options;
      const more = await Promise.allSettled(others.map((part) => part.search(query, byWords)));
      all.push(...more.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : [])));
      found = together(all.map((r) => r.found));
      if (all.length <= others.length) found = { ...found, unknown: [], corrections: [] }; // not all parts were asked
      const known = (f: Found) => f.all - f.corrections.length;
      const most = Math.max(...all.map((r) => known(r.found)));
      all = all
        .filter((r) => known(r.found) || (r === own && !(most && r.found.corrections.length)))
        .sort((a, b) => known(b.found) - known(a.found));
      found.count = all.reduce((n, r) => n + r.found.count, 0);
    }
    const hits = all.flatMap((r) => r.found.hits.map((hit) => ({ ...r, hit }))).slice(0, options.k ?? 10);
    const { index, filters } = own;
    const made = (results: Result[]): Results => ({
      query,
      found,
      results,
      filters,
      dated: index.days.size > 0,
      ms: performance.now() - start,
    });
    if (options.first && hits.length > 1) {
      const { index: from, found: by, hit } = hits[0]!;
      options.first(made([await this.#show(from, by, { ...hit, chunks: hit.chunks.slice(0, 1) })]));
    }
    return made(await Promise.all(hits.map((r) => this.#show(r.index, r.found, r.hit))));
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
      const part = excerpt(found, withoutTitle(text, place?.title));
      if (!sections.some((s) => s.url === url)) {
        sections.push({
          url,
          place: place?.title ?? '',
          excerpt: part,
          path: chunk.s ?? [],
          text,
          ...(!place && {
            from: part
              .replace(/^… | …$/g, '')
              .split(' ')
              .slice(0, firstWords)
              .join(' '),
          }),
          ...((place?.list || chunk.l) && { list: true }),
        });
      }
    }
    const versions = page.v
      ?.filter((v) => v.n && v.u !== page.u)
      .map(({ n, u }) => ({ name: n, url: this.#addressOf(u) }));
    return {
      url: sections[0]!.url,
      title: page.t,
      score: hit.score,
      meta: page.m ?? {},
      date: page.d ?? '',
      sections,
      ...(versions && { versions }),
    };
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

/** Returns a section's text without its heading, which is shown above it. */
export function withoutTitle(text: string, title?: string): string {
  const line = text.indexOf('\n');
  return title && line > 0 && text.slice(0, line).replace(/\s+/g, ' ').startsWith(title)
    ? text.slice(line).trim()
    : text;
}
