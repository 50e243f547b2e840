// Selects the best section and an excerpt of a chunk for its result.

import type { Found } from './found.ts';
import type { BlockChunk } from './open.ts';
import { eachForm } from './words.ts';

const inTitle = 2;

/** Returns the summed rarity of the query's words in a text. */
function worth(found: Found, text: string, times: number): number {
  const inText = new Set<string>();
  const add = (form: string) => inText.add(form);
  eachForm(text, add);
  let sum = 0;
  for (const w of found.words) {
    const hit = w.forms.find(({ form }) => inText.has(form.word));
    if (hit) sum += times * (hit.weight * w.rarity[0]);
  }
  return sum;
}

export interface Place {
  id: string;
  title: string;
  start: number;
  end: number;
  list: boolean;
}

/** Returns the place of a chunk with most of the query's words, weighted by rarity. */
export function bestPlace(found: Found, chunk: BlockChunk): Place | undefined {
  let best: Place | undefined;
  let most = -1;
  const places = chunk.a ?? [];
  places.forEach((p, i) => {
    let next = i + 1;
    while (next < places.length && places[next - 1]!.o) next++;
    const end = places[next]?.i ?? chunk.x.length;
    const value = worth(found, chunk.x.slice(p.i, end), 1) + worth(found, p.t ?? '', inTitle);
    if (value > most) {
      most = value;
      best = { id: p.a, title: p.t ?? '', start: p.i, end, list: p.l === true };
    }
  });
  return best;
}

/** A text in pieces. Pieces with `hit` are words of the query. */
export type Excerpt = { text: string; hit: boolean }[];

/** Marks the query's words in a text. */
export function marked(found: Found, text: string): Excerpt {
  const forms = new Set(found.words.flatMap((w) => w.forms.map(({ form }) => form.word)));
  const spans: [number, number][] = [];
  const add = (form: string, start: number, end: number) => {
    if (forms.has(form)) spans.push([start, end]);
  };
  eachForm(text, add);
  spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const out: Excerpt = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    if (from > at) out.push({ text: text.slice(at, from), hit: false });
    const last = out.at(-1);
    if (last?.hit && from === at) last.text += text.slice(from, end);
    else out.push({ text: text.slice(from, end), hit: true });
    at = end;
  }
  if (at < text.length) out.push({ text: text.slice(at), hit: false });
  return out;
}

const excerptLength = 180;
const before = 5; // words of an excerpt before the first word of the query

/** Returns the part of a text with most of the query's words. */
export function excerpt(found: Found, text: string): string {
  const words = [...text.matchAll(/\S+/g)].map((m) => ({ from: m.index, to: m.index + m[0].length }));
  if (words.length < 8) return text.length > 2 * excerptLength ? `${text.slice(0, excerptLength)} …` : text;
  const lastOf = (i: number) => {
    let last = i;
    while (last + 1 < words.length && words[last + 1]!.to - words[i]!.from < excerptLength) last++;
    return last;
  };
  let from = 0;
  let most = -1;
  for (let i = 0; i < words.length; i += 4) {
    const last = lastOf(i);
    const value = worth(found, text.slice(words[i]!.from, words[last]!.to), 1);
    if (value > most) {
      most = value;
      from = i;
    }
    if (last === words.length - 1) break;
  }
  const hit = most > 0 ? words.findIndex((w, i) => i >= from && worth(found, text.slice(w.from, w.to), 1) > 0) : -1;
  if (hit - before > from) from = hit - before;
  const to = lastOf(from);
  const part = text.slice(words[from]!.from, words[to]!.to).replace(/\s+/g, ' ');
  return (from ? '… ' : '') + part + (to < words.length - 1 ? ' …' : '');
}
