// Searches a collection in a search engine behind a proxy, in place of an index. Loaded if
// the element names a collection. The proxy decides which passages the site's pages can
// find.

import { proxyAt } from '../ask/link.ts';
import type { Found, Wanted } from '../index/found.ts';
import type { Form } from '../index/open.ts';
import { excerpt } from '../index/show.ts';
import { eachName, eachWord } from '../index/words.ts';
import { Unavailable } from '../files.ts';
import { type Options, type Result, type Results, withoutTitle } from '../site.ts';
import { pause } from '../slow.ts';
import { type Hit, Line } from './line.ts';

const perPage = 3; // sections shown per page
const spare = 3; // hits requested per page shown, because several belong to one page
const quotedWords = 8; // words of a passage that locate it on its page

export class Collection {
  readonly meant = false;
  readonly #line: Line;
  readonly #root: URL;
  #turn = 0;

  /** `root` is the base address for the names of documents. */
  constructor(endpoint: string, token: string | undefined, root?: string) {
    this.#line = new Line(proxyAt(endpoint), token);
    this.#root = new URL(root ?? './', document.baseURI);
  }

  async open(): Promise<void> {
    await this.#line.open();
  }

  /** Searches after a pause in typing. A search fails if another one follows it. */
  async search(query: string, { k = 10, typing }: Options = {}): Promise<Results> {
    const turn = ++this.#turn;
    if (typing) await pause();
    if (turn !== this.#turn) throw new Unavailable('network');
    const start = performance.now();
    const hits = await this.#line.search(query.trim(), spare * k);
    const results = this.#pages(hits, wordsOf(query)).slice(0, k);
    return {
      query,
      found: { ...wordsOf(query), count: results.length },
      results,
      filters: {},
      dated: false,
      ms: performance.now() - start,
    };
  }

  /** Groups hits by document, in the order of each document's best hit. */
  #pages(hits: Hit[], found: Found): Result[] {
    const pages = new Map<string, Result>();
    for (const hit of hits) {
      const source = hit.source ?? '';
      const page = pages.get(source) ?? {
        url: '',
        title: hit.title || nameOf(source),
        score: hit.score,
        meta: {},
        date: '',
        sections: [],
      };
      pages.set(source, page);
      const path = (hit.section ?? '').split(' › ').filter(Boolean);
      const place = path.at(-1) ?? '';
      if (page.sections.length < perPage)
        page.sections.push({
          url: this.#addressOf(hit, source),
          place,
          path: path.slice(0, -1),
          excerpt: excerpt(found, withoutTitle(hit.text.replace(/^#+\s+/, ''), place)),
          text: hit.text,
          ...(hit.part && { list: true }),
          from: beginning(hit.text),
          ...(/\.pdf$/i.test(source) && hit.page && { pages: hit.pages ?? [hit.page] }),
        });
      page.url ||= page.sections[0]!.url;
    }
    return [...pages.values()];
  }

  /** Returns the address of a document; in a PDF, of the passage's page. */
  #addressOf(hit: Hit, source: string): string {
    const url = new URL(
      source
        .split('/')
        .map(encodeURIComponent)
        .join('/')
        .replace(/(^|\/)index\.html$/, '$1') || './',
      this.#root,
    );
    if (hit.page && /\.pdf$/i.test(source)) url.hash = `page=${hit.page}`;
    return url.href;
  }
}

/** Returns the first words of a passage, without its heading. */
function beginning(text: string): string {
  const line = text.split('\n').find((l) => l.trim().split(/\s+/).length >= quotedWords) ?? text;
  return line.trim().split(/\s+/).slice(0, quotedWords).join(' ');
}

/**
 * Returns the words of a query for marking, unchanged, because the engine does not return
 * the words it used.
 */
function wordsOf(query: string): Found {
  const words = new Map<string, Wanted>();
  const add = (word: string) => {
    const form: Form = { word, group: { chunkRarity: 1, pageRarity: 1, forms: [] } };
    words.set(word, { word, forms: [{ form, weight: 1 }], rarity: [1, 1] });
  };
  eachName(query, add);
  eachWord(query, add);
  return {
    hits: [],
    count: 0,
    unknown: [],
    corrections: [],
    together: 0,
    all: 0,
    words: [...words.values()],
    facets: new Map(),
  };
}

const nameOf = (source: string) =>
  source
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '') || source;
