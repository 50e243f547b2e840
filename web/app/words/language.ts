// The language of the page. English is in every bundle; another language is a bundle of its
// own, which comes before anything is built (language-first.ts) and leaves its words where
// all bundles find them.

/** The parts that the words of a language come in; what each has is in words/words.ts. */
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
  | 'choice';

const { seamWords } = globalThis as { seamWords?: Record<string, unknown> };

/** The words of that name: those of another language if it was loaded, else the English ones. */
export function words<Values>(name: Part, english: Values): Values {
  return (seamWords?.[name] as Values | undefined) ?? english;
}

export const language = words('language', 'en');
