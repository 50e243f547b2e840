// German: the look of an HTML page.

import type { Words } from '../words.ts';

export const look: Words['look'] = {
  label: (name) => `${name}, gesetzt wie in seiner Datei`,
  note: 'Überschriften, Listen und Tabellen wie in der Datei, mit den Abschnitten markiert. Statt der Bilder stehen ihre Beschreibungen, und Links als Wörter. Programme der Datei sind weggelassen.',
  waiting: 'Die Seite kommt, wenn das Dokument gelesen ist.',
  tooLong: 'Dieser Text ist zu lang, um als eine Seite gesetzt zu werden: Lesen Sie ihn als Text.',
};
