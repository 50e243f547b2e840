// The search of shared/site/shards/search.go: the same pages with the same scores, to the
// last bit. Tests of both read the same golden file.

import type { Found, Hit, Near, Query, Wanted } from './found.ts';
import type { Form, Group, Index, Shard, Spelt } from './open.ts';
import { plain, quoted } from './phrase.ts';
import { rank } from './rank.ts';
import { Scores } from './scores.ts';
import { fold, queryWords } from './words.ts';

/** Reranks the word matches, including their similarity in meaning. */
export type Meaning = (found: Found, s: Scores, rank: (near: Near) => void) => Promise<void>;

// The constants of search.go and spell.go.
const ofStem = 0.9;
const ofPrefix = 0.6;
const ofTypo = 0.7;
const ofOther = 0.35;
const mostChunks = 3;
const fewWords = 3;
const shortestStem = 3;
const shortestPrefix = 2;
const prefixFiles = 2;
const mostBegun = 8;
const mostFolded = 8;
const shortestTypo = 4;
const shortestTwice = 7;
const longestTypo = 24;
const mostMeant = 3;
const mostRead = 100;

export async function search(x: Index, q: Query, meaning?: Meaning): Promise<Found> {
  const found: Found = {
    hits: [],
    count: 0,
    unknown: [],
    corrections: [],
    together: 0,
    all: 0,
    words: [],
    facets: new Map(),
  };
  await resolve(x, q, found);
  const s = new Scores(x);
  for (const w of found.words) s.add(w);
  if (found.words.length === 1) s.typed(found.words[0]!);
  found.all = found.words.length;
  const quotes = quoted(q.text);
  const k = q.k ?? 10;
  const keep = quotes.length ? mostRead : mostChunks;
  rank(x, q, s, found, keep);
  await meaning?.(found, s, (near) => rank(x, q, s, found, keep, near));
  if (quotes.length) await verify(x, found, quotes, k);
  found.hits.length = Math.min(found.hits.length, k);
  return found;
}

