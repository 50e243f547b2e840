import { Damaged, inflate, lengthOf, type Piece, pieces, Unpacker } from './unpack.ts';

/** Returns the bytes of a file of the index by its name, or of a piece of it. */
export type Source = (name: string, piece?: Piece) => Promise<ArrayBuffer>;

/** A part of the words or texts, with its first word or its number of chunks. */
export interface Shard extends Piece {
  first: string;
  count: number;
}

/**
 * How often a form occurs in a text. In `expanded`, `n` is a weight in sixteenths. In
 * `headings`, the text is the first chunk of a section, and `n` its number of chunks.
 */
export interface Postings {
  at: Int32Array;
  n: Int32Array;
  title?: Uint8Array;
}

export interface Form {
  word: string;
  body?: Postings;
  headings?: Postings;
  summary?: Postings;
  expanded?: Postings;
  group: Group;
}

/** The forms of a stem, and their rarity among chunks and pages. */
export interface Group {
  chunkRarity: number;
  pageRarity: number;
  forms: Form[];
}

export interface Lexicon {
  groups: Group[];
  byForm: Map<string, Group>;
  aliases: Map<string, string>;
}

export interface Spelt {
  word: string;
  often: number;
}

/** A version of a page, by its name and its address. */
export interface Version {
  n: string;
  u: string;
}

export interface Block {
  pages: { p: number; u: string; t: string; m?: Record<string, string>; d?: string; v?: Version[] }[];
  chunks: BlockChunk[];
}
export interface BlockChunk {
  p: number;
  x: string;
  s?: string[];
  /** Places. With `o`, a term is explained together with the next place. */
  a?: { i: number; a: string; t?: string; l?: boolean; o?: boolean }[];
  /** Whether it is a list of references or a table of contents. */
  l?: boolean;
}

// BM25's constants, as in shared/site/shards/open.go.
export const saturation = 1.2;
const byLength = 0.75;

const versions = [3, 4]; // the second has expansions
const hasBody = 1;
const hasHeadings = 2;
const hasSummary = 4;
const hasExpanded = 8;

/** The index of one language. */
export class Index {
  first: number[] = [0];
  titles: number[] = [];
  chunkNorm: Float64Array = new Float64Array();
  pageNorm: Float64Array = new Float64Array();
  summaryNorm: Float64Array = new Float64Array();
  little = new Set<string>();
  /** Word endings, longest first. */
  endings: string[] = [];
  words: Shard[] = [];
  forward: Shard[] = [];
  backward: Shard[] = [];
  texts: Shard[] = [];
  firstOfText: number[] = [];
  weights = new Map<number, number>();
  days = new Map<number, number>();
  filters = new Map<string, Map<string, number[]>>();
  /** The pages that are versions of one page, newest first, by each of them. */
  same = new Map<number, number[]>();
  #kept = new Map<string, Promise<unknown>>();

  private constructor(
    readonly source: Source,
    readonly prefix: string,
  ) {}

  static async open(source: Source, entry: string): Promise<Index> {
    const x = new Index(source, entry.slice(0, entry.lastIndexOf('/') + 1));
    const u = new Unpacker(await inflate(await source(entry)));
    if (!versions.includes(u.uint())) throw new Damaged('its version');
    x.#lengths(u);
    for (let n = u.count(); n > 0; n--) x.little.add(u.word());
    for (let n = u.count(); n > 0; n--) x.endings.push(u.string());
    for (const [kind, list] of Object.entries({ w: x.words, f: x.forward, b: x.backward })) {
      const n = u.count();
      u.forget();
      const firsts = Array.from({ length: n }, () => u.word());
      list.push(...x.#placed(u, kind, n).map((p, i) => ({ ...p, first: firsts[i]!, count: 0 })));
    }
    const counts = Array.from({ length: u.count() }, () => u.uint());
    x.texts.push(...x.#placed(u, 't', counts.length).map((p, i) => ({ ...p, first: '', count: counts[i]! })));
    let at = 0;
    for (const n of counts) {
      x.firstOfText.push(at);
      at += n;
    }
    x.#told(u);
    x.#versions(u);
    if (at !== x.chunks || !x.words.length) throw new Damaged('its counts');
    return x;
  }

  get pages(): number {
    return this.titles.length;
  }
  get chunks(): number {
    return this.first[this.first.length - 1]!;
  }

  #lengths(u: Unpacker): void {
    const pages = u.count();
    const chunks = u.count();
    const average = [u.uint() / 1000, u.uint() / 1000, u.uint() / 1000] as const;
    for (let i = 0; i < pages; i++) this.first.push(this.first[i]! + u.uint());
    if (this.chunks !== chunks) throw new Damaged('the chunks of its pages');
    for (let i = 0; i < pages; i++) this.titles.push(u.uint());
    const norms = (n: number, mean: number) =>
      Float64Array.from({ length: n }, () => saturation * (1 - byLength + (byLength * lengthOf(u.byte())) / mean));
    this.pageNorm = norms(pages, average[1]);
    this.summaryNorm = norms(pages, average[2]);
    this.chunkNorm = norms(chunks, average[0]);
  }

  #told(u: Unpacker): void {
    let page = 0;
    for (let n = u.count(); n > 0; n--) this.weights.set((page += u.uint()), u.uint() / 100);
    page = 0;
    for (let n = u.count(); n > 0; n--) this.days.set((page += u.uint()), u.uint());
    for (let n = u.count(); n > 0; n--) {
      const values = new Map<string, number[]>();
      this.filters.set(u.string(), values);
      for (let m = u.count(); m > 0; m--) {
        const list: number[] = [];
        values.set(u.string(), list);
        page = 0;
        for (let k = u.count(); k > 0; k--) list.push((page += u.uint()));
      }
    }
  }

