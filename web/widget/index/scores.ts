// Adds up the scores of a query's words in chunks, pages and summaries.

import type { Wanted } from './found.ts';
import { type Form, type Index, type Postings, saturation } from './open.ts';

// The constant of scores.go.
const ofTyped = 9;

/** Adds up the scores of texts. */
class Tally {
  readonly score: Float64Array;
  readonly words: Uint8Array;
  readonly touched: number[] = [];
  readonly #often: Float64Array;
  #now: number[] = [];

  constructor(n: number) {
    this.score = new Float64Array(n);
    this.words = new Uint8Array(n);
    this.#often = new Float64Array(n);
  }

  count(i: number, n: number): void {
    if (this.#often[i] === 0) this.#now.push(i);
    this.#often[i]! += n;
  }

  settle(rarity: number, norm: Float64Array): void {
    for (const i of this.#now) {
      if (!this.words[i]) this.touched.push(i);
      this.words[i]!++;
      const n = this.#often[i]!;
      this.score[i]! += rarity * ((n * (saturation + 1)) / (n + norm[i]!));
      this.#often[i] = 0;
    }
    this.#now = [];
  }

  standardised(): (i: number) => number {
    const n = this.score.length;
    let sum = 0;
    let squares = 0;
    for (const i of this.touched) {
      sum += this.score[i]!;
      squares += this.score[i]! * this.score[i]!;
    }
    const mean = sum / n;
    const deviation = Math.sqrt(Math.max(0, squares / n - mean * mean)) || 1;
    return (i) => (this.score[i]! - mean) / deviation;
  }
}

export class Scores {
  readonly chunk: Tally;
  readonly page: Tally;
  readonly summary: Tally;
  readonly titles: Uint8Array;
  /** The number of words of the query, as typed, in the headings and terms that begin in a chunk. */
  readonly heads = new Map<number, number>();
  /** The bonus of chunks with the only word of a query exactly as typed. */
  readonly asTyped = new Map<number, number>();

  constructor(readonly x: Index) {
    this.chunk = new Tally(x.chunks);
    this.page = new Tally(x.pages);
    this.summary = new Tally(x.pages);
    this.titles = new Uint8Array(x.pages);
  }

  add(w: Wanted): void {
    const inTitle = new Set<number>();
    const inHead = new Set<number>();
    for (const { form, weight } of w.forms) {
      this.#each(form.body, (chunk, n, page) => {
        this.chunk.count(chunk, weight * n);
        this.page.count(page, weight * n);
      });
      this.#each(form.headings, (chunk, n, page, title) => {
        for (let i = 0; i < n; i++) this.chunk.count(chunk + i, weight);
        this.page.count(page, weight);
        if (weight === 1 && !title && !inHead.has(chunk)) {
          inHead.add(chunk);
          this.heads.set(chunk, (this.heads.get(chunk) ?? 0) + 1);
        }
        if (title && !inTitle.has(page)) {
          inTitle.add(page);
          this.titles[page]!++;
        }
      });
      this.#each(form.expanded, (chunk, n, page) => {
        this.chunk.count(chunk, weight * (n / 16));
        this.page.count(page, weight * (n / 16));
      });
      const { summary } = form;
      if (summary)
        for (let i = 0; i < summary.at.length; i++) this.summary.count(summary.at[i]!, weight * summary.n[i]!);
    }
    this.summary.settle(w.rarity[1], this.x.summaryNorm);
    this.chunk.settle(w.rarity[0], this.x.chunkNorm);
    this.page.settle(w.rarity[1], this.x.pageNorm);
  }

  /** Scores the chunks that have the only word of a query as it was typed. */
  typed({ word, forms }: Wanted): void {
    const places = ({ body, headings }: Form) => (body?.at.length ?? 0) + (headings?.at.length ?? 0);
    const all = forms.reduce((n, { form }) => n + places(form), 0);
    const form = forms.find((f) => f.form.word === word)?.form;
    if (!form || places(form) === all) return;
    const more = ofTyped * Math.min(1, 2 - (2 * places(form)) / all);
    for (const chunk of form.body?.at ?? []) this.asTyped.set(chunk, more);
    form.headings?.at.forEach((chunk, i) => {
      for (let k = 0; k < form.headings!.n[i]!; k++) this.asTyped.set(chunk + k, more);
    });
  }

  #each(list: Postings | undefined, see: (chunk: number, n: number, page: number, title: boolean) => void): void {
    if (!list) return;
    const { first } = this.x;
    let page = 0;
    for (let i = 0; i < list.at.length; i++) {
      const chunk = list.at[i]!;
      while (first[page + 1]! <= chunk) page++;
      see(chunk, list.n[i]!, page, list.title?.[i] === 1);
    }
  }
}
