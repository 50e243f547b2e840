// German: sentences of the engine and of a proxy by their English form. In it, %d, %s and
// similar verbs are values, and $1 is the first of them.
// ../../../../shared/engine/sentences_test.go finds all sentences.

import { kinds } from './engine.ts';
import { list, number } from './helpers.ts';
import { ofEngine } from './says-engine.ts';
import { ofProxy } from './says-proxy.ts';

/** The German form: a template, or a function of the values. */
type Make = string | ((...values: string[]) => string);

export const german: Readonly<Record<string, Make>> = {
  ...ofEngine,
  ...ofProxy,
  // Parts of other sentences.
  'page %s': 'Seite $1',
  'pages %s': 'Seiten $1',
  'this file has no text: %s': (notes) => `diese Datei enthält keinen Text: ${notes.split('; ').map(say).join('; ')}`,
  'Seam reads %s.': (read) => `Seam liest ${list('conjunction', kinds(read.split(/, | and /)))}.`,
};

interface Pattern {
  form: RegExp;
  /** The verb's letter for each value. */
  verbs: string[];
  make: Make;
  /** The length of the fixed text. The longest match wins. */
  fixed: number;
}

const VERB = /%(?:\.\d+)?([a-z])/g;
const VALUES: Record<string, string> = { d: '(-?\\d+)', g: '(\\S+)', f: '(\\S+)', q: '"((?:[^"\\\\]|\\\\.)*)"' };

let patterns: Pattern[] | undefined;

function pattern(form: string, make: Make): Pattern {
  const verbs = [...form.matchAll(VERB)].map(([, verb = '']) => verb);
  const parts = form.split(/%(?:\.\d+)?[a-z]/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const source = parts.map((part, i) => part + (i < verbs.length ? (VALUES[verbs[i] ?? ''] ?? '(.*)') : '')).join('');
  return { form: new RegExp(`^${source}$`, 's'), verbs, make, fixed: parts.join('').length };
}

/** Formats a value in German. If it is a sentence, translates it. */
function shown(value: string, verb: string | undefined): string {
  if (verb === 'q') return `„${value}“`;
  const plain = Number(value);
  return (verb === 'd' || verb === 'g' || verb === 'f') && Number.isFinite(plain) ? number.format(plain) : say(value);
}

/** Translates a sentence; returns an unknown one unchanged. */
export function say(english: string): string {
  const whole = german[english];
  if (typeof whole === 'string') return whole;
  patterns ??= Object.entries(german)
    .filter(([form]) => form.includes('%'))
    .map(([form, make]) => pattern(form, make))
    .sort((a, b) => b.fixed - a.fixed);
  for (const { form, verbs, make } of patterns) {
    const found = form.exec(english);
    if (!found) continue;
    if (typeof make === 'function') return make(...found.slice(1));
    return make.replace(/\$(\d)/g, (_, n: string) => shown(found[Number(n)] ?? '', verbs[Number(n) - 1]));
  }
  return english;
}
