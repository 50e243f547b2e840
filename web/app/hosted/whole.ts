// Asks a question of all of a document or a section: in one request if it fits, otherwise
// part by part, and then over the answers of the parts. Does not use the DOM.

import type { Answered, AskParams, Hit } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { tokensOf } from '../../lib/thread.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import type { OwnAnswer } from '../session/own-answers.ts';
import type { Session } from '../session/session.ts';
import { hosted } from '../words/en/hosted.ts';
import { askModel, keyOf, knownAnswer, promptOf, severalAtATime } from './own-asking.ts';

const words = hosted.ask;

/** The chunks to read: from `from` up to, but not including, `to`. */
export interface Range {
  doc: Doc;
  /** The section's title, or the document's name. */
  title: string;
  from: number;
  to: number;
}

/** A request and its answer. */
interface Part {
  request: AskParams;
  key: string;
  tokens: number;
  answer: OwnAnswer | null;
}

/** A text that goes to the model, and the numbers of the chunks behind it. */
interface Item {
  text: string;
  source: string;
  behind: readonly number[];
}

export interface WholeAnswer {
  text: string;
  refused: boolean;
  finish: string;
  /** The cited chunks, in the order of the answer's citations from 1. */
  cited: Hit[];
  tokens: number;
  tokensOut: number;
  /** How many requests were sent, without those answered before. The tokens are theirs. */
  requests: number;
  /** How many chunks went with them. */
  chunks: number;
}

const CITATION = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;

/** Returns the numbers that an answer cites, of those from 1 to `most`. */
function citedIn(text: string, most: number): number[] {
  const numbers = [...text.matchAll(CITATION)].flatMap(([, list = '']) => list.split(',').map(Number));
  return [...new Set(numbers)].filter((n) => n > 0 && n <= most);
}

export class WholeRun {
  readonly #engine: EngineClient;
  readonly #session: Session;
  /** All parameters but the passages. */
  readonly #params: AskParams;
  readonly range: Range;
  readonly parts: Part[] = [];
  /** The chunks, in order. */
  readonly hits: Hit[] = [];
  /** The items of each part. */
  readonly #items: Item[][] = [];
  #prompt = '';
  /** The answers to requests of this run, and how many chunks went with them. */
  readonly #sent: OwnAnswer[] = [];
  #chunks = 0;
  /** How many chunks are sent only in part, because one is too long for a request. */
  shortened = 0;

  /** `params` has the question, the model, and how it is asked. */
  constructor(engine: EngineClient, session: Session, range: Range, params: AskParams) {
    this.#engine = engine;
    this.#session = session;
    this.range = range;
    this.#params = { ...params, docs: [range.doc.id], history: [] };
  }

  /** How many of the requests of parts have not been answered. */
  get open(): number {
    return this.parts.filter(({ answer }) => !answer).length;
  }

