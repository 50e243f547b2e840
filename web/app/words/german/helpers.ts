// Helpers of the German words: numbers, plurals, sizes.

import type { CurveKind } from '../../../lib/api.ts';
import { ESTIMATED } from '../../../lib/cut.ts';

export const number = new Intl.NumberFormat('de', { maximumFractionDigits: 2 });
const fixed = new Intl.NumberFormat('de', { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
const moment = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short' });

/** A number does not wrap apart from its noun. */
export function count(n: number, one: string, many: string): string {
  return `${number.format(n)}\u00a0${n === 1 ? one : many}`;
}

export const value = (v: number): string => fixed.format(v);
export const date = (when: number): string => moment.format(when);

export const chunks = (n: number) => count(n, 'Abschnitt', 'Abschnitte');
export const sentences = (n: number) => count(n, 'Satz', 'Sätze');
export const pages = (n: number) => count(n, 'Seite', 'Seiten');
export const files = (n: number) => count(n, 'Datei', 'Dateien');
export const passages = (n: number) => count(n, 'Textstelle', 'Textstellen');
export const requests = (n: number) => count(n, 'Anfrage', 'Anfragen');
export const cuts = (n: number) => count(n, 'Schnitt', 'Schnitte');

/** The words for a unit of lengths, by its name. */
export const unitWords = (unit: string): [one: string, many: string] =>
  unit === 'words'
    ? ['Wort', 'Wörter']
    : unit === 'chars'
      ? ['Zeichen', 'Zeichen']
      : unit === ESTIMATED
        ? ['geschätztes Token', 'geschätzte Token']
        : ['Token', 'Token'];

export const length = (n: number, unit: string): string => count(n, ...unitWords(unit));

/** A value of a curve. A strength curve has logarithms. */
export const at = (kind: CurveKind, v: number): string => value(kind === 'strength' ? 2 ** v : v);

/** “a, b oder c”. */
export const list = (type: 'conjunction' | 'disjunction', each: string[]): string =>
  new Intl.ListFormat('de', { type }).format(each);

/** Makes a sentence of a browser's error text, in the browser's language. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return !text || /[.!?…]$/.test(first) ? first : `${first}.`;
}
