// The language of the page. English is in every bundle. Another language is a bundle of its
// own, loaded before the page is built (language-first.ts). It stores its words globally
// for all bundles.

/** The parts of a language's words; their types are in words/words.ts. */
export type Part =
  | 'language'
  | 'strings'
  | 'length'
  | 'say'
  | 'troubles'
  | 'views'
  | 'shownReason'
  | 'hosted'
  | 'hostedTroubles'
  | 'each'
  | 'grid'
  | 'judged'
  | 'kept'
  | 'pages'
  | 'look'
  | 'settings'
  | 'statements'
  | 'methods'
  | 'terms'
  | 'visits'
  | 'first'
  | 'folder'
  | 'choice';

const { seamWords } = globalThis as { seamWords?: Record<string, unknown> };

/** Returns the words of a part in the loaded language, or in English. */
export function words<Values>(name: Part, english: Values): Values {
  return (seamWords?.[name] as Values | undefined) ?? english;
}

export const language = words('language', 'en');
