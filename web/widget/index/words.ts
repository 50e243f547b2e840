// Splits a text into words, as shared/index and shared/site/shards do: the same forms in
// the same order, so that queries match the index.

/**
 * Called for each word with its form, its place (UTF-16), and whether it is an extra form:
 * a text can be found by it, but queries do not have it.
 */
export type AddWord = (form: string, start: number, end: number, extra: boolean) => void;

const longestWord = 64; // bytes of UTF-8
const dense =
  /[ー\uff66-\uff9d\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const manyForms = /[\p{sc=Han}\p{sc=Hang}]/u;
const wordRune = /[\p{L}\p{Nd}\p{M}_\u2080-\u2089]/u;
const letterOrDigit = /[\p{L}\p{Nd}]/u;
const letter = /\p{L}/u;
const denseMark = /[\p{M}\uff9e\uff9f]/u;
const unseen = /[ـ\u00ad]/; // widens an Arabic word; marks where a word may break
/** Ligatures, Arabic presentation forms, full-width letters and digits, and subscripts. */
const drawn =
  /[\ufb00-\ufb06\ufb56-\ufb59\ufb7a-\ufb7d\ufb8a\ufb8b\ufb8e-\ufb95\ufbfc-\ufbff\ufe80-\ufefc０-９Ａ-Ｚａ-ｚ\u2080-\u2089]/;

const isDense = (c: string) => c >= 'ก' && dense.test(c);

const enum Class {
  other,
  lower,
  upper,
  digit,
  joiner,
}

function classOf(s: string, i: number): Class {
  const c = s.charCodeAt(i);
  if (c >= 97 && c <= 122) return Class.lower;
  if (c >= 65 && c <= 90) return Class.upper;
  if (c >= 48 && c <= 57) return Class.digit;
  return c === 95 ? Class.joiner : Class.other;
}

const charAt = (s: string, i: number) => (i < s.length ? String.fromCodePoint(s.codePointAt(i)!) : '');

export function eachWord(s: string, add: AddWord): void {
  for (let i = 0; i < s.length; ) {
    if (s.charCodeAt(i) < 0x80) {
      i = classOf(s, i) === Class.other ? i + 1 : ascii(s, i, add);
      continue;
    }
    const c = charAt(s, i);
    if (isDense(c)) i = denseRun(s, i, add);
    else if (letterOrDigit.test(c)) i = word(s, i, add);
    else i += c.length;
  }
}

/** Reads the word at i, which begins with ASCII. */
function ascii(s: string, start: number, add: AddWord): number {
  let form = '';
  let parts = false;
  let before = Class.other;
  let capitals = 0;
  let signed = false;
  let i = start;
  for (; i < s.length; i++) {
    if (s.charCodeAt(i) >= 0x80) {
      const c = charAt(s, i);
      if (c === '’' || c === '\u00ad' || (!isDense(c) && wordRune.test(c))) return word(s, start, add);
      break;
    }
    const c = classOf(s, i);
    if (c === Class.other) {
      if (s[i] === "'" && elided(s, form.toLowerCase(), i + 1)) return i + 1;
      if (!joins(s, start, i)) break;
      if (s[i] === '.') {
        form += '.';
        parts = true;
      }
      continue;
    }
    if (c === Class.upper) {
      parts ||= before === Class.lower || before === Class.digit;
      capitals++;
    } else {
      parts ||=
        c === Class.joiner ||
        (c === Class.digit && before !== Class.digit && i > start) ||
        (c === Class.lower && capitals > 2);
      capitals = 0;
    }
    form += s[i];
    before = c;
  }
  if (i - start === 1 && before !== Class.joiner) {
    const sign = s.startsWith('++', i) ? '++' : s.startsWith('#', i) ? '#' : '';
    form += sign;
    i += sign.length;
    signed = sign !== '';
  }
  form = form.slice(0, longestWord).toLowerCase();
  end(s, form, start, i, parts, add);
  if (signed) add(form.replace('++', 'pp').replace('#', 'sharp'), start, i, true);
  return i;
}

/**
 * Reports whether a form is a French or Italian word that lost its last letter before the
 * word at i: "l'homme" is the word "homme".
 */
const elided = (s: string, form: string, i: number) =>
  elisions.test(form) && /^[aeiouhyœæ]/.test(charAt(s, i).toLowerCase().normalize('NFD'));
const elisions =
  /^(?:[cdjlmnstv]|qu|jusqu|lorsqu|puisqu|quoiqu|un|gl|all|dall|dell|nell|sull|coll|quell|agl|dagl|degl|negl|sugl)$/;

/**
 * Reports whether the character at i continues the word: an apostrophe, or a point or comma
 * between digits.
 */
function joins(s: string, start: number, i: number): boolean {
  if (i === start || i + 1 >= s.length || s.charCodeAt(i + 1) >= 0x80) return false;
  const before = classOf(s, i - 1);
  const after = classOf(s, i + 1);
  if (s[i] === "'") return before !== Class.digit && after !== Class.digit && after !== Class.other;
  return (s[i] === '.' || s[i] === ',') && before === Class.digit && after === Class.digit;
}

function end(s: string, form: string, from: number, to: number, parts: boolean, add: AddWord): void {
  form = form.replace(/^_+|_+$/g, '');
  if (!form) return;
  add(form, from, to, false);
  if (!parts) return;
  const all = partsOf(s, from, to);
  const small = (start: number, stop: number) => s.slice(start, stop).toLowerCase();
  for (const [start, stop] of all) {
    if (stop - start <= longestWord && stop - start < to - from) add(small(start, stop), start, stop, false);
    variants(small(start, stop), start, stop, add);
  }
  for (let i = 1; i < all.length - 1; i++) {
    const [start] = all[i]!;
    const stop = all[all.length - 1]![1];
    if (stop - start <= longestWord) add(small(start, stop).replaceAll('_', ''), start, stop, true);
  }
}

const mostParts = 12;

/** Returns the words of a name, as names.go defines them. */
function partsOf(s: string, from: number, to: number): [number, number][] {
  const all: [number, number][] = [];
  let start = from;
  for (let i = from; i <= to; i++) {
    if (i < to && s[i] !== '_' && !begins(s, start, i, to)) continue;
    if (i > start) all.push([start, i]);
    start = i < to && s[i] === '_' ? i + 1 : i;
  }
  return all.length > mostParts ? [] : all;
}

function begins(s: string, start: number, i: number, to: number): boolean {
  if (i === start || classOf(s, i) !== Class.upper) return false;
  const small = i + 1 < to && classOf(s, i + 1) === Class.lower;
  switch (classOf(s, i - 1)) {
    case Class.lower:
      return i - start > 1;
    case Class.upper:
      return small && i - start > 1 && classOf(s, i - 2) === Class.upper;
    case Class.digit:
      return small;
    default:
      return false;
  }
}

/** Adds other spellings of a word of ASCII, as names.go does. */
function variants(form: string, start: number, stop: number, add: AddWord): void {
  const [, letters, number] = /^([a-z]*)([\d.]+)$/.exec(form) ?? [];
  if (!number || form.length > longestWord) return;
  const at = start + letters!.length;
  if (letters!.length > 1) add(letters!, start, at, true);
  if (letters && number.length > 1) add(number, at, stop, true);
  const two = /^(\d*\.\d*)\./.exec(number);
  if (two) add(two[1]!, at, stop, true);
}

const lowered = (c: string) => (drawn.test(c) ? c.normalize('NFKC').toLowerCase() : charAt(c.toLowerCase(), 0));

const bytesOf = (s: string) => {
  let n = 0;
  for (const c of s) n += c < '\u0080' ? 1 : c < '\u0800' ? 2 : c.length === 1 ? 3 : 4;
  return n;
};

/** Reads the word at i, in a script with blanks between words. */
function word(s: string, start: number, add: AddWord): number {
  let form = '';
  let i = start;
  while (i < s.length) {
    const c = charAt(s, i);
    if (c === '’' || c === "'") {
      const next = charAt(s, i + 1);
      if (i === start || !letter.test(next) || isDense(next)) break;
      i++;
      if (elided(s, form, i)) return i;
      continue;
    }
    if ((!wordRune.test(c) && !unseen.test(c)) || isDense(c)) break;
    i += c.length;
    if (!unseen.test(c) && bytesOf(form) < longestWord)
      form = (form + lowered(c)).normalize('NFC').replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g, '');
  }
  end(s, form, start, i, false, add);
  return i;
}

