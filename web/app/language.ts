// The language of the page. English is in every bundle; another language is a bundle of its
// own, which comes before anything is built (language-first.ts) and leaves its words where
// all bundles find them.

import type { Words } from './languages/words.ts';

const { seamWords } = globalThis as { seamWords?: Record<string, unknown> };

/** The words of that name: those of another language if it was loaded, else the English ones. */
export function words<Values>(name: keyof Words, english: Values): Values {
  return seamWords?.[name] as Values | undefined ?? english;
}

export const language = words('language', 'en');
