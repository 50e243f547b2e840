// The languages, each by its own name. A new language needs a line here, its words in a
// folder next to this file, and its bundle in web/build/page.go.

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** The storage key of the choice. */
export const LANGUAGE = 'seam.language';
