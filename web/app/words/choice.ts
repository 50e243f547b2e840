// Which languages there are, each by its own name: one more is a line here, its words in a
// folder beside, and its bundle in web/build/page.go.

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** What was chosen, where the browser keeps it. */
export const LANGUAGE = 'seam.language';