  /** How many chunks go with those requests. */
  get openChunks(): number {
    return this.parts.reduce((sum, { answer }, i) => sum + (answer ? 0 : (this.#items[i]?.length ?? 0)), 0);
  }

  /** An estimate of the tokens that the open requests of parts read. */
  get tokens(): number {
    return this.parts.reduce((sum, { answer, tokens }) => sum + (answer ? 0 : tokens), 0);
  }

  /** Divides the chunks among requests, as many in each as fit. Nothing is sent. */
  async prepare(signal: AbortSignal): Promise<void> {
    this.#prompt = await promptOf(this.#engine, this.#params, signal);
    const { from, to } = this.range;
    let hits: Hit[] = [];
    await this.#engine.call(
      'ask',
      { ...this.#params, chunks: [from, to], show: true },
      { signal, on: { hits: (found) => (hits = found.hits) } },
    );
    this.hits.push(...hits);
    const items = hits.map(({ text, source = '' }, i) => ({ text, source, behind: [i + 1] }));
    for (const { items: some, part, shortened } of await this.#divide(items, signal)) {
      this.parts.push(part);
      this.#items.push(some);
      if (shortened) this.shortened++;
    }
  }

  /** Divides texts among requests, and takes the answers that came before. */
  async #divide(all: readonly Item[], signal: AbortSignal) {
    const out: { items: Item[]; part: Part; shortened: boolean }[] = [];
    for (let at = 0; at < all.length; ) {
      const rest = all.slice(at);
      const { result } = await this.#engine.call('ask', { ...this.#request(rest), show: true }, { signal });
      const items = rest.slice(0, Math.max(1, result.passages));
      const first = items[0];
      if (result.shortened && first) items[0] = { ...first, text: result.shortened };
      const request = this.#request(items);
      const key = await keyOf(request.model, this.#prompt, request.passages, request.sources);
      const tokens = tokensOf((result.messages ?? []).map(({ content }) => content).join('\n'));
      const part = { request, key, tokens, answer: knownAnswer(this.range.doc, key) };
      out.push({ items, part, shortened: result.shortened !== '' });
      at += items.length;
    }
    return out;
  }

  #request(items: readonly Item[]): AskParams {
    return {
      ...this.#params,
      passages: items.map(({ text }) => text),
      ...(!this.#params.unnamed && { sources: items.map(({ source }) => source) }),
    };
  }

  /** Sends the open requests, then those over their answers. `begins` is called before each. */
  async ask(signal: AbortSignal, begins: (part: number, of: number) => void): Promise<WholeAnswer> {
    let level = this.parts.map((part, i) => ({ part, items: this.#items[i] ?? [] }));
    for (;;) {
      await this.#sendAll(level, signal, begins);
      const answers = level.flatMap(({ part: { answer }, items }) => (answer ? [{ answer, items }] : []));
      const held = answers.filter(({ answer }) => !answer.refused);
      const [only] = held;
      if (!only) return this.#result('', true, 'stop');
      if (held.length === 1) return this.#result(numbered(only), false, only.answer.finish);
      const texts = held.map(({ answer, items }, i) => ({
        text: answer.text.replace(CITATION, '').trim(),
        source: `Part ${i + 1} of ${held.length}`,
        behind: behind(answer, items),
      }));
      level = await this.#divide(texts, signal);
      // Otherwise long answers would be asked about for ever, and paid for.
      if (level.length >= texts.length) throw new SeamError('too-large', words.answersTooLong);
    }
  }

  async #sendAll(
    level: readonly { part: Part }[],
    signal: AbortSignal,
    begins: (part: number, of: number) => void,
  ): Promise<void> {
    const waiting = level.filter(({ part }) => !part.answer);
    let begun = level.length - waiting.length;
    await severalAtATime(waiting, async ({ part }) => {
      begins(++begun, level.length);
      part.answer = await askModel(this.#engine, part.request, part.key, signal);
      this.#sent.push(part.answer);
      if (this.parts.includes(part)) this.#chunks += part.answer.passages;
      await this.#session.keepAnswer(this.range.doc, part.answer);
    });
  }

  /** Numbers the chunks that an answer names, in the order of their first mention. */
  #result(text: string, refused: boolean, finish: string): WholeAnswer {
    const order: number[] = [];
    const place = (n: number) => (order.includes(n) ? order.indexOf(n) + 1 : order.push(n));
    const renumbered = text.replace(CITATION, (whole, list: string) => {
      const numbers = list.split(',').map((n) => place(Number(n)));
      return `${/^\s*/.exec(whole)?.[0] ?? ''}${[...new Set(numbers)].map((n) => `[${n}]`).join('')}`;
    });
    const sum = (of: 'tokens' | 'tokensOut') => this.#sent.reduce((all, answer) => all + answer[of], 0);
    return {
      text: renumbered,
      refused,
      finish,
      cited: order.flatMap((n) => this.hits[n - 1] ?? []),
      tokens: sum('tokens'),
      tokensOut: sum('tokensOut'),
      requests: this.#sent.length,
      chunks: this.#chunks,
    };
  }
}

/** Returns an answer as the page describes others. */
export function answeredWhole(question: string, { hits }: WholeRun, got: WholeAnswer): Answered {
  const { finish, tokens, tokensOut, refused, requests, chunks } = got;
  const sent = { passages: requests > 0 ? chunks : hits.length, shortened: '', query: question, messages: null };
  return { finish, tokens, tokensOut, refused, ...sent, read: 0, whole: 0, context: 0, estimated: false, requests };
}

/** Returns the chunks that an answer rests on: those behind the texts it cites. */
function behind(answer: OwnAnswer, items: readonly Item[]): number[] {
  return [...new Set(citedIn(answer.text, items.length).flatMap((n) => items[n - 1]?.behind ?? []))];
}

/** Returns an answer that cites chunks in place of the texts it was made from. */
function numbered({ answer, items }: { answer: OwnAnswer; items: readonly Item[] }): string {
  return answer.text.replace(CITATION, (whole, list: string) => {
    const numbers = list.split(',').flatMap((n) => items[Number(n) - 1]?.behind ?? []);
    const lead = /^\s*/.exec(whole)?.[0] ?? '';
    return numbers.length > 0 ? `${lead}[${[...new Set(numbers)].join(', ')}]` : '';
  });
}
