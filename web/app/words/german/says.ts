// German: what the engine and a proxy say in English, by its English form: %d, %s and their
// like are values, $1 is the first of them. ../../../../shared/engine/sentences_test.go finds
// all that there are.

import { kinds } from './engine.ts';
import { list, number } from './helpers.ts';
import { ofEngine } from './says-engine.ts';
import { ofProxy } from './says-proxy.ts';

/** What is made of the values where it is more than to put them into a text. */
type Make = string | ((...values: string[]) => string);

export const german: Readonly<Record<string, Make>> = {
  ...ofEngine,
  ...ofProxy,
  // Parts of the others.
  'page %s': 'Seite $1',
  'pages %s': 'Seiten $1',
  'there is no text in this file: %s': (notes) =>
    `in dieser Datei ist kein Text: ${notes.split('; ').map(say).join('; ')}`,
  'Seam reads %s.': (read) => `Seam liest ${list('conjunction', kinds(read.split(/, | and /)))}.`,
};

interface Pattern {
  form: RegExp;
  /** Of each value the letter of its verb. */
  verbs: string[];
  make: Make;
  /** How much of it is no value: the closest one counts. */
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

/** A value as German has it; what is a sentence itself is said in German, too. */
function shown(value: string, verb: string | undefined): string {
  if (verb === 'q') return `„${value}“`;
  const plain = Number(value);
  return (verb === 'd' || verb === 'g' || verb === 'f') && Number.isFinite(plain) ? number.format(plain) : say(value);
}

/** A sentence in German; one that is not known stays as it is. */
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