  #versions(u: Unpacker): void {
    for (let n = u.count(); n > 0; n--) {
      const group = Array.from({ length: u.count() }, () => u.uint());
      for (const page of group) this.same.set(page, group);
    }
  }

  /** Reads the places of n shards. */
  #placed(u: Unpacker, kind: string, n: number): Piece[] {
    const all = pieces(u, this.prefix, kind);
    if (all.length !== n) throw new Damaged('its shards');
    return all;
  }

  /** Returns a piece, which is read once. If reading failed, the next call tries again. */
  #piece<T>(piece: Piece, parse: (u: Unpacker) => T): Promise<T> {
    const key = `${piece.name} ${piece.at}`;
    let part = this.#kept.get(key) as Promise<T> | undefined;
    if (!part) {
      part = (async () => parse(new Unpacker(await inflate(await this.source(piece.name, piece)))))();
      this.#kept.set(key, part);
      part.catch(() => this.#kept.delete(key));
    }
    return part;
  }

  lexicon(i: number): Promise<Lexicon> {
    return this.#piece(this.words[i]!, (u) => {
      const groups: Group[] = [];
      const byForm = new Map<string, Group>();
      for (let n = u.count(); n > 0; n--) {
        const forms = u.count();
        const group: Group = { chunkRarity: u.uint() / 1000, pageRarity: u.uint() / 1000, forms: [] };
        for (let k = 0; k < forms; k++) {
          const form: Form = { word: u.word(), group };
          const flags = u.uint();
          if (flags & hasBody) form.body = counts(u, this.chunks);
          if (flags & hasHeadings) form.headings = headings(u, this.chunks);
          if (flags & hasSummary) form.summary = counts(u, this.pages);
          if (flags & hasExpanded) form.expanded = counts(u, this.chunks);
          group.forms.push(form);
          byForm.set(form.word, group);
        }
        groups.push(group);
      }
      const aliases = new Map<string, string>();
      const n = u.count();
      u.forget();
      for (let k = 0; k < n; k++) aliases.set(u.word(), u.string());
      return { groups, byForm, aliases };
    });
  }

  spelling(kind: 'f' | 'b', i: number): Promise<Spelt[]> {
    return this.#piece((kind === 'f' ? this.forward : this.backward)[i]!, (u) => {
      const out: Spelt[] = [];
      while (!u.done) out.push({ word: u.word(), often: u.uint() });
      return out;
    });
  }

  /** Returns a chunk with its page from its text file. */
  async text(chunk: number): Promise<{ page: Block['pages'][number]; chunk: BlockChunk }> {
    const i = lastNotAfter(this.firstOfText, chunk);
    const block = await this.#piece(this.texts[i]!, (u) => JSON.parse(new TextDecoder().decode(u.bytes)) as Block);
    const found = block.chunks[chunk - this.firstOfText[i]!];
    const page = found && block.pages[found.p];
    if (!page) throw new Damaged('its chunks');
    return { page, chunk: found };
  }
}

function counts(u: Unpacker, texts: number): Postings {
  const n = u.count();
  const out = { at: new Int32Array(n), n: new Int32Array(n) };
  let at = 0;
  for (let i = 0; i < n; i++) {
    const x = u.uint();
    at += Math.floor(x / 2);
    if (at >= texts) throw new Damaged('a text');
    out.at[i] = at;
    out.n[i] = x % 2 ? u.uint() + 2 : 1;
  }
  return out;
}

function headings(u: Unpacker, chunks: number): Postings {
  const n = u.count();
  const out = { at: new Int32Array(n), n: new Int32Array(n), title: new Uint8Array(n) };
  let at = 0;
  for (let i = 0; i < n; i++) {
    const x = u.uint();
    at += Math.floor(x / 2);
    const length = u.uint();
    if (at + length > chunks || !length) throw new Damaged('a heading');
    out.at[i] = at;
    out.n[i] = length;
    out.title[i] = x % 2;
  }
  return out;
}

/** Returns the last position in a sorted list with a number up to n, or 0. */
export function lastNotAfter(list: number[], n: number): number {
  let from = 0;
  let to = list.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (list[middle]! <= n) from = middle;
    else to = middle;
  }
  return from;
}
