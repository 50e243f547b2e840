// The words of the look of an HTML page, loaded with the first one shown.

import { words as inLanguage } from '../language.ts';

export const words = inLanguage('look', {
  label: (name: string) => `${name}, set as its file has it`,
  note: 'Headings, lists and tables as the file has them, with the chunks marked. Pictures are shown by their descriptions, and links as words. Programs of the file are left out.',
  waiting: 'The page comes when the document has been read.',
  tooLong: 'This text is too long to be set as one page: read it as text.',
});
