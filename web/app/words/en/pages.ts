// The words of PDF pages, loaded with the first one shown.

import { words as inLanguage } from '../language.ts';

const number = new Intl.NumberFormat('en');

export const words = inLanguage('pages', {
  pages: (name: string) => `Pages of ${name}`,
  note: 'Pictures of the pages, with the chunks marked. The same words are in the text.',
  /** `printed` is the page's printed number, or "". */
  page: (n: number, of: number, printed: string) =>
    printed && printed !== String(n)
      ? `Page ${printed}, sheet ${number.format(n)} of ${number.format(of)}`
      : `Page ${number.format(n)} of ${number.format(of)}`,
  short: (n: number, of: number, printed: string) =>
    printed && printed !== String(n)
      ? `${printed} (sheet ${number.format(n)} of ${number.format(of)})`
      : `${number.format(n)} of ${number.format(of)}`,
  picture: (n: number) => `Picture of page ${number.format(n)}`,
  loading: 'Getting the pages ready …',
  waiting: 'The pages come when the document has been read.',
  otherFormat: (name: string) => `${name} is not a PDF and has no pages to show: read it as text.`,
  notKept:
    'The file itself is not kept; drop it again to see its pages. “Manage…” below the documents keeps files, too, if you like.',
  locked: 'The pages are locked by a password: choose Text, and Page again, to enter it.',
  unreadable: 'The file cannot be read any more: it was changed, moved or removed. Drop it again to see its pages.',
  damaged: 'The pages of this file cannot be drawn because it is damaged; its text was read.',
  lost: 'The page viewer could not be loaded. Choose Text, then Page again, when this page can reach its host.',
  pageDamaged: 'This page cannot be drawn because it is damaged.',
});