const widened = (s: string) => s.replace(/[\uff66-\uff9f]+/g, (kana) => kana.normalize('NFKC'));

/** Reads the run at i in a script without blanks: each pair of neighbouring characters. */
function denseRun(s: string, i: number, add: AddWord): number {
  const units: number[] = [];
  let stop = i;
  while (stop < s.length) {
    const c = charAt(s, stop);
    if (denseMark.test(c)) {
      if (!units.length) break;
    } else if (isDense(c)) units.push(stop);
    else break;
    stop += c.length;
  }
  units.forEach((at, n) => {
    const next = units[n + 1] ?? stop;
    if (units.length === 1 || manyForms.test(charAt(s, at)))
      add(widened(s.slice(at, next)), at, next, units.length > 1);
    if (n > 0) add(widened(s.slice(units[n - 1], next)), units[n - 1]!, next, false);
  });
  return stop;
}

const dotted = /(?<![\p{L}\p{N}_])[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::)[A-Za-z_][A-Za-z0-9_]*)+/gu;

/**
 * Reads names of several parts, such as os.path.join, as one word. Those with a short ending,
 * such as Node.js, have the extra form nodejs.
 */
export function eachName(s: string, add: AddWord): void {
  for (const m of s.matchAll(dotted)) {
    const name = m[0].toLowerCase();
    if (name.length > longestWord) continue;
    const end = m.index + name.length;
    add(name.replaceAll('::', '.'), m.index, end, false);
    if (/^[^.:]+\.[^.:]{1,3}$/.test(name)) add(name.replace('.', ''), m.index, end, true);
  }
}