async function resolve(x: Index, q: Query, found: Found): Promise<void> {
  const words = queryWords(q.text);
  let telling = words.filter((w) => !x.little.has(w));
  if (!telling.length || (telling.length === 1 && words.length <= fewWords)) telling = words;
  const ends = /[ \t\n".?!,;:)]$/.test(q.text) || !q.text;
  await Promise.all(telling.map((w) => x.lexicon(fileOf(x.words, w)))); // in parallel
  for (const [i, word] of telling.entries()) {
    const w: Wanted = { word, forms: [], rarity: [0, 0] };
    await exact(x, w);
    const parts = /^([a-z]{2,})([\d.]+)$/.exec(word)?.slice(1);
    if (!w.forms.length && parts) {
      const both = parts.map((part): Wanted => ({ word: part, forms: [], rarity: [0, 0] }));
      for (const part of both) await exact(x, part);
      if (both.every(({ forms }) => forms.length)) {
        found.words.push(...both);
        continue;
      }
    }
    if (!w.forms.length && q.typing && i === telling.length - 1 && !ends) await begins(x, w);
    if (!w.forms.length && !/[.@$<-]/.test(word)) {
      const taken = await misspelt(x, w);
      if (taken) found.corrections.push({ word, taken });
      else found.unknown.push(word);
    }
    if (w.forms.length) found.words.push(w);
  }
}

async function exact(x: Index, w: Wanted): Promise<void> {
  let g = await groupOf(x, w.word);
  const folded = fold(w.word);
  if (!g && folded !== w.word) g = await groupOf(x, folded);
  for (const e of g ? [] : x.endings) {
    const stem = w.word.endsWith(e) ? w.word.slice(0, -e.length) : '';
    if (new TextEncoder().encode(stem).length >= shortestStem && (g = await groupOf(x, stem))) break;
  }
  if (g) take(w, g, (f) => (f.word === w.word ? 1 : ofStem));
}

/** With several groups, the most common one determines the rarity of the word. */
function take(w: Wanted, g: Group, weight: (f: Form) => number): void {
  const rarity: [number, number] = [g.chunkRarity, g.pageRarity];
  w.rarity = w.forms.length ? [Math.min(w.rarity[0], rarity[0]), Math.min(w.rarity[1], rarity[1])] : rarity;
  for (const form of g.forms) {
    const v = weight(form);
    if (v > 0) w.forms.push({ form, weight: v });
  }
}

async function groupOf(x: Index, word: string): Promise<Group | undefined> {
  for (let turn = 0; turn < 2; turn++) {
    const l = await x.lexicon(fileOf(x.words, word));
    const g = l.byForm.get(word);
    if (g) return g;
    const other = l.aliases.get(word);
    if (other === undefined) return undefined;
    word = other;
  }
  return undefined;
}

/**
 * Compares strings in the order of their UTF-8 bytes. JavaScript's own order differs above
 * U+FFFF.
 */
export function compare(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

function fileOf(list: Shard[], word: string): number {
  let from = 0;
  let to = list.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (compare(list[middle]!.first, word) <= 0) from = middle;
    else to = middle;
  }
  return from;
}

async function begins(x: Index, w: Wanted): Promise<void> {
  if (new TextEncoder().encode(w.word).length < shortestPrefix) return;
  const all = new Map<Form, number>();
  const add = (g: Group, begin: string) => {
    for (const form of g.forms)
      if (form.word.startsWith(begin)) all.set(form, (form.body?.at.length ?? 0) + 2 * (form.headings?.at.length ?? 0));
  };
  const from = fileOf(x.words, w.word);
  const folded: string[] = [];
  for (let i = from; i < x.words.length && i < from + prefixFiles; i++) {
    if (i > from && !x.words[i]!.first.startsWith(w.word)) break;
    const l = await x.lexicon(i);
    for (const g of l.groups) add(g, w.word);
    folded.push(...[...l.aliases.keys()].filter((alias) => alias.startsWith(w.word)));
  }
  for (const alias of folded.sort(compare).slice(0, mostFolded)) {
    const g = await groupOf(x, alias);
    if (g) add(g, '');
  }
  const order = [...all].sort((a, b) => b[1] - a[1] || compare(a[0].word, b[0].word));
  for (const [form] of order.slice(0, mostBegun)) take(w, form.group, (f) => (f === form ? ofPrefix : 0));
}

const reversed = (s: string) => [...s].reverse().join('');
const notSpelt = /[^\p{L}_]|[\u0e00-\u{10ffff}]/u;

async function misspelt(x: Index, w: Wanted): Promise<string> {
  const letters = [...w.word];
  const n = letters.length;
  if (n < shortestTypo || n > longestTypo || notSpelt.test(w.word)) return '';
  const errors = n >= shortestTwice ? 2 : 1;
  const all = new Map<string, Spelt & { errors: number; first: boolean }>();
  const look = async (kind: 'f' | 'b', list: Shard[], prefix: string) => {
    const from = fileOf(list, prefix);
    for (let i = from; i < list.length; i++) {
      if (i > from && !list[i]!.first.startsWith(prefix)) break;
      for (const s of await x.spelling(kind, i)) {
        if (!s.word.startsWith(prefix)) continue;
        const word = kind === 'b' ? reversed(s.word) : s.word;
        if (x.little.has(word)) continue; // a function word, which every text has
        const off = distance(letters, [...word], errors);
        if (off <= errors) all.set(word, { word, often: s.often, errors: off, first: word.startsWith(letters[0]!) });
      }
    }
  };
  await Promise.all([
    look('f', x.forward, letters.slice(0, Math.max(2, Math.floor(n / 2) - 1)).join('')),
    look('b', x.backward, reversed(letters.slice(Math.floor(n / 2) + 1).join(''))),
  ]);
  const order = [...all.values()].sort(
    (a, b) => a.errors - b.errors || Number(b.first) - Number(a.first) || b.often - a.often || compare(a.word, b.word),
  );
  for (const [i, m] of order.slice(0, mostMeant).entries()) {
    const g = await groupOf(x, m.word);
    if (g && m.errors <= order[0]!.errors) take(w, g, () => (i ? ofOther : ofTypo));
  }
  return order.length && w.forms.length ? order[0]!.word : '';
}

/**
 * Returns how many letters are missing, extra, wrong or swapped with their neighbour; more
 * than `most` if there are more.
 */
function distance(a: string[], b: string[], most: number): number {
  let before: number[] = [];
  let at = Array.from({ length: a.length + 1 }, (_, j) => j);
  for (let i = 1; i <= b.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= a.length; j++) {
      let d = Math.min(at[j - 1]! + Number(a[j - 1] !== b[i - 1]), at[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[j - 1] === b[i - 2] && a[j - 2] === b[i - 1]) d = Math.min(d, before[j - 2]! + 1);
      next.push(d);
      least = Math.min(least, d);
    }
    if (least > most) return least;
    before = at;
    at = next;
  }
  return at[a.length]!;
}

/** Keeps the chunks that contain all phrases, up to k pages of them. */
async function verify(x: Index, found: Found, quotes: string[], k: number): Promise<void> {
  const kept: Hit[] = [];
  let read = 0;
  for (const h of found.hits) {
    const chunks: number[] = [];
    for (const c of h.chunks) {
      if (++read > mostRead || chunks.length === mostChunks) break;
      const text = plain((await x.text(c)).chunk.x);
      if (quotes.every((quote) => text.includes(quote))) chunks.push(c);
    }
    if (chunks.length) kept.push({ ...h, chunks });
    if (kept.length === k || read > mostRead) break;
  }
  found.hits = kept;
  found.count = kept.length;
}