const options = /(?<![\w\-\u0080-\uffff])--?[A-Za-z][\w-]*(?<!-)/g;
const leading = /(?<![\w.@$\u0080-\uffff])[.@$][A-Za-z_]\w*/g;
const generics = /[A-Za-z_]\w*(?=<)/g;

/** Reads options (--no-cache), names such as .NET, and types with parameters, as signed.go does. */
export function eachSigned(s: string, add: AddWord): void {
  const all: [number, number][] = [];
  for (const re of [options, leading]) for (const m of s.matchAll(re)) all.push([m.index, m.index + m[0].length]);
  let after = 0;
  for (const m of s.matchAll(generics)) {
    const from = m.index + m[0].length;
    const n = from < after ? 0 : generic(s, from);
    if (n) all.push([m.index, (after = from + n)]);
  }
  all.sort((a, b) => a[0] - b[0]);
  for (const [from, to] of all) if (to - from <= longestWord) add(s.slice(from, to).toLowerCase(), from, to, false);
}

function generic(s: string, from: number): number {
  let depth = 0;
  for (let at = from; at < s.length && at - from < longestWord; at++) {
    const c = s[at]!;
    if (c === '<') depth++;
    else if (c === '>') {
      if (s[at - 1] === '<') return 0;
      if (--depth === 0) return at + 1 - from;
    } else if (!/[\w,&*:.]/.test(c)) return 0;
  }
  return 0;
}

/** Reads all words of a text. */
export function eachForm(s: string, add: AddWord): void {
  eachWord(s, add);
  eachSigned(s, add);
  eachName(s, add);
}

const mostWords = 40;

/** Returns the distinct words of a query in order. */
export function queryWords(query: string): string[] {
  const out = new Set<string>();
  const add: AddWord = (form, _from, _to, extra) => {
    if (!extra && out.size < mostWords) out.add(form);
  };
  eachWord(query, add);
  eachName(query, add);
  eachSigned(query, add);
  return [...out];
}

const ligatures: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
};

/** Returns a word without diacritics, as typed on a keyboard without them. */
export function fold(s: string): string {
  let out = '';
  for (const c of s) {
    if (c < '\u0080') out += c;
    else if (ligatures[c]) out += ligatures[c];
    else if (c < '\u0530' || (c >= '\u1e00' && c < '\u2000')) out += c.normalize('NFD').replace(/\p{M}/gu, '');
    else out += c;
  }
  return out;
}
